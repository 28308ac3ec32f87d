import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../errors/problem.ts';
import type { Eventually, Query, Transaction } from '../database.ts';
import { shuttingDown, storageFailed } from '../outage-problem.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { bumpGenerations } from './sqlite-generations.ts';
import type { SharedState } from './sqlite-shared-state.ts';
import type { WalCheckpoints } from './wal-checkpoints.ts';
import type { WalFile } from './wal-file.ts';

export interface SqliteWriterOptions {
  readonly busyTimeoutMs: number;
  /** What COMMIT leaves to be flushed; absent: nothing, it has flushed it. */
  readonly log?: WalFile;
  /** Merges the log when it has grown. */
  readonly checkpoints: WalCheckpoints;
  /** With the other processes that have the file open. */
  readonly shared?: SharedState;
  /** Told after each commit how many transactions it made durable. */
  readonly onCommit?: (transactions: number) => void;
}

/** A transaction that waits for its turn. */
interface Job {
  /** `performance.now()` after which it no longer waits for another process. */
  readonly deadline: number;
  /** Runs the work; what it gives back tells the caller, once the commit is durable. */
  readonly work: (transaction: Transaction) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** A transaction that is committed. */
interface Committed {
  readonly reply: () => void;
  readonly reject: (error: unknown) => void;
}

/** Transactions that share one commit at most, and the milliseconds after which no more are let in, so that the first of them does not wait for long. */
const batchLimit = 256;
const batchMs = 20;

/** Between tries to begin while another process writes, in milliseconds: short, so that a gap between its commits is met. */
const triesEvery = 1;

/**
 * The gap that is left after a commit when another process waits, in milliseconds: long enough for it to try twice. Whoever
 * begins again at once, as its own next writes wait too, would else keep all others out for as long as it has work.
 */
const gap = 2;

/** After so many milliseconds of statements without a break all else that the process does gets its turn. */
const sliceMs = 5;

/**
 * All writing of this process, in the order it was asked for. Transactions that wait at the same moment share one
 * `BEGIN IMMEDIATE … COMMIT`; each has a savepoint of its own and fails alone. Commits that happen during one flush of the
 * disk, which is most of what they cost, share the next. Nobody is told anything before what they wrote is on the disk.
 */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #options: SqliteWriterOptions;
  readonly #queue: Job[] = [];
  #running: Promise<void> | undefined;
  /** Committed, and not known to be on the disk. */
  #unflushed: Committed[] = [];
  #flushing: Promise<void> | undefined;
  readonly #slices = new Slices();
  #closing = false;

  constructor(connection: SqliteConnection, options: SqliteWriterOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(shuttingDown());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        deadline: performance.now() + this.#options.busyTimeoutMs,
        work: async (transaction) => {
          const value = await work(transaction);
          return () => resolve(value);
        },
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when all that was queued is done; what comes later is refused. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#running;
    await this.#flushing;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests that arrived together all get to queue before the first one begins.
      await this.#slices.pause();
      if (!(await this.#begin())) continue;
      await this.#batch();
      if (this.#options.checkpoints.isDue()) await this.#options.checkpoints.run();
      if (this.#queue.length > 0 && this.#options.shared?.othersWait() === true) await pause(gap);
    }
    this.#running = undefined;
  }

  /** Takes the write lock. False when none of the waiting could be served; they have been told. */
  async #begin(): Promise<boolean> {
    for (;;) {
      try {
        if (this.#connection.inTransaction) this.#connection.execute('ROLLBACK');
        this.#connection.execute('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        const busy = error instanceof Problem && error.code === 'database_busy';
        const now = performance.now();
        while (this.#queue[0] !== undefined && (!busy || this.#queue[0].deadline <= now)) {
          this.#queue.shift()?.reject(error);
        }
        if (this.#queue.length === 0) return false;
        this.#options.shared?.waits();
        await pause(triesEvery);
      }
    }
  }

  async #batch(): Promise<void> {
    const jobs: Job[] = [];
    const committed: Committed[] = [];
    const end = performance.now() + batchMs;
    try {
      while (jobs.length < batchLimit && (jobs.length === 0 || performance.now() < end)) {
        const job = this.#queue.shift();
        if (job === undefined) break;
        jobs.push(job);
        committed.push({ reply: await this.#attempt(job), reject: job.reject });
      }
      this.#connection.execute('COMMIT');
    } catch (error) {
      this.#rollBack();
      for (const job of jobs) job.reject(error);
      return;
    }
    this.#options.shared?.committed();
    this.#unflushed.push(...committed);
    this.#flushing ??= this.#flush();
  }

  /** Tells those whose transactions are committed, once they are on the disk; those that commit meanwhile share the next flush. */
  async #flush(): Promise<void> {
    while (this.#unflushed.length > 0) {
      const flushed = this.#unflushed;
      this.#unflushed = [];
      try {
        await this.#options.log?.flush();
      } catch (error) {
        // Nobody knows whether what is committed will last.
        for (const { reject } of flushed) reject(storageFailed(error));
        continue;
      }
      this.#options.onCommit?.(flushed.length);
      for (const { reply } of flushed) reply();
    }
    this.#flushing = undefined;
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.execute('ROLLBACK');
    } catch {
      // The disk fails. The next transaction tries again before it begins, and is told if that fails too.
    }
  }

  /** Runs one transaction inside the batch. Throws only when its failure took the whole batch with it. */
  async #attempt(job: Job): Promise<() => void> {
    const transaction = new SqliteTransaction(this.#connection, this.#slices);
    this.#connection.execute('SAVEPOINT job');
    try {
      const reply = await job.work(transaction);
      transaction.end();
      this.#connection.execute('RELEASE job');
      return reply;
    } catch (error) {
      transaction.abandon();
      // SQLite itself rolls everything back after some faults (https://sqlite.org/lang_transaction.html, section 3).
      if (!this.#connection.inTransaction) throw error;
      this.#connection.execute('ROLLBACK TO job');
      this.#connection.execute('RELEASE job');
      return () => job.reject(error);
    }
  }
}

/** The breaks between pieces of work that hold up all else. */
class Slices {
  #end = 0;

  /** Lets all that waits have its turn. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + sliceMs;
  }

  /** What a piece of work gave: now, or, where it is time for a break, after that. */
  after<T>(value: T): Eventually<T> {
    return performance.now() < this.#end ? value : this.pause().then(() => value);
  }
}

class SqliteTransaction implements Transaction {
  readonly #connection: SqliteConnection;
  readonly #slices: Slices;
  readonly #touched = new Set<string>();
  #isLast = false;
  #ended = false;

  constructor(connection: SqliteConnection, slices: Slices) {
    this.#connection = connection;
    this.#slices = slices;
  }

  rows<Row>(query: Query): Eventually<readonly Row[]> {
    return this.#slices.after(this.#open().rows<Row>(query));
  }

  first<Row>(query: Query): Eventually<Row | undefined> {
    return this.#slices.after(this.#open().first<Row>(query));
  }

  run(query: Query): Eventually<number> {
    return this.#slices.after(this.#open().run(query));
  }

  /** All have run when this returns: what is asked for next, without waiting, finds what they did. */
  runAll(queries: readonly Query[]): Eventually<void> {
    const connection = this.#open();
    for (const query of queries) connection.run(query);
    return this.#slices.after(undefined);
  }

  fact<Row>(query: Query): Eventually<Row | undefined> {
    return this.first<Row>(query);
  }

  last<Row>(query: Query): Eventually<Row | undefined> {
    const told = this.first<Row>(query);
    this.#isLast = true;
    return told;
  }

  touch(name: string): void {
    this.#touched.add(name);
  }

  /** The last statements of the transaction. */
  end(): void {
    bumpGenerations(this.#connection, this.#touched);
    this.#ended = true;
  }

  abandon(): void {
    this.#ended = true;
  }

  #open(): SqliteConnection {
    // Its statements would become part of whatever transaction runs now.
    if (this.#ended || this.#isLast) throw new Error('A transaction was used after its end.');
    return this.#connection;
  }
}
