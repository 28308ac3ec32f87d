import { clientNetwork } from './client-network.ts';
import { tokenHash } from './opaque-token.ts';
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
  /**
   * A request for a mail of one kind to an address: 10 an hour from one network, 3 an hour to one address. Resolves with whether it may
   * be sent, and never throws 429: the response says nothing about the address.
   */
  mail(kind: string, address: string, emailKey: string): Promise<boolean>;
  /** A second factor that is given to an account: 10 in 15 minutes. */
  secondFactor(accountId: string): Promise<void>;
  /** A sign-in with a passkey that begins: 60 a minute from one network. */
  passkeys(address: string): Promise<void>;
  /** A code that is sent: 30 an hour from one network. */
  code(address: string): Promise<void>;
  /** A way to a provider that begins: 60 a minute from one network. */
  provider(address: string): Promise<void>;
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
  const codes = limit('code_network', 30, 60 * 60, 'Too many codes from this address.');
  const providers = limit('provider_network', 60, 60, 'Too many sign-ins from this address.');
  const factors = limit('second_factor', 10, 15 * 60, 'Too many second factors for this account.');
  const passkeys = limit('passkeys_network', 60, 60, 'Too many sign-ins from this address.');
  return {
    secondFactor: factors,
    passkeys: (address) => passkeys(clientNetwork(address)),
    mail: async (kind, address, emailKey) => {
      const network = { name: 'mail_network', points: 10, seconds: 60 * 60 };
      const mailbox = { name: `mail_to_${kind}`, points: 3, seconds: 60 * 60 };
      // Both count, so that what one of them takes says nothing about the other.
      const waits = [
        await counters.count(network, clientNetwork(address)),
        await counters.count(mailbox, tokenHash(emailKey)),
      ];
      return waits.every((wait) => wait === 0);
    },
    code: (address) => codes(clientNetwork(address)),
    provider: (address) => providers(clientNetwork(address)),
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
  mail: async () => true,
  code: allowed,
  provider: allowed,
  secondFactor: allowed,
  passkeys: allowed,
};
