import { type ReservedSQL, SQL } from 'bun';
import type { Observe, Query } from '../../database.ts';
import type { AppendedRow } from '../../engine/appended-row.ts';
import { runQuery } from '../postgres-client.ts';
import { failureOf } from '../postgres-failure.ts';
import { withLayouts } from '../postgres-generations.ts';
import { appending } from './append-rows.ts';
import type { CommitMarks, Mark } from './commit-marks.ts';
import type { JobDraw } from './job-draw.ts';
import { PostgresTransaction } from './postgres-transaction.ts';
import type { LockMode, Undone, WriteJob } from './write-job.ts';

export interface BatchOptions {
  readonly connection: ReservedSQL;
  readonly marks: CommitMarks;
  /** How long it waits for locks. */
  readonly busyTimeoutMs: number;
  readonly observe: Observe | undefined;
  /** The last statements of a job that changed these names, which keep that. */
  readonly keep: (names: ReadonlySet<string>) => readonly Query[];
  /** Called after each job that is done. */
  readonly onProgress: () => void;
}

/** What became of the jobs. */
export interface BatchResult {
  /** The names that the committed jobs have changed, and how to answer their callers; undefined where all is undone. */
  readonly committed: { readonly names: ReadonlySet<string>; readonly replies: readonly (() => void)[] } | undefined;
  /** Why all that is not in `retryAlone` is undone. */
  readonly undone: Undone | undefined;
  /** The names that it changed where it counts as undone, because the outcome is unknown, but may be committed or be so yet. */
  readonly outcomeUnknown: ReadonlySet<string> | undefined;
  /** Those that have to run by themselves. */
  readonly retryAlone: readonly WriteJob[];
}

/** What a transaction may be silent for: a machine that vanished must not hold its locks. */
const silenceMs = 60_000;

/**
 * How long a statement of one that shares a commit waits for locks before that is run by itself, so that it holds up the others no
 * longer. The commit itself waits as long as any other.
 */
const sharedLockMs = 100;

/**
 * One transaction of the database, in which jobs run one after the other. One that fails within a savepoint fails alone; one
 * whose statement fails there has to run by itself, where it gets its own error.
 */
export class PostgresBatch {
  readonly #options: BatchOptions;
  readonly #connection: ReservedSQL;
  readonly #facts = new Map<string, Promise<unknown>>();
  readonly #names = new Set<string>();
  /** In the order in which they began. */
  readonly #opened: PostgresTransaction[] = [];
  readonly #completed = new Set<PostgresTransaction>();
  readonly #replies: (() => void)[] = [];
  readonly #retryAlone: WriteJob[] = [];
  /** Statements that nobody waits for until the end. */
  readonly #sent: Promise<unknown>[] = [];
  #tablesChanged = false;
  #isOutcomeUnknown = false;

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#connection = options.connection;
  }

  /**
   * Resolves when it is committed or undone. With `savepoints`, which cost as much as a small statement, a job that fails
   * is undone alone; without them all of several are, to be run again.
   */
  async run(jobs: JobDraw, savepoints: boolean): Promise<BatchResult> {
    const { shared, lockMode } = jobs;
    // From before the transaction sees anything: what the last one left in its place must be seen, to be replaced.
    const mark = this.#options.marks.take();
    try {
      const number = await this.#begin(lockMode, shared);
      // What is planned on this connection may be stale after one that has changed tables.
      for (let job = jobs.next(); job !== undefined; job = this.#tablesChanged ? undefined : jobs.next()) {
        job.begun();
        await (shared && savepoints ? this.#share(job) : this.#runWithoutSavepoint(job, shared));
        this.#options.onProgress();
      }
      await Promise.all(this.#sent);
      await this.#commit(number, mark);
      const committed = { names: this.#names, replies: this.#replies };
      return { committed, undone: undefined, outcomeUnknown: undefined, retryAlone: this.#retryAlone };
    } catch (error) {
      const undone = undoneBy([error, ...(await this.#sentErrors())]);
      if (undone.failure !== 'lost') await this.#rollBack();
      const outcomeUnknown = this.#isOutcomeUnknown ? this.#names : undefined;
      return { committed: undefined, undone, outcomeUnknown, retryAlone: this.#retryAlone };
    } finally {
      // One that may still run holds the place of its mark.
      if (!this.#isOutcomeUnknown) this.#options.marks.giveBack(mark);
    }
  }

  /** One way to the server and back. Returns the transaction's number. */
  async #begin(lockMode: LockMode, shared: boolean): Promise<string> {
    const { busyTimeoutMs } = this.#options;
    // LOCK takes no snapshot (https://www.postgresql.org/docs/current/sql-lock.html): what those before have committed is seen.
    // Awaited, for behind a BEGIN that failed each statement would commit by itself.
    const results = await this.#connection.unsafe<readonly { readonly id: string }[][]>(`
      BEGIN ISOLATION LEVEL ${lockMode === 'alone' ? 'REPEATABLE READ' : 'SERIALIZABLE'};
      SET LOCAL lock_timeout = ${busyTimeoutMs};
      SET LOCAL idle_in_transaction_session_timeout = ${silenceMs};
      LOCK TABLE recto_writers IN ${lockMode === 'alone' ? 'EXCLUSIVE' : 'ROW SHARE'} MODE;
      SET LOCAL lock_timeout = ${shared ? Math.min(sharedLockMs, busyTimeoutMs) : busyTimeoutMs};
      SELECT pg_current_xact_id()::text AS id`);
    const id = results.at(-1)?.[0]?.id;
    if (id === undefined) throw new Error('The database did not return the number of a transaction.');
    return id;
  }

  /** Resolves when the next one's statements can go behind its own. */
  async #runWithoutSavepoint(job: WriteJob, shared: boolean): Promise<void> {
    const transaction = this.#open();
    const ended = this.#finish(job, transaction, shared);
    this.#send(ended);
    await Promise.race([ended, transaction.allSent]);
  }

  async #finish(job: WriteJob, transaction: PostgresTransaction, shared: boolean): Promise<void> {
    try {
      this.#done(transaction, await this.#work(job, transaction));
    } catch (error) {
      const failure = failed(transaction, error);
      if (!shared || isFatal(failure)) throw failure;
      // An error of the server is final when nothing ran before the statement.
      job.retryAlone = transaction.fault !== undefined && !failure.follows;
      throw new JobFailed({ error, failure: 'rejection' }, transaction.fault);
    }
  }

  async #share(job: WriteJob): Promise<void> {
    const transaction = this.#open();
    // The job's first statement follows at once; on a transaction that is broken it fails as this does.
    this.#send(this.#connection`SAVEPOINT job`);
    try {
      this.#done(transaction, await this.#work(job, transaction));
    } catch (error) {
      const failure = failed(transaction, error);
      if (isFatal(failure)) throw failure;
      this.#send(this.#connection`ROLLBACK TO SAVEPOINT job`);
      // Not reported before the commit: it may have failed because of what those before it have done.
      if (transaction.fault === undefined) this.#replies.push(() => job.reject(error));
      else this.#putToRetryAlone(job);
    }
    this.#send(this.#connection`RELEASE SAVEPOINT job`);
  }

  #putToRetryAlone(job: WriteJob): void {
    job.retryAlone = true;
    this.#retryAlone.push(job);
  }

  #open(): PostgresTransaction {
    const transaction = new PostgresTransaction(this.#connection, this.#facts, this.#options.observe);
    this.#opened.push(transaction);
    return transaction;
  }

  async #work(job: WriteJob, transaction: PostgresTransaction): Promise<() => void> {
    try {
      const reply = await job.work(transaction);
      const kept = this.#options.keep(transaction.touched);
      if (kept.length > 0) await transaction.runAll(kept);
      // The server has undone everything, whether or not the work went on.
      if (transaction.fault !== undefined) throw transaction.fault;
      return reply;
    } finally {
      transaction.end();
    }
  }

  #done(transaction: PostgresTransaction, reply: () => void): void {
    this.#completed.add(transaction);
    for (const name of transaction.touched) this.#names.add(name);
    this.#tablesChanged ||= transaction.changedTables;
    this.#replies.push(reply);
  }

  #send(statement: Promise<unknown>): void {
    const sent = Promise.resolve(statement);
    // Looked at in the end; here it only counts as handled.
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  /** What the statements that were sent have failed of, in their order, when all are answered. */
  async #sentErrors(): Promise<readonly unknown[]> {
    const settled = await Promise.allSettled(this.#sent);
    return settled.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
  }

  /** The rows that jobs which are done append, in the order of the jobs' statements. */
  #appended(): readonly AppendedRow[] {
    return this.#opened.flatMap((transaction) => (this.#completed.has(transaction) ? transaction.appended : []));
  }

  async #commit(number: string, mark: Mark): Promise<void> {
    // Sent together: the server does the one after the other.
    const last = [this.#options.marks.leave(mark, withLayouts(this.#names)), ...appending(this.#appended())];
    const before = last.map((query) => runQuery(this.#connection, query));
    const commit = runQuery(this.#connection, { sql: 'COMMIT', parameters: [] });
    try {
      const failed = (await Promise.allSettled(before)).find((each) => each.status === 'rejected');
      // Behind one that has failed, COMMIT undoes.
      await commit;
      if (failed !== undefined) throw failed.reason;
    } catch (error) {
      // Any answer of the server but that it ends the session says that nothing is committed.
      if (isAnswer(error) || !(await this.#wasCommitted(number, mark, error))) throw error;
    }
  }

  async #wasCommitted(number: string, mark: Mark, cause: unknown): Promise<boolean> {
    this.#isOutcomeUnknown = true;
    const committed = await this.#options.marks.wasCommitted(number, mark, cause);
    this.#isOutcomeUnknown = false;
    return committed;
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#connection.unsafe('ROLLBACK');
    } catch {
      // The server undoes what a lost connection had begun.
    }
  }
}

/** A job's failure undid the shared transaction. */
class JobFailed extends Error {
  readonly undone: Undone;
  /** Whether it failed only because another one had. */
  readonly follows: boolean;

  constructor(undone: Undone, fault: unknown) {
    super('A transaction failed.');
    this.undone = undone;
    // in_failed_sql_transaction
    this.follows = fault instanceof SQL.PostgresError && fault.errno === '25P02';
  }
}

/** The statement's own error decides, not what the work turned it into. */
const failed = ({ fault }: PostgresTransaction, error: unknown): JobFailed =>
  new JobFailed({ error, failure: failureOf(fault) ?? failureOf(error) }, fault);

/** What undid a transaction, of all that failed then. */
function undoneBy(reasons: readonly [unknown, ...unknown[]]): Undone {
  const cause = reasons.find((reason) => !(reason instanceof JobFailed && reason.follows)) ?? reasons[0];
  return cause instanceof JobFailed ? cause.undone : { error: cause, failure: failureOf(cause) };
}

/** Whether the transaction cannot go on, whatever is undone of it. */
const isFatal = ({ undone: { failure } }: JobFailed): boolean => failure === 'lost' || failure === 'conflict';

/** Whether the server reported an error of the statement; otherwise it may have run. */
const isAnswer = (error: unknown): boolean =>
  error instanceof SQL.PostgresError && error.errno !== undefined && failureOf(error) !== 'lost';
