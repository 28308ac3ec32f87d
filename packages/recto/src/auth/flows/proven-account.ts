import { unauthorized } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { Account } from '../account.ts';
import type { AuthServices } from '../auth-services.ts';
import { clearSecondFactors } from '../factors/clear-second-factors.ts';
import { type AccountToken, type AccountTokenKind, generationOf } from './account-token-store.ts';

/** One answer for every link that cannot be used: it says nothing about the account. */
export const invalidLink = () =>
  unauthorized('invalid_link', 'This link is not valid, or not any more. Ask for a new one.');

export interface Proven {
  readonly account: Account;
  readonly token: AccountToken;
}

/** The enabled account of a token, unless its password has changed since. `addressOf` is what the token has to prove. */
export async function accountOf(
  { accounts }: Pick<AuthServices, 'accounts'>,
  executor: Parameters<AuthServices['accounts']['byId']>[0],
  token: AccountToken | undefined,
  addressOf: (account: Account) => string | null,
): Promise<Account | undefined> {
  if (token === undefined || token.account === '') return undefined;
  const account = await accounts.byId(executor, token.account);
  if (account === undefined || account.disabled) return undefined;
  const isCurrent = token.passwordGeneration === generationOf(account.passwordHash);
  return isCurrent && addressOf(account) === token.address ? account : undefined;
}

/** Uses a link up as part of a transaction. Throws 401 `invalid_link`. */
export async function proveByLink(
  services: Pick<AuthServices, 'accounts' | 'accountTokens' | 'now'>,
  transaction: Transaction,
  kind: AccountTokenKind,
  given: string,
  addressOf: (account: Account) => string | null = ({ email }) => email,
): Promise<Proven> {
  const token = await services.accountTokens.find(transaction, kind, given, services.now());
  const account = await accountOf(services, transaction, token, addressOf);
  if (token === undefined || account === undefined) throw invalidLink();
  if (!(await services.accountTokens.use(transaction, token, services.now()))) throw invalidLink();
  return { account, token };
}

/**
 * Ends everything that opens an account but its password, which is for the caller to change. API tokens stay: only admins make them, and
 * they open no account.
 */
export async function endAllAccess(services: AccessServices, transaction: Transaction, account: string): Promise<void> {
  const { sessions, accountTokens, challenges, identities, now } = services;
  await sessions.endAll(transaction, account, now());
  await challenges.end(transaction, account);
  await accountTokens.end(transaction, account);
  await clearSecondFactors(services, transaction, account);
  await identities.removeOf(transaction, account);
}

/** What opens accounts. */
export type AccessServices = Pick<
  AuthServices,
  'accounts' | 'accountTokens' | 'challenges' | 'factors' | 'identities' | 'sessions' | 'now'
>;

/**
 * Whoever registers can give an address of somebody else. Once its owner proves it, nothing of before opens the account: neither
 * sessions, nor links, nor API tokens, nor second factors, nor identities of providers, nor an address that was about to replace it. The password is for the caller to change.
 */
export async function endUnproven(services: AuthServices, transaction: Transaction, account: Account): Promise<void> {
  const { sessions, accountTokens, apiTokens, challenges, identities, now } = services;
  await sessions.endAll(transaction, account.id, now());
  await challenges.end(transaction, account.id);
  await accountTokens.end(transaction, account.id);
  if (account.verified) return;
  await apiTokens.removeOf(transaction, account.id, now());
  // Strangers can register members alone. A proof of the address must not take from others what they have added themselves.
  if (account.role !== 'member') return;
  await clearSecondFactors(services, transaction, account.id);
  await identities.removeOf(transaction, account.id);
}
