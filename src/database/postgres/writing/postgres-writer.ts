import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ReservedSQL, SQL } from 'bun';
import type { Observe, Query, Transaction } from '../../database.ts';
import { outageProblem, shuttingDown } from '../../outage-problem.ts';
import type { Client } from '../postgres-client.ts';
import { failureOf } from '../postgres-failure.ts';
import { CommitMarks } from './commit-marks.ts';
import { type BatchResult, PostgresBatch } from './postgres-batch.ts';
import { WriteJob } from './write-job.ts';

export interface PostgresWriterOptions {
  /** Its connections carry one transaction each at a time. */
  readonly pool: SQL;
  readonly connections: number;
  /** Asks the database outside of any transaction. */
  readonly ask: Client;
  /** How long a transaction that has a connection waits for locks, and for others in its way. */
  readonly busyTimeoutMs: number;
  readonly observe: Observe | undefined;
  /** The last statements of a transaction that changed these names, which keep that. */
  readonly keep: (names: ReadonlySet<string>) => readonly Query[];
  /** The last statements of a commit that changed these names, which tell others of it. */
  readonly announce: (names: ReadonlySet<string>) => readonly Query[];
  /** Told of each commit, the names it changed and how many transactions it made durable, before their callers are. */
  readonly onCommit: (names: ReadonlySet<string>, transactions: number) => void;
}

/** How long a transaction waits for those of this process that are before it. */
const queueMs = 30_000;

/**
 * Transactions that share one commit at most. The server keeps the numbers of 64 savepoints of a session at hand, and looks
 * those up that are more (https://www.postgresql.org/docs/current/subxacts.html).
 */
const batchLimit = 60;

/** As many at once as do not meet: while one waits for the disk, the next one runs. */
const mostLanes = 2;

/** For how long transactions run one after the other when two have met, and have savepoints when one was refused; in milliseconds. */
const calmMs = 1_000;

/** When nothing has got on for so long, in milliseconds, those that wait are served on another connection. */
const stuckMs = 50;

/**
 * All writing of this process. Transactions are SERIALIZABLE, so that each behaves as if it had the database to itself: what
 * it has looked at (no such slug, no circle, this `lock_version`) is still so when it commits, without a lock for each case.
 *
 * Transactions that wait at the same moment share one of the database's, and so one flush of the disk and one message to the
 * others. One that is refused fails alone: after the first, all have a savepoint of their own for a while. Nobody is told
 * anything before the commit. Two run at once, or one where two have met; more, where none of those gets on.
 *
 * One that met another is undone by the server and run again, then alone: every transaction holds `recto_writers` in a
 * mode that admits the others, the one that runs again in a mode that does not. So the second run gets through.
 *
 * A connection lost before COMMIT is sent has changed nothing, and the work runs again on another one. When it is lost
 * while COMMIT is not answered, the database is asked what became of the transaction, which leaves a mark behind.
 */
export class PostgresWriter {
  readonly #options: PostgresWriterOptions;
  readonly #marks: CommitMarks;
  readonly #queue: WriteJob[] = [];
  readonly #running = new Set<Promise<unknown>>();
  /** How many connections carry transactions. */
  #lanes = 0;
  #progressAt = 0;
  /** Until when there is one lane, since those of several have met. */
  #calmUntil = 0;
  /** Until when each has a savepoint of its own, since one was refused. */
  #savepointsUntil = 0;
  #watch: Timer | undefined;
  #closing = false;

  constructor(options: PostgresWriterOptions) {
    this.#options = options;
    this.#marks = new CommitMarks(options.ask, options.busyTimeoutMs);
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(shuttingDown());
    const { connections, busyTimeoutMs } = this.#options;
    const running = new Promise<T>((resolve, reject) => {
      const run = async (transaction: Transaction) => {
        const value = await work(transaction);
        return () => resolve(value);
      };
      this.#queue.push(new WriteJob({ work: run, reject, connections, busyTimeoutMs }));
    });
    this.#running.add(running);
    const ended = () => this.#running.delete(running);
    running.then(ended, ended);
    this.#serve();
    return running;
  }

  /** Resolves when all that runs is done; what comes later is refused. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#running);
  }

  #serve(): void {
    if (this.#lanes < this.#allowedLanes()) void this.#openLane();
    else if (this.#watch === undefined) this.#watch = setTimeout(() => this.#lookAfter(), stuckMs);
  }

  #allowedLanes(): number {
    return performance.now() < this.#calmUntil ? 1 : Math.min(mostLanes, this.#options.connections);
  }

  /** While some wait: sees to it that they do not wait for one that is stuck, nor for ever. */
  #lookAfter(): void {
    this.#watch = undefined;
    const now = performance.now();
    while (this.#queue[0] !== undefined && now - this.#queue[0].queuedAt > queueMs) {
      this.#queue.shift()?.reject(outageProblem({ kind: 'busy' }, undefined));
    }
    if (this.#queue.length === 0) return;
    if (this.#lanes < this.#options.connections && now - this.#progressAt > stuckMs) void this.#openLane();
    this.#watch = setTimeout(() => this.#lookAfter(), stuckMs);
  }

  /** Serves what waits until nothing does. */
  async #openLane(): Promise<void> {
    this.#lanes += 1;
    this.#progressed();
    for (;;) {
      // Requests that arrived together all get to queue before the first one begins.
      await nextTurn();
      const jobs = this.#take();
      if (jobs.length === 0) break;
      await this.#finish(jobs);
    }
    this.#lanes -= 1;
  }

  /** Those that can share the next commit. */
  #take(): readonly WriteJob[] {
    if (this.#queue[0]?.solo === true) return this.#queue.splice(0, 1);
    const alone = this.#queue.findIndex(({ solo }) => solo);
    return this.#queue.splice(0, Math.min(batchLimit, alone === -1 ? batchLimit : alone));
  }

  /** Runs jobs until each is done, refused, or back in the queue. */
  async #finish(jobs: readonly WriteJob[]): Promise<void> {
    let left = jobs;
    let refused = false;
    while (left.length > 0) {
      const { committed, undone, aside } = await this.#attempt(left, refused);
      refused ||= undone?.failure === 'refusal';
      if (undone?.failure === 'conflict') this.#calmUntil = performance.now() + calmMs;
      if (refused) this.#savepointsUntil = performance.now() + calmMs;
      if (committed !== undefined) {
        this.#options.onCommit(committed.names, committed.replies.length);
        for (const reply of committed.replies) reply();
      }
      this.#queue.unshift(...aside);
      const others = left.filter((job) => !aside.includes(job));
      left = undone === undefined ? [] : this.#together(others.filter((job) => job.runsAgain(undone)));
      this.#progressed();
      if (left.some((job) => job.isContended)) await pause(Math.random() * 20);
    }
  }

  /** Those that can go on sharing; the others wait for their turn. */
  #together(jobs: readonly WriteJob[]): readonly WriteJob[] {
    if (jobs.length <= 1) return jobs;
    this.#queue.unshift(...jobs.filter(({ solo }) => solo));
    return jobs.filter(({ solo }) => !solo);
  }

  async #attempt(jobs: readonly WriteJob[], refused: boolean): Promise<BatchResult> {
    let connection: ReservedSQL;
    try {
      connection = await this.#reserve();
    } catch (error) {
      return { committed: undefined, undone: { error, failure: failureOf(error) }, aside: [] };
    }
    for (const job of jobs) job.begun();
    try {
      const onProgress = () => this.#progressed();
      const batch = new PostgresBatch({ ...this.#options, connection, marks: this.#marks, onProgress });
      const company = jobs.some((job) => job.company === 'alone') ? 'alone' : 'among others';
      return await batch.run(jobs, company, refused || performance.now() < this.#savepointsUntil);
    } finally {
      // One that is still within a transaction, or lost, is closed and not given to anyone else.
      connection.release();
    }
  }

  async #reserve(): Promise<ReservedSQL> {
    const signal = AbortSignal.timeout(queueMs);
    try {
      return await this.#options.pool.reserve({ signal });
    } catch (error) {
      if (signal.aborted) throw outageProblem({ kind: 'busy' }, error);
      throw error;
    }
  }

  #progressed(): void {
    this.#progressAt = performance.now();
  }
}
