import { type Caller, system } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import { conflict, type FieldFault, invalid, notFound } from '../base/problem.ts';
import type { Executor, Transaction, TransactionWork } from '../database/database.ts';
import { profileSingular } from '../definition/profile/profile-type.ts';
import type { Account, AccountValues, NewAccount } from './account.ts';
import { logAccount } from './account-event.ts';
import { type AccountInput, checkAccountInput, takenFault } from './account-input.ts';
import type { AuthServices } from './auth-services.ts';
import { authGeneration } from './auth-tables.ts';
import { nobodysPassword } from './flows/nobodys-password.ts';

type Parts = Pick<AuthServices, 'database' | 'accounts' | 'sessions' | 'factors' | 'passwords' | 'now'> & {
  /** Who asks for a change; default: the service, or its operator. */
  readonly by?: Caller;
};

export type NewAccountInput = AccountInput & {
  readonly email: string;
  /** Absent: nobody can sign in until an invitation is accepted. */
  readonly password?: string | undefined;
};

/**
 * Creates an account; a member unless a role is given. `alongside` runs in the same transaction.
 * Throws 422 with all errors in the address, username and password, including values that are taken.
 */
export async function createAccount<T>(
  parts: Parts,
  input: NewAccountInput,
  alongside: (transaction: Transaction, account: Account) => Promise<T>,
): Promise<T> {
  const insert = await prepareAccount(parts, input);
  return runInAccountTransaction(parts, async (transaction) => alongside(transaction, await insert(transaction)));
}

/** A checked new account, to be inserted by `runInAccountTransaction`. */
export async function prepareAccount(parts: Parts, input: NewAccountInput): Promise<TransactionWork<Account>> {
  const draft = await draftAccount(parts, input);
  const { accounts, by } = parts;
  return (transaction) => {
    const now = parts.now();
    logAccount(transaction, { account: draft, action: 'create', by, now });
    return accounts.insert(transaction, draft, now);
  };
}

/** Checks a new account and hashes its password, before any transaction. */
async function draftAccount(parts: Parts, input: NewAccountInput): Promise<NewAccount> {
  const { email, username = null, role = 'member', tenant = null, ...values } = checkAccountInput(input).values;
  const faults = await accountFaults(parts, input);
  if (faults.length > 0 || email === undefined) throw invalid(faults);
  const { profile = {}, profilePublic = false, verified = false } = values;
  const draft = { id: newId(), email, username, role, tenant, verified, profile, profilePublic };
  if (input.password !== undefined) return { ...draft, passwordHash: await parts.passwords.hash(input.password) };
  return { ...draft, passwordHash: nobodysPassword(), invitedAt: parts.now() };
}

/**
 * Changes an account. A new password, or disabling it, ends its sessions; a changed role or tenant takes effect with
 * the next request. Another email address is not verified, unless the input says so.
 * Throws 404, 422 as `createAccount`, or 409 `last_admin` when no enabled admin would remain.
 */
export async function changeAccount(
  parts: Parts,
  id: string,
  input: AccountInput,
  within?: string | undefined,
  more: Pick<AccountValues, 'pendingEmail'> = {},
  alongside: (transaction: Transaction) => Promise<void> = async () => undefined,
): Promise<Account> {
  await findAccount(parts, parts.database, id, within);
  const { values } = checkAccountInput(input);
  const faults = await accountFaults(parts, input, id);
  if (faults.length > 0) throw invalid(faults);
  const passwordHash = input.password === undefined ? undefined : await parts.passwords.hash(input.password);
  const changes = { ...values, ...(passwordHash === undefined ? {} : { passwordHash }), ...more };
  return runInAccountTransaction(parts, async (transaction) => {
    const before = await findAccount(parts, transaction, id, within);
    await alongside(transaction);
    return applyChanges(parts, transaction, before, changes);
  });
}

/** What access levels and rules read of an account. */
const read = ['role', 'tenant', 'email', 'username', 'verified'] as const satisfies readonly (keyof Account)[];

/** What answers with the account's profile are made from. */
const shown = ({ profile, profilePublic, tenant }: Account) => ({ profile, profilePublic, tenant });

async function applyChanges(
  parts: Parts,
  transaction: Transaction,
  before: Account,
  asked: AccountValues,
): Promise<Account> {
  const { id } = before;
  const moves = asked.email !== undefined && asked.email.key !== before.emailKey;
  // What was confirmed is the old address.
  const unverified = moves && before.verified ? { verified: false, ...asked } : asked;
  // Another address does not wait for the one that was asked for before.
  const changes = moves && before.pendingEmail !== null ? { pendingEmail: null, ...unverified } : unverified;
  const { accounts, sessions } = parts;
  const { role, disabled, passwordHash, tenant = null } = changes;
  if ((role !== undefined && role !== 'admin') || disabled === true || tenant !== null)
    await keepAnAdmin(parts, transaction, id);
  const now = parts.now();
  await accounts.update(transaction, id, changes, now);
  if (disabled === true || passwordHash !== undefined) await sessions.endAll(transaction, id, now);
  const after = (await accounts.byId(transaction, id)) ?? before;
  logAccount(transaction, { account: after, action: 'update', values: changes, by: parts.by, now });
  if (read.some((value) => after[value] !== before[value])) transaction.touch(authGeneration);
  if (!Bun.deepEquals(shown(after), shown(before))) transaction.touch(profileSingular);
  return after;
}

/** Sees to the records that name an account before it is removed; what it returns is called after that. May throw 409. */
export type ReleaseAccount = (
  transaction: Transaction,
  removal: { readonly id: string; readonly by: Caller; readonly now: string },
) => Promise<() => void>;

/** Deletes an account and ends its sessions. Its content stays. Throws 404, or 409 `last_admin` or `record_in_use`. */
export async function removeAccount(
  parts: Parts & Pick<AuthServices, 'identities'>,
  id: string,
  within?: string | undefined,
  // Where no records are served, none names an account.
  release: ReleaseAccount = async () => () => {},
): Promise<void> {
  await parts.database.transaction(async (transaction) => {
    const account = await findAccount(parts, transaction, id, within);
    await keepAnAdmin(parts, transaction, id);
    const now = new Date(parts.now()).toISOString();
    const released = await release(transaction, { id, by: parts.by ?? system, now });
    logAccount(transaction, { account, action: 'delete', by: parts.by, now: parts.now() });
    await parts.sessions.forget(transaction, id);
    await parts.factors.remove(transaction, id);
    await parts.identities.removeOf(transaction, id);
    await parts.accounts.remove(transaction, id);
    released();
    transaction.touch(profileSingular);
  });
}

/** The account with this id, in the tenant `within` where one is given; throws 404 for none. */
export async function findAccount(
  { accounts }: Pick<Parts, 'accounts'>,
  executor: Executor,
  id: string,
  within: string | undefined,
): Promise<Account> {
  const account = await accounts.byId(executor, id);
  if (account === undefined || (within !== undefined && account.tenant !== within)) throw noSuchAccount();
  return account;
}

/** Throws instead of removing the last enabled global admin. */
async function keepAnAdmin({ accounts }: Parts, transaction: Transaction, id: string): Promise<void> {
  await accounts.lockAdmins(transaction);
  const account = await accounts.byId(transaction, id);
  if (account?.role !== 'admin' || account.disabled || account.tenant !== null) return;
  if (!(await accounts.hasAdmin(transaction, id)))
    throw conflict('last_admin', 'This is the last admin: make another account an admin first.');
}

/** All errors in the input for an account: the one with the id `except`, or a new one. */
export async function accountFaults(
  { accounts, database }: Pick<Parts, 'accounts' | 'database'>,
  input: AccountInput,
  except?: string,
): Promise<readonly FieldFault[]> {
  const { values, faults } = checkAccountInput(input);
  const keys = { email: values.email?.key, username: values.username?.key };
  if (keys.email === undefined && keys.username === undefined) return faults;
  const taken = await accounts.taken(database, keys, except);
  return [...faults, ...(['email', 'username'] as const).filter((field) => taken[field]).map(takenFault)];
}

/**
 * Two concurrent requests for the same address both see it free; the unique column decides. An address or username that turns out
 * to be taken is reported as its field.
 */
export async function runInAccountTransaction<T>(parts: Parts, work: TransactionWork<T>): Promise<T> {
  try {
    return await parts.database.transaction(work);
  } catch (error) {
    const fault = parts.database.dialect.fault(error);
    if (fault?.kind !== 'unique' || fault.table !== 'recto_accounts') throw error;
    throw invalid([takenFault(fault.columns.includes('username_key') ? 'username' : 'email')]);
  }
}

export const noSuchAccount = () => notFound('There is no such account.');
