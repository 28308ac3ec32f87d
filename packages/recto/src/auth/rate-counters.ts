import type { RateLimiterMemory } from 'rate-limiter-flexible';

/** A rate limit for each key. */
export interface Allowance {
  /** The name of the counters; the same in every process. */
  readonly name: string;
  /** The number of calls … */
  readonly points: number;
  /** … in this many seconds. */
  readonly seconds: number;
}

/** Counts calls by key. */
export interface RateCounters {
  /** Counts one call. Resolves with 0 when it is allowed, otherwise with the milliseconds until the next one is. */
  count(allowance: Allowance, key: string): Promise<number>;
}

/**
 * The number of counters for each limit; about 30 MB when all are in use. Keys are mapped to counters by a hash with a secret
 * seed: memory stays bounded, and a flood of new keys cannot evict a counter and so reset it.
 */
const counters = 1n << 17n;

/** Counters in this process's memory. */
export function memoryCounters(): RateCounters {
  const limiters = new Map<string, RateLimiterMemory>();
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  return {
    async count({ name, points, seconds }, key) {
      // Loaded on demand: the package brings all of its stores, and a start needs none.
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
