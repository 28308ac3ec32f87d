import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Database } from '../database/database.ts';
import type { JobKind } from './job-kind.ts';
import { JobRun } from './job-run.ts';
import { JobStatements } from './job-statements.ts';
import { jobOf, jobsGeneration } from './job-store.ts';
import type { Jobs } from './jobs.ts';
import type { JobRow } from './jobs-table.ts';
import { ObservedLeases } from './observed-leases.ts';
import { isPeriodicKey, PeriodicJobs } from './periodic-jobs.ts';

export interface JobRunnerOptions {
  readonly database: Database;
  readonly jobs: Jobs;
  /** The kinds that this process runs at the moment; the same array as long as they are the same. */
  readonly kinds: () => MaybePromise<readonly JobKind[]>;
  readonly log: Logger;
  /** How long a job stays with a process that no longer renews its lease, in milliseconds. Default 30,000. */
  readonly leaseMs?: number;
}

/** The longest sleep in milliseconds: other processes enqueue jobs as well. */
const pollMs = 1_000;
/** The time until the first look, and the least between two looks that commits cause. */
const commitLookMs = 50;
/** The shortest sleep: what is due may be claimed by another process at this moment. */
const leastPauseMs = 5;
/** How long a stop waits for runs to end, in milliseconds. */
const drainMs = 3_000;
/** How many due jobs one look reads. */
const slice = 100;

/** Runs the jobs of a database in one process. Any number of processes and machines may run one each. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #statements: JobStatements;
  readonly #periodic: PeriodicJobs;
  readonly #leases: ObservedLeases;
  readonly #leaseMs: number;
  readonly #owner = newId();
  readonly #runs = new Map<string, JobRun>();
  readonly #ending = new AbortController();
  #timer: Timer | undefined;
  #renewing: Timer | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #hinted: Timer | undefined;
  #ignoreCommits: (() => void) | undefined;
  /** What was known of the database after the last look. */
  #generation = Number.NaN;
  #nextRunAt = 0;
  #watchedAt = Number.NEGATIVE_INFINITY;
  #isStarted = false;
  #isFailing = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#statements = new JobStatements(options.database.dialect);
    this.#periodic = new PeriodicJobs(options.database, () => this.#expectDue());
    this.#leaseMs = options.leaseMs ?? 30_000;
    this.#leases = new ObservedLeases(this.#leaseMs);
  }

  start(): void {
    this.#isStarted = true;
    this.#ignoreCommits = this.#options.database.onCommit(() => this.#hint());
    // Those who wait for the service to start are answered first.
    this.#hint();
  }

  /** Runs everything that is due, and what that enqueues, to its end. */
  async settle(): Promise<void> {
    do {
      // A look under way of a runner that is started may have claimed a job and not run it yet.
      await this.#looking;
      this.#forget();
      await this.#look();
      await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
      this.#forget();
      await this.#look();
    } while (this.#runs.size > 0 || this.#looking !== undefined);
  }

  /** Aborts what runs and waits for it, 3 seconds at most; what has not ended by then runs again after its lease. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#ignoreCommits?.();
    clearTimeout(this.#timer);
    clearTimeout(this.#hinted);
    await this.#looking;
    for (const run of this.#runs.values()) run.abort('stop');
    const timeUp = Promise.withResolvers<void>();
    const timer = setTimeout(timeUp.resolve, drainMs);
    await Promise.race([Promise.all([...this.#runs.values()].map(({ ended }) => ended)), timeUp.promise]);
    clearTimeout(timer);
    clearInterval(this.#renewing);
  }

  /** Something is committed, which may be a job or require one. */
  #hint(): void {
    this.#hinted ??= setTimeout(() => {
      this.#hinted = undefined;
      this.#wake();
    }, commitLookMs);
  }

  #wake(): void {
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    if (this.#looking !== undefined) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#lookAgain) this.#wake();
      else this.#sleep();
    });
    this.#lookAgain = false;
  }

  #sleep(): void {
    clearTimeout(this.#timer);
    if (this.#ending.signal.aborted || !this.#isStarted) return;
    const pauseMs = Math.max(leastPauseMs, Math.min(pollMs, this.#nextRunAt - this.#options.jobs.now()));
    // Where a look fails, the time that has come must not make the process look without a pause.
    this.#timer = setTimeout(() => this.#wake(), this.#isFailing ? pollMs : pauseMs);
  }

  /** What is known of the database may be out of date. */
  #forget(): void {
    this.#expectDue();
    this.#periodic.forget();
  }

  /** The next look reads what is due. */
  #expectDue(): void {
    this.#generation = Number.NaN;
  }

  async #look(): Promise<void> {
    const { database, jobs, log } = this.#options;
    try {
      const kinds = await this.#options.kinds();
      await database.generations.refresh();
      const generation = database.generations.of(jobsGeneration);
      await this.#periodic.sync(kinds, (kind) => this.#countOf(kind) > 0, jobs.now());
      const isWatching = performance.now() - this.#watchedAt >= this.#leaseMs / 3;
      if (isWatching) await this.#watch();
      if (isWatching || generation !== this.#generation || this.#nextRunAt <= jobs.now()) {
        if (generation !== this.#generation && this.#runs.size > 0) await this.#renew();
        await this.#begin(kinds);
        this.#generation = generation;
      }
      this.#isFailing = false;
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      if (!this.#isFailing) log.warn({ err: error }, 'the jobs cannot be read; it is tried again');
      this.#isFailing = true;
    }
  }

  /** Claims due jobs as far as there is room for their kinds, and runs them. */
  async #begin(kinds: readonly JobKind[]): Promise<void> {
    const { database, jobs } = this.#options;
    const free = new Map(kinds.map((kind) => [kind.name, this.#roomFor(kind)]));
    const names = kinds.map(({ name }) => name).filter((name) => (free.get(name) ?? 0) > 0);
    if (names.length === 0) {
      this.#nextRunAt = Number.POSITIVE_INFINITY;
      return;
    }
    const due = await database.rows<{ id: string; kind: string }>(this.#statements.due(names, jobs.now(), slice));
    const chosen = due.filter(({ kind }) => {
      const left = free.get(kind) ?? 0;
      free.set(kind, left - 1);
      return left > 0;
    });
    for (const row of await this.#claim(chosen.map(({ id }) => id))) this.#run(row, kinds);
    const roomy = kinds.filter((kind) => this.#roomFor(kind) > 0).map(({ name }) => name);
    this.#nextRunAt = await this.#next(roomy);
  }

  async #claim(ids: readonly string[]): Promise<readonly JobRow[]> {
    if (ids.length === 0) return [];
    const { database, jobs } = this.#options;
    return database.transaction(async (transaction) => {
      const claimed: JobRow[] = [];
      for (const id of ids) {
        const row = await transaction.first<JobRow>(this.#statements.claim(id, this.#owner, jobs.now()));
        if (row !== undefined) claimed.push(row);
      }
      return claimed;
    });
  }

  /** When the next job of these kinds is due. */
  async #next(kinds: readonly string[]): Promise<number> {
    if (kinds.length === 0) return Number.POSITIVE_INFINITY;
    const row = await this.#options.database.first<{ at: number | null }>(this.#statements.nextRunAt(kinds));
    return row?.at === null || row === undefined ? Number.POSITIVE_INFINITY : Number(row.at);
  }

  #run(row: JobRow, kinds: readonly JobKind[]): void {
    const { database, jobs, log } = this.#options;
    const kind = kinds.find(({ name }) => name === row.kind);
    if (kind === undefined) throw new Error(`A job of the unknown kind ${row.kind} was claimed.`);
    const run = new JobRun(jobOf(row), { kind, owner: this.#owner, database, log, now: jobs.now });
    this.#runs.set(row.id, run);
    this.#renewing ??= setInterval(() => void this.#renewSafely(), this.#leaseMs / 3);
    void run.ended.finally(() => {
      this.#runs.delete(row.id);
      if (this.#runs.size === 0) {
        clearInterval(this.#renewing);
        this.#renewing = undefined;
      }
      this.#forget();
      if (this.#isStarted) this.#wake();
    });
  }

  /** Renews the leases of all runs, and aborts those that have lost theirs. */
  async #renew(): Promise<void> {
    const { database, jobs } = this.#options;
    const before = [...this.#runs.values()];
    const rows = await database.transaction(async (transaction) =>
      transaction.rows<{ id: string }>(this.#statements.renew(this.#owner, jobs.now())),
    );
    const kept = new Set(rows.map(({ id }) => id));
    for (const run of before) if (!kept.has(run.id)) run.abort('lost');
  }

  async #renewSafely(): Promise<void> {
    try {
      await this.#renew();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the leases of jobs cannot be renewed; it is tried again');
    }
  }

  /** Takes over what processes have left behind that died. */
  async #watch(): Promise<void> {
    const { database, jobs, log } = this.#options;
    const rows = await database.rows<JobRow>(this.#statements.running());
    const others = rows.flatMap((row) =>
      row.owner === null || row.heartbeat_at === null || row.owner === this.#owner
        ? []
        : [{ ...row, owner: row.owner, heartbeatAt: Number(row.heartbeat_at) }],
    );
    for (const job of this.#leases.ended(others, performance.now())) {
      const isLast = job.attempts >= job.max_attempts && !isPeriodicKey(job.key);
      const now = jobs.now();
      const statement = isLast
        ? this.#statements.giveUp(job, job.heartbeatAt, now, 'The process that ran it ended.')
        : this.#statements.takeOver(job, job.heartbeatAt, now);
      const taken = await database.transaction(async (transaction) => transaction.run(statement));
      if (taken > 0) log.warn({ job: job.id, attempts: job.attempts, failed: isLast }, 'a job was left by its process');
    }
    this.#watchedAt = performance.now();
  }

  #roomFor({ name, concurrency = 1 }: JobKind): number {
    return concurrency - this.#countOf(name);
  }

  #countOf(kind: string): number {
    let count = 0;
    for (const run of this.#runs.values()) if (run.kind === kind) count += 1;
    return count;
  }
}
