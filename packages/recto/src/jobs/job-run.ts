import type { Logger } from '../base/logger.ts';
import { Problem } from '../base/problem.ts';
import type { Database, Transaction } from '../database/database.ts';
import { backoff } from './backoff.ts';
import type { Job } from './job.ts';
import { JobDelayed, type JobEnd, type JobKind, JobRejected, type JobWork } from './job-kind.ts';
import { betweenRunsMs, type Claim, JobStatements, type Release } from './job-statements.ts';
import { progressText } from './job-store.ts';
import { nextTime, regularTime } from './periodic-jobs.ts';

export interface JobRunOptions {
  readonly kind: JobKind;
  readonly owner: string;
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}

/** Between tries to store how a run ended, in milliseconds. */
const storePauseMs = 500;
/** As often as fits into a lease. */
const storeTries = 40;

/** One run of a claimed job. */
export class JobRun {
  readonly id: string;
  readonly kind: string;
  /** Resolves when the run has ended and that is stored. Never rejects. */
  readonly ended: Promise<void>;
  readonly #job: Job;
  readonly #options: JobRunOptions;
  readonly #claim: Claim;
  readonly #statements: JobStatements;
  readonly #ending = new AbortController();
  #aborted: 'stop' | 'lost' | undefined;

  constructor(job: Job, options: JobRunOptions) {
    this.id = job.id;
    this.kind = job.kind;
    this.#job = job;
    this.#options = options;
    this.#claim = { id: job.id, owner: options.owner, attempts: job.attempts };
    this.#statements = new JobStatements(options.database.dialect);
    this.ended = this.#run();
  }

  /** `stop`: the service stops. `lost`: the job was cancelled, or another process has it. */
  abort(reason: 'stop' | 'lost'): void {
    this.#aborted ??= reason;
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    const release = await this.#outcome();
    for (let tries = 0; tries < storeTries; tries++) {
      try {
        await this.#store(release);
        return;
      } catch (error) {
        if (tries === 0)
          log.warn({ ...this.#fields, err: error }, 'the end of a job cannot be stored; it is tried again');
        if (this.#aborted !== undefined) return;
        await Bun.sleep(storePauseMs);
      }
    }
  }

  async #store(release: Release): Promise<void> {
    const { database, log, now } = this.#options;
    const stored = await database.transaction(async (transaction) =>
      transaction.run(this.#statements.release(this.#claim, release, now())),
    );
    if (stored === 0) log.debug(this.#fields, 'a job that was cancelled or taken over has ended');
  }

  async #outcome(): Promise<Release> {
    const { kind, log } = this.#options;
    try {
      const end = await kind.run(this.#work());
      return await this.#completed(end ?? {});
    } catch (error) {
      if (this.#aborted !== undefined) return this.#again();
      const message = messageOf(error);
      const { attempts, maxAttempts } = this.#job;
      const isFinal = kind.schedule === undefined && (error instanceof JobRejected || attempts >= maxAttempts);
      // A kind that rejects its work has decided so; the job says why.
      if (error instanceof JobRejected) log.warn({ ...this.#fields, err: error }, 'a job was rejected');
      else if (isFinal || attempts >= maxAttempts) log.error({ ...this.#fields, err: error }, 'a job failed');
      else log.warn({ ...this.#fields, err: error }, 'a job failed; it runs again');
      return this.#failed(message, isFinal);
    }
  }

  async #completed({ result, againAt }: JobEnd): Promise<Release> {
    const { kind, now } = this.#options;
    const text = result === undefined ? null : JSON.stringify(result);
    const next =
      kind.schedule === undefined ? againAt : Math.max(now() + betweenRunsMs, await nextTime(kind.schedule, now()));
    if (next === undefined) return { state: 'done', result: text };
    return {
      state: 'queued',
      runAt: Math.round(Math.min(next, againAt ?? next)),
      attempts: 0,
      error: null,
      result: text,
    };
  }

  #failed(error: string, isFinal: boolean): Release {
    const { kind, now } = this.#options;
    const { attempts } = this.#job;
    if (isFinal) return { state: 'failed', error };
    const again = now() + Math.round((kind.retryAfter ?? backoff)(attempts));
    // One with a schedule is never given up, and its next time is the latest.
    const runAt = kind.schedule === undefined ? again : Math.min(again, regularTime(kind.schedule.cron, now()));
    return { state: 'queued', runAt, attempts, error, result: null };
  }

  /** As before this run. */
  #again(): Release {
    const { attempts, error } = this.#job;
    return { state: 'queued', runAt: this.#options.now(), attempts: Math.max(0, attempts - 1), error, result: null };
  }

  #work(): JobWork {
    const { id, payload, attempts: attempt, createdBy, tenant, checkpoint } = this.#job;
    const { now } = this.#options;
    return {
      ...{ id, payload, attempt, createdBy, tenant, checkpoint, now },
      signal: this.#ending.signal,
      progress: async (done, total) => {
        await this.#options.database.transaction((transaction) =>
          this.#keep(transaction, progressText({ done, total: total ?? null }), undefined),
        );
      },
      keep: (transaction, { progress, checkpoint: kept }) =>
        this.#keep(transaction, progress === undefined ? null : progressText(progress), JSON.stringify(kept)),
    };
  }

  async #keep(transaction: Transaction, progress: string | null, checkpoint: string | undefined): Promise<void> {
    if ((await transaction.run(this.#statements.keep(this.#claim, progress, checkpoint))) === 1) return;
    throw new Error('The job does not belong to this run any more.');
  }

  get #fields() {
    const { id, kind, attempts } = this.#job;
    return { job: id, kind, attempt: attempts };
  }
}

/** What whoever made the job may read. */
const messageOf = (error: unknown): string =>
  error instanceof Problem || error instanceof JobRejected || error instanceof JobDelayed
    ? error.message
    : 'An unexpected error; the log has it under the id of the job.';
