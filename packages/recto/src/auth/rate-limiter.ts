import { tooMany } from '../base/problem.ts';
import type { Allowance, RateCounters } from './rate-counters.ts';

/** Counts one call for a key; throws 429 when there were too many. */
export type RateLimiter = (key: string) => Promise<void>;

/** Limits the calls for each key; further calls throw 429 with `detail`. */
export function rateLimiter(counters: RateCounters, allowance: Allowance & { readonly detail: string }): RateLimiter {
  const { detail, ...counted } = allowance;
  return async (key) => {
    const wait = await counters.count(counted, key);
    if (wait > 0) throw tooMany(`${detail} Try again later.`, wait / 1000);
  };
}
