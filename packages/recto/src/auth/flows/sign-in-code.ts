import { randomInt } from 'node:crypto';
import type { Caller } from '../../base/caller.ts';
import { parseEmail } from '../../base/email-address.ts';
import { unauthorized } from '../../base/problem.ts';
import type { Account } from '../account.ts';
import { logAccount } from '../account-event.ts';
import type { AuthPolicy } from '../auth-policy.ts';
import type { AuthServices } from '../auth-services.ts';
import { authGeneration } from '../auth-tables.ts';
import { enter, type SignedIn, type SignInServices, signedIn } from '../enter.ts';
import { challengePrefix, newToken, tokenHash } from '../opaque-token.ts';
import { codeHash } from './account-token-store.ts';
import { nobodysPassword } from './nobodys-password.ts';
import { type MailRequest, settled } from './password-reset.ts';
import { accountOf, endUnproven } from './proven-account.ts';

/** Eight digits. */
export const newCode = (): string => String(randomInt(100_000_000)).padStart(8, '0');

/** Whether an account may sign in with a code. */
export const mayUseCodes = ({ role }: Pick<Account, 'role'>, { signInCodes }: AuthPolicy): boolean =>
  signInCodes === 'all' || (signInCodes === 'members' && role === 'member');

/**
 * Mails a code, and returns what it goes with: a code alone opens nothing. The work and the response are the same whether there is such an account.
 */
export async function requestCode(services: AuthServices, { email, address, language }: MailRequest): Promise<string> {
  const { mails, accounts, database, limits } = services;
  const challenge = newToken(challengePrefix);
  const key = parseEmail(email)?.key ?? '';
  if (mails === undefined || !(await limits.mail('sign_in_code', address, key))) return challenge;
  const account = await accounts.byEmailKey(database, key);
  const hashes = { address_hash: tokenHash(key), challenge: tokenHash(challenge) };
  await database.transaction((transaction) =>
    mails.queue(transaction, { kind: 'sign_in_code', account: account?.id ?? null, ...hashes, language }),
  );
  return challenge;
}

interface GivenCode {
  readonly challenge: string;
  readonly code: string;
}

/**
 * Signs in with a code. An account whose address was not confirmed before loses all that was made without that proof: its password,
 * sessions and API tokens. Throws 401 `invalid_code`, 429.
 */
export async function confirmCode(
  services: SignInServices & { readonly by?: Caller },
  given: GivenCode,
  address: string,
): Promise<SignedIn> {
  const { database, accountTokens, accounts, limits, now, policy, by } = services;
  await limits.code(address);
  const challenge = tokenHash(given.challenge);
  // Committed before anything is said, so that tries are counted in every case.
  const token = await database.transaction((transaction) => accountTokens.countTry(transaction, challenge, now()));
  const isRight = token?.hash === codeHash(challenge, given.code.replace(/\s/g, ''));
  const known = isRight ? await accountOf(services, database, token, ({ email }) => email) : undefined;
  if (token === undefined || known === undefined || !mayUseCodes(known, policy)) throw invalidCode();
  const passwordHash = known.verified ? undefined : nobodysPassword();
  const entrance = await database.transaction(async (transaction) => {
    const account = await accountOf(services, transaction, token, ({ email }) => email);
    if (account === undefined || account.verified !== known.verified || !mayUseCodes(account, policy))
      throw invalidCode();
    if (!(await accountTokens.use(transaction, token, now()))) throw invalidCode();
    const proof = { kind: 'code' } as const;
    if (passwordHash === undefined) return enter(services, transaction, account, proof);
    await endUnproven(services, transaction, account);
    const values = { passwordHash, verified: true, ...settled(account) };
    await accounts.update(transaction, account.id, values, now());
    logAccount(transaction, { account, action: 'update', values, by, now: now() });
    transaction.touch(authGeneration);
    return enter(services, transaction, (await accounts.byId(transaction, account.id)) ?? account, proof);
  });
  return signedIn(services, entrance);
}

const invalidCode = () => unauthorized('invalid_code', 'The code is wrong, or not valid any more.');
