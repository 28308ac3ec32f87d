const firstMs = 5_000;
const longestMs = 3_600_000;

/** A time between 0.8 and 1.2 of `ms`, so that those who failed together do not come back together. */
export const jittered = (ms: number, random = Math.random): number => Math.round(ms * (0.8 + 0.4 * random()));

/** The pause after so many failed attempts: 5 seconds, doubled each time up to an hour, with jitter. */
export const backoff = (attempts: number, random = Math.random): number =>
  jittered(Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 20)), random);
