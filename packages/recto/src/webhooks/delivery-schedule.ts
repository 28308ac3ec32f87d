import { jittered } from '../jobs/backoff.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long the next attempt waits after the first, second … has failed: over three days in all. */
export const retryDelays: readonly number[] = [
  ...[5 * second, minute, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/** When to try again after so many failed attempts; null: no more. A receiver that asks for more time gets it. */
export function nextAttempt(attempts: number, retryAfterMs: number | null, now: number): number | null {
  const delay = retryDelays[attempts - 1];
  return delay === undefined ? null : now + Math.max(jittered(delay), retryAfterMs ?? 0);
}
