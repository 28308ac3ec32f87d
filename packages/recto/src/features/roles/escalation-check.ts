import type { CompiledRole } from '../../definition/roles/role.ts';
import { type Finding, ok, warn } from '../finding.ts';
import type { Installation } from '../installation.ts';

const check = 'roles';

/**
 * Roles that let somebody become an admin, or do what an admin does. The service itself gives no such way: tokens, hooks, webhooks,
 * imports and content types are for admins, and `may.users` ends at accounts of the same role. What is left is what a role says.
 */
export async function escalationFinding({ types }: Installation): Promise<Finding> {
  if (types === undefined) return ok(check, 'not checked: the definitions have errors');
  const { all } = types.ownRoles;
  const risky = all.flatMap((role) => waysOf(role).map((way) => `${role.name}: ${way}`));
  if (risky.length === 0)
    return ok(check, all.length === 0 ? 'none of your own' : all.map(({ name }) => name).join(', '));
  return warn(check, risky.join('; '), 'Take these rights away where they are not meant. See docs/roles.md.');
}

/** How a role may get at more than its own rights. */
function waysOf({ may }: CompiledRole): readonly string[] {
  return may.users ? ['it makes accounts of its own role and of members, and sets their passwords (may.users)'] : [];
}
