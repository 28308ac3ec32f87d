import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Problem } from '../../base/problem.ts';
import type { Query, Transaction } from '../database.ts';
import type { AppendedRow } from '../engine/appended-row.ts';
import { shuttingDown, storageFailed } from '../outage-problem.ts';
import { appendStatement } from './sqlite-append.ts';
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
  /** Called after each commit with how many transactions it made durable. */
  readonly onCommit?: (transactions: number) => void;
}

/** A transaction that waits for its turn. */
interface Job {
  /** When it came, by `performance.now()`. */
  readonly since: number;
  /** Runs the work; what it returns answers the caller, once the commit is durable. */
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

/** Attempts at the lock where no caller waits. */
const lockTries = 100;

/**
 * The gap that is left after a commit when another process waits, in milliseconds: long enough for it to try twice. A writer that
 * begins again at once, as its own next writes wait too, would otherwise keep all others out for as long as it has work.
 */
const gap = 2;

/** After so many milliseconds of statements without a break all else that the process does gets its turn. */
const sliceMs = 5;

/**
 * All writing of this process, in the order it was asked for. Transactions that wait at the same moment share one
 * `BEGIN IMMEDIATE … COMMIT`; each fails alone, those behind the first by a savepoint of their own. Commits that happen during one
 * flush of the disk, which is most of what they cost, share the next. A write is acknowledged after fsync.
 */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #options: SqliteWriterOptions;
  readonly #queue: Job[] = [];
  #running: Promise<void> | undefined;
  /** Committed, and not known to be on the disk. */
  #unflushed: Committed[] = [];
  #flushing: Promise<void> | undefined;
  /**
   * A flush has failed. The system reports that once and forgets what it could not write, so that the next flush succeeds with a
   * hole in the log, at which SQLite would stop reading it after a power cut (https://wiki.postgresql.org/wiki/Fsync_Errors).
   */
  #doubtful = false;
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
        since: performance.now(),
        work: async (transaction) => {
          const value = await work(transaction);
          return () => resolve(value);
        },
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when all that was queued is done; what comes later is rejected. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#running;
    await this.#flushing;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests that arrived together all get to queue before the first one begins.
      await this.#slices.pause();
      if ((this.#doubtful && !(await this.#settle())) || !(await this.#begin())) continue;
      await this.#batch();
      if (!this.#doubtful && this.#options.checkpoints.isDue()) await this.#merge();
      if (this.#queue.length > 0 && this.#options.shared?.othersWait() === true) await pause(gap);
    }
    this.#running = undefined;
  }

  /**
   * After a flush that failed: brings all that is committed into the file itself, by other writes than those that were lost, and
   * empties the log. False when that cannot be done; those that wait have been rejected, and the next one tries again.
   */
  async #settle(): Promise<boolean> {
    // A batch that could neither be committed nor taken back would keep the log in use.
    this.#rollBack();
    try {
      await this.#options.checkpoints.empty();
      await this.#options.log?.flush();
      this.#doubtful = false;
    } catch (error) {
      for (const { reject } of this.#queue.splice(0)) reject(storageFailed(error));
    }
    return !this.#doubtful;
  }

  /**
   * Merges the log. What other processes write meanwhile is left in it, and where they always write it would never begin anew:
   * when it has grown long, they wait until the rest is merged.
   */
  async #merge(): Promise<void> {
    const { checkpoints } = this.#options;
    if (!(await checkpoints.run()) || !checkpoints.isLong() || !(await this.#lock())) return;
    await checkpoints.run();
    this.#rollBack();
  }

  /** Takes the write lock for something that can be done another time. */
  async #lock(): Promise<boolean> {
    for (let tries = 0; tries < lockTries; tries += 1) {
      try {
        this.#connection.execute('BEGIN IMMEDIATE');
        return true;
      } catch {
        this.#options.shared?.waits();
        await pause(triesEvery);
      }
    }
    return false;
  }

  /** Takes the write lock. False when none of the waiting could be served; they have been rejected. */
  async #begin(): Promise<boolean> {
    const { busyTimeoutMs } = this.#options;
    // What they waited for before was this process.
    const started = performance.now();
    const isPatient = ({ since }: Job): boolean => performance.now() < Math.max(since, started) + busyTimeoutMs;
    for (;;) {
      try {
        if (this.#connection.inTransaction) this.#connection.execute('ROLLBACK');
        this.#connection.execute('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        const busy = error instanceof Problem && error.code === 'database_busy';
        while (this.#queue[0] !== undefined && !(busy && isPatient(this.#queue[0]))) {
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
        committed.push({ reply: await this.#attempt(job, jobs.length > 1), reject: job.reject });
        if (!this.#connection.inTransaction) break;
      }
      if (this.#connection.inTransaction) {
        this.#connection.execute('COMMIT');
        this.#options.shared?.committed();
      }
    } catch (error) {
      this.#rollBack();
      for (const job of jobs) job.reject(error);
      return;
    }
    this.#unflushed.push(...committed);
    this.#flushing ??= this.#flush();
  }

  /** Answers those whose transactions are committed, once they are on the disk; those that commit meanwhile share the next flush. */
  async #flush(): Promise<void> {
    while (this.#unflushed.length > 0) {
      const flushed = this.#unflushed;
      this.#unflushed = [];
      try {
        if (this.#doubtful) throw new Error('An earlier flush of the log has failed.');
        await this.#options.log?.flush();
      } catch (error) {
        this.#doubtful = true;
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
      // The disk fails. The next transaction tries again before it begins, and is rejected if that fails too.
    }
  }

  /**
   * Runs one transaction inside the batch. Throws only when its failure took others of the batch with it. The first needs no
   * savepoint, which makes every statement of a long one slower than the one before it: SQLite walks each time through all that it
   * could take back. When it fails there is nothing to commit, and the batch ends without a transaction.
   */
  async #attempt(job: Job, isBehindOthers: boolean): Promise<() => void> {
    const transaction = new SqliteTransaction(this.#connection, this.#slices);
    if (isBehindOthers) this.#connection.execute('SAVEPOINT job');
    try {
      const reply = await job.work(transaction);
      transaction.end();
      if (isBehindOthers) this.#connection.execute('RELEASE job');
      return reply;
    } catch (error) {
      transaction.abandon();
      // SQLite itself rolls everything back after some errors (https://sqlite.org/lang_transaction.html, section 3).
      // All in the batch get the error of the database, never what one of them made of it.
      if (!this.#connection.inTransaction) throw isOutage(error) ? error : storageFailed(error);
      if (isBehindOthers) {
        this.#connection.execute('ROLLBACK TO job');
        this.#connection.execute('RELEASE job');
      } else this.#connection.execute('ROLLBACK');
      return () => job.reject(error);
    }
  }
}

const isOutage = (error: unknown): boolean => error instanceof Problem && error.status === 503;

/** The breaks between pieces of work that hold up all else. */
class Slices {
  #end = 0;

  /** Lets all that waits have its turn. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + sliceMs;
  }

  /** What a piece of work gave: now, or, where it is time for a break, after that. */
  after<T>(value: T): MaybePromise<T> {
    return performance.now() < this.#end ? value : this.pause().then(() => value);
  }
}

/** Rows to append that wait in memory. */
const mostAppended = 1_000;

class SqliteTransaction implements Transaction {
  #appended: AppendedRow[] = [];
  readonly #connection: SqliteConnection;
  readonly #slices: Slices;
  readonly #touched = new Set<string>();
  #isLast = false;
  #ended = false;

  constructor(connection: SqliteConnection, slices: Slices) {
    this.#connection = connection;
    this.#slices = slices;
  }

  rows<Row>(query: Query): MaybePromise<readonly Row[]> {
    return this.#slices.after(this.#open().rows<Row>(query));
  }

  first<Row>(query: Query): MaybePromise<Row | undefined> {
    return this.#slices.after(this.#open().first<Row>(query));
  }

  run(query: Query): MaybePromise<number> {
    return this.#slices.after(this.#open().run(query));
  }

  /** All have run when this returns: what is asked for next, without waiting, finds what they did. */
  runAll(queries: readonly Query[]): MaybePromise<void> {
    const connection = this.#open();
    for (const query of queries) connection.run(query);
    return this.#slices.after(undefined);
  }

  fact<Row>(query: Query): MaybePromise<Row | undefined> {
    return this.first<Row>(query);
  }

  last<Row>(query: Query): MaybePromise<Row | undefined> {
    const row = this.first<Row>(query);
    this.#isLast = true;
    return row;
  }

  touch(name: string): void {
    this.#touched.add(name);
  }

  append(row: AppendedRow): void {
    this.#appended.push(row);
    if (this.#appended.length === mostAppended) this.#writeAppended();
  }

  /** The last statements of the transaction. */
  end(): void {
    this.#writeAppended();
    bumpGenerations(this.#own(), this.#touched);
    this.#ended = true;
  }

  abandon(): void {
    this.#ended = true;
  }

  /** Nobody else writes before the commit: these rows have the numbers that they would get then. */
  #writeAppended(): void {
    const rows = this.#appended;
    this.#appended = [];
    const connection = this.#own();
    for (const { table, values } of rows) connection.run({ sql: appendStatement(table), parameters: values });
  }

  #open(): SqliteConnection {
    if (this.#isLast) throw usedAfterEnd();
    return this.#own();
  }

  #own(): SqliteConnection {
    // Its statements would become part of whatever transaction runs now.
    if (this.#ended) throw usedAfterEnd();
    // Each would be a transaction of its own.
    if (!this.#connection.inTransaction) throw new Error('A transaction was used after SQLite had rolled it back.');
    return this.#connection;
  }
}

const usedAfterEnd = () => new Error('A transaction was used after its end.');
