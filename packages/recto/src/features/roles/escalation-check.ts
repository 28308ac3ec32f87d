import type { AuthProviders } from '../../config/auth-provider-setting.ts';
import type { CompiledRole } from '../../definition/roles/role.ts';
import { type Finding, ok, warn } from '../finding.ts';
import type { Installation } from '../installation.ts';

const check = 'roles';

/**
 * Roles by which somebody can get more rights, up to those of an admin. API tokens, webhooks, hooks, imports, content types and roles
 * are for admins or for who deploys, and no role can have them; `may.users` ends at accounts of the same role and of members. What is
 * left is what the accounts become that a role manages.
 */
export async function escalationFinding({
  types,
  settings,
}: Pick<Installation, 'types' | 'settings'>): Promise<Finding> {
  if (types === undefined) return ok(check, 'not checked: the definitions have errors');
  const { all } = types.ownRoles;
  const risky = all.flatMap((role) => waysOf(role, settings.authProviders).map((way) => `${role.name}: ${way}`));
  if (risky.length === 0)
    return ok(check, all.length === 0 ? 'none of your own' : all.map(({ name }) => name).join(', '));
  return warn(check, risky.join('; '), 'Take these rights away where they are not meant. See docs/roles.md.');
}

/** How somebody with a role may get at more than its rights. */
function waysOf({ name, may }: CompiledRole, providers: AuthProviders): readonly string[] {
  if (!may.users) return [];
  const given = Object.values(providers).flatMap((provider) => {
    const roles = [...new Set(Object.values(provider.roles))].filter((role) => role !== 'member' && role !== name);
    return roles.length === 0 ? [] : [promotion(provider.name, roles)];
  });
  return ['it makes accounts of its own role and of members, and sets their passwords (may.users)', ...given];
}

/** A password that was set before outlives the change of the role. */
const promotion = (provider: string, roles: readonly string[]): string => {
  const becomes = roles.includes('admin') ? 'can make itself an admin' : `can get the rights of ${roles.join(', ')}`;
  return `it ${becomes}: it sets the passwords of accounts whose role the sign-in provider "${provider}" changes later (may.users)`;
};
