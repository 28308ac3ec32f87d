import { builtInRoleNames, isBuiltInRole, type Role } from '../base/caller.ts';
import { FatalError } from '../base/fatal-error.ts';
import { nearestName } from '../base/nearest-name.ts';
import type { Terminal } from '../base/terminal.ts';
import { readSettings, settingsFileName } from '../config/settings.ts';
import { loadServed } from '../service/served-types.ts';

/** Rejects with a `FatalError` for a name that is no role: neither built in, nor one of the files or the database. */
export async function requireRole({ environment }: Terminal, role: Role): Promise<void> {
  if (isBuiltInRole(role)) return;
  const { ownRoles } = (await loadServed(readSettings(environment, settingsFileName))).types;
  if (ownRoles.find(role) !== undefined) return;
  const names = [...builtInRoleNames, ...ownRoles.all.map(({ name }) => name)];
  const near = nearestName(role, names);
  const remedy = near === undefined ? `The roles are ${names.join(', ')}.` : `Did you mean "${near}"?`;
  throw new FatalError(`There is no role "${role}". ${remedy}`);
}
