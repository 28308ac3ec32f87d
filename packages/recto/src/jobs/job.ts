import type { JsonValue } from '../values/value-kind.ts';

/** `queued`: runs when `runAt` has come. The last three are final, unless the job is retried. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** How far a job is. */
export interface JobProgress {
  readonly done: number;
  /** Null: not known. */
  readonly total: number | null;
}

/** A job as it is stored. Times are milliseconds since 1970. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  /** Only one job with this key is queued or running at a time. */
  readonly key: string | null;
  readonly payload: JsonValue;
  /** Of those that are due, the highest goes first. */
  readonly priority: number;
  readonly runAt: number;
  /** How often it was begun since it was queued. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** The runner that has it; null while it does not run. */
  readonly owner: string | null;
  /** When its runner last confirmed that it works on it. */
  readonly heartbeatAt: number | null;
  readonly progress: JobProgress | null;
  /** What an earlier attempt left for the next one. */
  readonly checkpoint: JsonValue;
  readonly result: JsonValue;
  /** Why the last attempt failed, in a sentence that its maker may read. */
  readonly error: string | null;
  /** The account or API token that asked for it; null: the service itself. */
  readonly createdBy: string | null;
  readonly tenant: string | null;
  readonly createdAt: number;
  /** Of the last attempt. */
  readonly startedAt: number | null;
  /** When it reached a final state. */
  readonly finishedAt: number | null;
}
