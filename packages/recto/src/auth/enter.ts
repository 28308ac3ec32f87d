import { forbidden, unauthorized } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import type { Account } from './account.ts';
import { admit, type FirstProof, type Proof } from './admission.ts';
import type { AuthServices } from './auth-services.ts';
import { askForFactor } from './factors/ask-for-factor.ts';
import { hasFactor } from './factors/factor-store.ts';
import { secondFactorRequired } from './factors/second-factor-required.ts';
import { generationOf } from './flows/account-token-store.ts';
import type { SessionGrant } from './session-store.ts';

/** What signing in needs. */
export type SignInServices = AuthServices & {
  /** What the browser or program calls itself (`User-Agent`), kept with the session. */
  readonly agent?: string | null;
};

/** The tokens returned after signing in. */
export interface SignedIn {
  readonly account: Account;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Where a way into an account leads: to a session, or to the question for a second factor. */
export type Entrance =
  | { readonly kind: 'session'; readonly account: Account; readonly grant: SessionGrant }
  | { readonly kind: 'challenge'; readonly account: Account; readonly challenge: string };

/**
 * Every way into an account ends here, as part of its transaction: it begins a session if what was proved is enough, and otherwise
 * makes a challenge for the second factor. Throws 401 `invalid_credentials` for a disabled account, and where addresses have to be
 * confirmed, 403 `email_not_verified`.
 */
export async function enter(
  services: SignInServices,
  transaction: Transaction,
  account: Account,
  proof: Proof,
): Promise<Entrance> {
  const { accounts, sessions, factors, challenges, policy } = services;
  const now = services.now();
  if (account.disabled) throw invalidCredentials();
  // Whoever changes the password is in already.
  if (policy.verifyEmail === 'required' && !account.verified && proof.kind !== 'renewal') throw emailNotVerified();
  const admission = admit(proof, hasFactor(await factors.of(transaction, account.id)), now);
  if (admission === undefined) {
    const passwordGeneration = generationOf(account.passwordHash);
    const waiting = {
      purpose: 'second_factor',
      account: account.id,
      first: firstOf(proof),
      passwordGeneration,
    } as const;
    return { kind: 'challenge', account, challenge: await challenges.issue(transaction, waiting, now) };
  }
  const grant = await sessions.start(transaction, account.id, admission, now, services.agent);
  await accounts.recordLogin(transaction, account.id, now);
  await askForFactor(services, transaction, account, admission.secondFactor);
  return { kind: 'session', account, grant };
}

/** What counts as the first step of two. */
function firstOf({ kind }: Proof): FirstProof {
  switch (kind) {
    case 'code':
    case 'provider':
      return kind;
    default:
      return 'password';
  }
}

/**
 * The tokens of a session, once its transaction is committed. Throws 403 `second_factor_required` with the challenge where a second
 * factor is missing.
 */
export async function signedIn(services: AuthServices, entrance: Entrance): Promise<SignedIn> {
  const { account } = entrance;
  if (entrance.kind === 'challenge') throw await secondFactorRequired(services, account.id, entrance.challenge);
  const { grant } = entrance;
  const accessToken = await services.accessTokens.issue(account.id, grant.session);
  return { account, accessToken, refreshToken: grant.refreshToken };
}

export const invalidCredentials = () =>
  unauthorized('invalid_credentials', 'The email address or the password is wrong.');

export const emailNotVerified = () =>
  forbidden('email_not_verified', 'Confirm the email address first: a link is in a mail that was sent there.');
