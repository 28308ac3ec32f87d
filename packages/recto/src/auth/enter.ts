import type { Transaction } from '../database/database.ts';
import type { Account } from './account.ts';
import type { AuthServices } from './auth-services.ts';
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

/** A session that has begun. */
export interface Entrance {
  readonly account: Account;
  readonly grant: SessionGrant;
}

/** Begins a session as part of a transaction. */
export async function enter(services: SignInServices, transaction: Transaction, account: Account): Promise<Entrance> {
  const grant = await services.sessions.start(transaction, account.id, services.now(), services.agent);
  await services.accounts.recordLogin(transaction, account.id, services.now());
  return { account, grant };
}

/** The tokens of a session, once its transaction is committed. */
export async function signedIn(services: AuthServices, { account, grant }: Entrance): Promise<SignedIn> {
  const accessToken = await services.accessTokens.issue(account.id, grant.session);
  return { account, accessToken, refreshToken: grant.refreshToken };
}
