import type { Account } from '../../auth/account.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { type Caller, callerRole, callerScopes, isBuiltInRole } from '../../base/caller.ts';
import { type FieldFault, forbidden } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';

// A role of the installation's own that manages accounts could otherwise make itself an admin: by a role it gives, or by the
// password of somebody who has more rights. So could an API token that scopes leave less than its role has.

/** The roles whose accounts a caller manages; undefined: all. */
function manageableRoles(caller: Caller): readonly string[] | undefined {
  if (callerScopes(caller) !== undefined) return ['member'];
  const role = callerRole(caller);
  return role === null || isBuiltInRole(role) ? undefined : ['member', role];
}

/** Throws 403 where the caller may not change an account with this role: one with rights that the caller may not have. */
export function requireManageable(caller: Caller, { role }: Pick<Account, 'role'>): void {
  const roles = manageableRoles(caller);
  if (roles === undefined || roles.includes(role)) return;
  throw forbidden('insufficient_role', `You may change accounts of these roles only: ${roles.join(', ')}.`);
}

/** The same in the transaction of a change: the account may have got another role since. */
export async function requireStillManageable(
  { accounts }: Pick<AuthServices, 'accounts'>,
  caller: Caller,
  transaction: Transaction,
  id: string,
): Promise<void> {
  if (manageableRoles(caller) === undefined) return;
  await accounts.lockAdmins(transaction);
  const account = await accounts.byId(transaction, id);
  if (account !== undefined) requireManageable(caller, account);
}

/** The error of a role that the caller may not give. */
export function givenRoleFaults(caller: Caller, given: unknown): readonly FieldFault[] {
  const roles = manageableRoles(caller);
  if (roles === undefined || given === undefined || roles.some((role) => role === given)) return [];
  const message = `Must be ${roles.join(' or ')}: you cannot give rights that you lack.`;
  return [{ field: 'role', code: 'not_allowed', message }];
}
