import { authGeneration } from '../../auth/auth-tables.ts';
import { isBuiltInRole } from '../../base/caller.ts';
import { countOf } from '../../base/count-of.ts';
import { FatalError } from '../../base/fatal-error.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { Settings } from '../../config/settings.ts';
import { RoleChanges, type RoleUses } from '../../content-types/roles/role-changes.ts';
import type { OwnRoles } from '../../definition/roles/role.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { contentTypes } from '../content-types/content-types-feature.ts';
import { defineFeature } from '../feature.ts';
import { permissionsOperation } from './permissions-operation.ts';
import { roleOperations } from './role-operations.ts';

/** Roles of the installation's own, and what callers may do. */
export const roles = defineFeature({
  name: 'roles',
  checks: [
    async (installation) => (await import('./escalation-check.ts')).escalationFinding(installation),
    async (installation) => (await import('./unknown-roles-check.ts')).unknownRolesFinding(installation),
  ],
  async create({ settings, use }) {
    const definitions = await use(contentTypes);
    checkProviders(settings, definitions.current.types.ownRoles);
    const { auth } = await use(accounts);
    const usesOf: RoleUses = async (executor, name) => {
      const [people, tokens] = [
        await auth.accounts.countOfRole(executor, name),
        await auth.apiTokens.countOfRole(executor, name),
      ];
      return [
        ...(people === 0 ? [] : [countOf(people, 'account')]),
        ...(tokens === 0 ? [] : [countOf(tokens, 'API token')]),
        ...providersWith(settings, name).map((provider) => `the sign-in provider "${provider}"`),
      ];
    };
    // Streams and whatever else depends on a caller's rights are looked at again.
    const changes = new RoleChanges(definitions, usesOf, (transaction) => transaction.touch(authGeneration));
    return {
      operations: ({ types }) => [...roleOperations(changes, settings.cmsMaxPageSize), permissionsOperation(types)],
    };
  },
});

const providersWith = ({ authProviders }: Settings, role: string): readonly string[] =>
  Object.entries(authProviders)
    .filter(([, { roles: given }]) => Object.values(given).includes(role))
    .map(([name]) => name);

/** A provider that gives a role which there is not would let people in who can do nothing. */
function checkProviders({ authProviders }: Settings, own: OwnRoles): void {
  for (const [name, { roles: given }] of Object.entries(authProviders)) {
    const missing = Object.values(given).find((role) => !isBuiltInRole(role) && own.find(role) === undefined);
    if (missing === undefined) continue;
    const near = nearestName(missing, ['admin', 'editor', 'member', ...own.all.map((role) => role.name)]);
    const remedy = near === undefined ? 'Create it in the folder of roles.' : `Did you mean "${near}"?`;
    throw new FatalError(`auth.providers.${name}.roles: there is no role "${missing}". ${remedy}`);
  }
}
