import Type, { type Static, type TSchema } from 'typebox';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Transaction } from '../database/database.ts';
import { CompiledSchema } from '../values/compiled-schema.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { JobProgress } from './job.ts';

/** What callers that enqueue a job need to know of its kind. */
export interface JobType<S extends TSchema = TSchema> {
  /** `records.batch`: a module and what is done. Stored with each job, so it stays the same for good. */
  readonly name: string;
  /** What a payload is; checked before each run, because it may have been stored by an earlier version. */
  readonly payload: S;
  /** How often it is begun before it counts as failed. Default 5. */
  readonly attempts?: number;
  /** How long the next attempt waits after this many have failed, in milliseconds. Default: `backoff`. */
  readonly retryAfter?: (attempts: number) => number;
  /** How many of them each process runs at a time. Default 1. */
  readonly concurrency?: number;
}

/** When a kind runs by itself. One process of all runs it. */
export interface Schedule {
  /** A cron expression, in UTC: when it runs at the latest. */
  readonly cron: string;
  /** Its first run is at its first time; default: also as soon as it is known, for what an earlier version left undone. */
  readonly startsAtItsTime?: true;
  /**
   * An earlier time at which stored data requires it, in milliseconds since 1970; null for none. Every process asks about once a
   * second, so it answers from memory while nothing has changed.
   */
  earlier?(now: number): MaybePromise<number | null>;
}

/** How a run ended that did not throw. */
export interface JobEnd {
  /** Shown with the job. */
  readonly result?: JsonValue;
  /** The job is not done: it runs once more then, in milliseconds since 1970. */
  readonly againAt?: number;
}

/** One run of a job. */
export interface JobWork<P = unknown> {
  readonly id: string;
  readonly payload: P;
  /** From 1. */
  readonly attempt: number;
  /** The account or API token that asked for it; null: the service itself. */
  readonly createdBy: string | null;
  readonly tenant: string | null;
  /** What an earlier attempt left with `keep`; null for none. */
  readonly checkpoint: JsonValue;
  /** Aborted when the service stops, the job is cancelled, or another process has taken it over. The run ends soon then. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Shows how far the job is. */
  progress(done: number, total?: number): Promise<void>;
  /**
   * Keeps progress and a checkpoint as part of a transaction: an attempt after a crash begins exactly there. Rejects, and so
   * undoes the transaction, where the job no longer belongs to this run.
   */
  keep(
    transaction: Transaction,
    kept: { readonly progress?: JobProgress; readonly checkpoint: JsonValue },
  ): Promise<void>;
}

/** A kind of background work. What `run` throws is logged, and it runs again later, up to the number of attempts. Nothing runs in a transaction. */
export interface JobKind extends JobType {
  /** Absent: runs only when it is enqueued. A kind with a schedule has the payload `{}`. */
  readonly schedule?: Schedule;
  run(work: JobWork): Promise<JobEnd | undefined>;
}

/** Throw it in a run: the job has failed, and another attempt would not help. Its message is shown to whoever made the job. */
export class JobRejected extends Error {
  override readonly name = 'JobRejected';
}

/** Throw it in a run: another attempt may succeed. Its message is shown to whoever made the job. */
export class JobDelayed extends Error {
  override readonly name = 'JobDelayed';
}

/** A kind whose jobs are enqueued. */
export function jobKind<S extends TSchema>(
  type: JobType<S>,
  run: (work: JobWork<Static<S>>) => Promise<JobEnd | undefined>,
): JobKind {
  const schema = CompiledSchema.of(type.payload);
  const isPayload = (payload: unknown): payload is Static<S> => schema.faults(payload).length === 0;
  return {
    ...type,
    run: async (work) => {
      const { payload } = work;
      if (!isPayload(payload)) throw new JobRejected(`The payload is not one of the kind ${type.name}.`);
      return run({ ...work, payload });
    },
  };
}

/** A kind that runs by itself, at the times of its schedule. */
export const periodicJob = (
  name: string,
  schedule: Schedule,
  run: (work: JobWork) => Promise<JobEnd | undefined>,
): JobKind => ({ name, payload: Type.Object({}), schedule, run });
