import type { Settings } from '../config/settings.ts';

/** What a stop takes beside the requests that run: the answers of its first moment, streams, jobs, the database. */
const besideRequestsMs = 600;
/** After that the process that supervises others sees how they have ended. */
const reportMs = 200;

export interface StopLimits {
  /** After so many milliseconds a worker that is to stop ends itself, whatever it does. */
  readonly workerMs: number;
  /** After so many the process that got the signal does. */
  readonly processMs: number;
}

/** How long a stop may take at most: what running requests are given, and a little. With the default that is within 5 seconds. */
export function stopLimits({ stopTimeoutSecs }: Pick<Settings, 'stopTimeoutSecs'>): StopLimits {
  const workerMs = stopTimeoutSecs * 1_000 + besideRequestsMs;
  return { workerMs, processMs: workerMs + reportMs };
}
