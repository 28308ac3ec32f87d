import type { RateLimiterMemory } from 'rate-limiter-flexible';

/** How many calls are allowed for one key. */
export interface Allowance {
  /** Calls are counted under this name; it is the same in every process. */
  readonly name: string;
  /** So many calls … */
  readonly points: number;
  /** … in so many seconds. */
  readonly seconds: number;
}

/** Counts calls by key. */
export interface RateCounters {
  /** Counts one call. Resolves with the milliseconds after which another one is allowed when this one is not, else with 0. */
  count(allowance: Allowance, key: string): Promise<number>;
}

/**
 * Counters at most, for each allowance; some 30 MB when all are in use. Keys share a counter by a hash whose seed nobody
 * outside knows: memory stays bounded, and a flood of new keys cannot push a counter out and so start it anew.
 */
const counters = 1n << 17n;

/** Counters in this process's memory. */
export function memoryCounters(): RateCounters {
  const limiters = new Map<string, RateLimiterMemory>();
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  return {
    async count({ name, points, seconds }, key) {
      // All of its stores come with it, and a start needs none.
      const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible');
      let limiter = limiters.get(name);
      if (limiter === undefined) {
        limiter = new RateLimiterMemory({ points, duration: seconds, keyPrefix: name });
        limiters.set(name, limiter);
      }
      try {
        await limiter.consume(String(Bun.hash.wyhash(key, seed) % counters));
        return 0;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext);
        throw refused;
      }
    },
  };
}
