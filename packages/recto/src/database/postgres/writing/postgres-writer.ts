import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ReservedSQL, SQL } from 'bun';
import type { Observe, Query, Transaction } from '../../database.ts';
import { outageProblem, shuttingDown } from '../../outage-problem.ts';
import type { Client } from '../postgres-client.ts';
import { failureOf } from '../postgres-failure.ts';
import { postgresFault } from '../postgres-fault.ts';
import { CommitMarks } from './commit-marks.ts';
import { JobDraw } from './job-draw.ts';
import { type BatchResult, PostgresBatch } from './postgres-batch.ts';
import { type Undone, WriteJob } from './write-job.ts';

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
  /** Called for each commit with the names it changed and how many transactions it made durable, before their callers are. */
  readonly onCommit: (names: ReadonlySet<string>, transactions: number) => void;
  /** Called for each commit whose outcome is unknown, before its callers are answered. */
  readonly onOutcomeUnknown: (names: ReadonlySet<string>) => void;
}

/** How long a transaction waits for those of this process that are before it. */
const queueMs = 30_000;

/** As many at once as do not meet: while one waits for the disk, the next one runs. */
const mostLanes = 2;

/** For how long transactions run one after the other when two have met, and have savepoints when one has failed; in milliseconds. */
const calmMs = 1_000;

/** When nothing has got on for so long, in milliseconds, those that wait are served on another connection. */
const stuckMs = 50;

/**
 * All writing of this process. Transactions are SERIALIZABLE, so that each behaves as if it had the database to itself: what
 * it has looked at (no such slug, no circle, this `lock_version`) is still so when it commits, without a lock for each case.
 *
 * Transactions that wait at the same moment share one of the database's, and so one flush of the disk and one mark for the
 * others. One that throws fails alone: after the first, all have a savepoint of their own for a while. Writes are
 * acknowledged after the commit. Two run at once, or one where two have met; more, where none of those gets on.
 *
 * One that met another is undone by the server and run again, then alone: every transaction holds `recto_writers` in a
 * mode that admits the others, the one that runs again in a mode that does not. So the second run gets through. It needs
 * no more than one snapshot: nothing of this service runs beside it, and a SERIALIZABLE one would be undone again and again
 * while any transaction on the server is long, for of those that came after that one the server keeps a summary alone
 * (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE).
 *
 * A connection lost before COMMIT is sent has changed nothing, and the work runs again on another one. When it is lost
 * while COMMIT is not answered, the database is asked what became of the transaction, which leaves a mark behind.
 */
export class PostgresWriter {
  readonly marks: CommitMarks;
  readonly #options: PostgresWriterOptions;
  readonly #queue: WriteJob[] = [];
  readonly #running = new Set<Promise<unknown>>();
  /** How many connections carry transactions. */
  #lanes = 0;
  #progressAt = 0;
  /** Until when there is one lane, since those of several have met. */
  #calmUntil = 0;
  /** Until when each has a savepoint of its own, since one has failed. */
  #savepointsUntil = 0;
  #watch: Timer | undefined;
  #closing = false;

  constructor(options: PostgresWriterOptions) {
    this.#options = options;
    this.marks = new CommitMarks(options.ask, options.busyTimeoutMs);
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

  /** Resolves when all that runs is done; what comes later is rejected. */
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
      if (this.#queue.length === 0) break;
      await this.#serveSome();
    }
    this.#lanes -= 1;
  }

  /** Runs some of those that wait. Afterwards each is done, has failed, or is back in the queue. */
  async #serveSome(): Promise<void> {
    const { committed, undone, outcomeUnknown, retryAlone, taken } = await this.#attempt();
    if (committed !== undefined) {
      this.#options.onCommit(committed.names, committed.replies.length);
      for (const reply of committed.replies) reply();
    }
    if (outcomeUnknown !== undefined) {
      this.marks.disown();
      this.#options.onOutcomeUnknown(outcomeUnknown);
    }
    if (undone !== undefined && hasMet(undone)) this.#calmUntil = performance.now() + calmMs;
    if (undone?.failure === 'rejection') this.#savepointsUntil = performance.now() + calmMs;
    const again = undone === undefined ? [] : taken.filter((job) => !retryAlone.includes(job) && job.runsAgain(undone));
    this.#queue.unshift(...retryAlone, ...again);
    this.#progressed();
    if (again.some((job) => job.isContended)) await pause(Math.random() * 20);
  }

  async #attempt(): Promise<BatchResult & { readonly taken: readonly WriteJob[] }> {
    let connection: ReservedSQL;
    try {
      connection = await this.#reserve();
    } catch (error) {
      const { taken } = takeAll(new JobDraw(this.#queue));
      return { ...nothing, undone: { error, failure: failureOf(error) }, taken };
    }
    try {
      // Others may have taken all that waited.
      if (this.#queue.length === 0) return { ...nothing, taken: [] };
      const draw = new JobDraw(this.#queue);
      const savepoints = draw.usesSavepoint || performance.now() < this.#savepointsUntil;
      const onProgress = () => this.#progressed();
      const batch = new PostgresBatch({ ...this.#options, connection, marks: this.marks, onProgress });
      return { ...(await batch.run(draw, savepoints)), taken: draw.taken };
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

const nothing: BatchResult = { committed: undefined, undone: undefined, outcomeUnknown: undefined, retryAlone: [] };

/** Whether it was undone for another transaction, or waited for one in vain. */
const hasMet = ({ error, failure }: Undone): boolean => failure === 'conflict' || postgresFault(error)?.kind === 'busy';

function takeAll(draw: JobDraw): JobDraw {
  while (draw.next() !== undefined);
  return draw;
}
