import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../errors/problem.ts';
import { clientNetwork } from './client-network.ts';

/** How often secrets may be tried. Each call counts one try, whether it succeeds or not, and throws 429 when there were too many. */
export interface SignInLimits {
  /** An attempt to sign in: 20 a minute from one network, 10 a minute to one account (or to an address that has none). */
  signIn(address: string, emailKey: string): Promise<void>;
  /** A password asked for again of someone who is signed in: counts with the attempts to sign in to the account. */
  confirmation(emailKey: string): Promise<void>;
  /** 20 an hour from one network. */
  registration(address: string): Promise<void>;
}

/**
 * Limits kept in this process. An account's limit is short, so that a stranger who fails on purpose cannot lock its
 * owner out for long, and still leaves a guesser 14,400 tries a day.
 */
export function createSignInLimits(): SignInLimits {
  const byNetwork = limiter(20, 60, 'Too many sign-ins from this address.');
  const byAccount = limiter(10, 60, 'Too many sign-ins to this account.');
  const registrations = limiter(20, 60 * 60, 'Too many registrations from this address.');
  return {
    signIn: async (address, emailKey) => {
      await byNetwork(clientNetwork(address));
      await byAccount(emailKey);
    },
    confirmation: byAccount,
    registration: (address) => registrations(clientNetwork(address)),
  };
}

const allowed = async (): Promise<void> => undefined;

/** For RECTO_RATE_LIMIT=off. */
export const noSignInLimits: SignInLimits = { signIn: allowed, confirmation: allowed, registration: allowed };

/**
 * Counters at most, for each limit; some 30 MB when all are in use. Keys share a counter by a hash whose seed nobody
 * outside knows: memory stays bounded, and a flood of new keys cannot push a counter out and so start it anew.
 */
const counters = 1n << 17n;

function limiter(points: number, seconds: number, detail: string): (key: string) => Promise<void> {
  const memory = new RateLimiterMemory({ points, duration: seconds });
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  return async (key) => {
    try {
      await memory.consume(String(Bun.hash.wyhash(key, seed) % counters));
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw tooMany(`${detail} Try again later.`, refused.msBeforeNext / 1000);
      throw refused;
    }
  };
}
