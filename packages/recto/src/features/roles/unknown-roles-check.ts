import { AccountStore } from '../../auth/account-store.ts';
import { ApiTokenStore } from '../../auth/api-token-store.ts';
import { isBuiltInRole } from '../../base/caller.ts';
import { accountsTable } from '../../definition/profile/profile-type.ts';
import { type Finding, ok, warn } from '../finding.ts';
import type { Installation } from '../installation.ts';

const check = 'roles in use';

/** Accounts and API tokens whose role is gone can do nothing. */
export async function unknownRolesFinding({ types, read }: Installation): Promise<Finding> {
  if (types === undefined) return ok(check, 'not checked: the definitions have errors');
  const used = await read(accountsTable, async (executor, dialect) => [
    ...(await new AccountStore(dialect).rolesInUse(executor)),
    ...(await new ApiTokenStore(dialect).rolesInUse(executor)),
  ]).catch(() => undefined);
  const gone = [...new Set(used ?? [])].filter(
    (role) => !isBuiltInRole(role) && types.ownRoles.find(role) === undefined,
  );
  if (gone.length === 0) return ok(check, 'all of them exist');
  const remedy = 'Bring the roles back, or give the accounts others: recto user role USER ROLE.';
  return warn(check, `no longer there: ${gone.join(', ')}; their accounts and API tokens can do nothing`, remedy);
}
