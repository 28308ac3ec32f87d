import { clientNetwork } from './client-network.ts';
import type { RateCounters } from './rate-counters.ts';
import { rateLimiter } from './rate-limiter.ts';

/** Rate limits for guessing secrets and names. Each call counts one attempt, successful or not, and throws 429 when there were too many. */
export interface SignInLimits {
  /** An attempt to sign in: 20 a minute from one network, 10 a minute to one account (or to an address that has none). */
  signIn(address: string, emailKey: string): Promise<void>;
  /** A signed-in caller who confirms the password: counts as an attempt to sign in to the account. */
  confirmation(emailKey: string): Promise<void>;
  /** 20 an hour from one network. */
  registration(address: string): Promise<void>;
  /** A change of email address or username, whose response reveals whether it is taken: 20 an hour from one network, 10 an hour by one account. */
  identity(address: string, accountId: string): Promise<void>;
}

/**
 * Limits on the given counters. An account's limit covers a short time, so that a stranger who fails on purpose cannot lock its
 * owner out for long, and still allows only 14,400 guesses a day.
 */
export function createSignInLimits(counters: RateCounters): SignInLimits {
  const limit = (name: string, points: number, seconds: number, detail: string) =>
    rateLimiter(counters, { name, points, seconds, detail });
  const byNetwork = limit('sign_in_network', 20, 60, 'Too many sign-ins from this address.');
  const byAccount = limit('sign_in_account', 10, 60, 'Too many sign-ins to this account.');
  const registrations = limit('registration', 20, 60 * 60, 'Too many registrations from this address.');
  const changesByNetwork = limit('identity_network', 20, 60 * 60, 'Too many changes of accounts from this address.');
  const changesByAccount = limit('identity_account', 10, 60 * 60, 'Too many changes of this account.');
  return {
    signIn: async (address, emailKey) => {
      await byNetwork(clientNetwork(address));
      await byAccount(emailKey);
    },
    confirmation: byAccount,
    registration: (address) => registrations(clientNetwork(address)),
    identity: async (address, accountId) => {
      await changesByAccount(accountId);
      await changesByNetwork(clientNetwork(address));
    },
  };
}

const allowed = async (): Promise<void> => undefined;

/** For RECTO_RATE_LIMIT=off. */
export const noSignInLimits: SignInLimits = {
  signIn: allowed,
  confirmation: allowed,
  registration: allowed,
  identity: allowed,
};
