import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../errors/problem.ts';

/** Counts one call for a key; throws 429 when there were too many. */
export type RateLimiter = (key: string) => Promise<void>;

/**
 * Counters at most, for each limit; some 30 MB when all are in use. Keys share a counter by a hash whose seed nobody
 * outside knows: memory stays bounded, and a flood of new keys cannot push a counter out and so start it anew.
 */
const counters = 1n << 17n;

/** At most `points` calls in `seconds` for one key; each more throws 429 with `detail`. Counted in this process. */
export function rateLimiter(points: number, seconds: number, detail: string): RateLimiter {
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
