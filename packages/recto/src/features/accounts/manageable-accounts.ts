import type { Account } from '../../auth/account.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { type Caller, callerRole, isBuiltInRole } from '../../base/caller.ts';
import { type FieldFault, forbidden } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';

// A role of the installation's own that manages accounts could otherwise make itself an admin: by a role it gives, or by the
// password of somebody who has more rights.

const limitedRole = (caller: Caller): string | undefined => {
  const role = callerRole(caller);
  return role === null || isBuiltInRole(role) ? undefined : role;
};

/** Throws 403 where the caller may not change an account with this role: one that is neither a member nor of the caller's role. */
export function requireManageable(caller: Caller, { role }: Pick<Account, 'role'>): void {
  const own = limitedRole(caller);
  if (own === undefined || role === 'member' || role === own) return;
  throw forbidden('insufficient_role', `Your role changes accounts of the roles member and ${own} only.`);
}

/** The same in the transaction of a change: the account may have got another role since. */
export async function requireStillManageable(
  { accounts }: Pick<AuthServices, 'accounts'>,
  caller: Caller,
  transaction: Transaction,
  id: string,
): Promise<void> {
  if (limitedRole(caller) === undefined) return;
  await accounts.lockAdmins(transaction);
  const account = await accounts.byId(transaction, id);
  if (account !== undefined) requireManageable(caller, account);
}

/** The error of a role that the caller may not give. */
export function givenRoleFaults(caller: Caller, given: unknown): readonly FieldFault[] {
  const own = limitedRole(caller);
  if (own === undefined || given === undefined || given === 'member' || given === own) return [];
  return [
    { field: 'role', code: 'not_allowed', message: `Must be member or ${own}: you cannot give rights that you lack.` },
  ];
}
