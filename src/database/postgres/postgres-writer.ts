import { setTimeout as pause } from 'node:timers/promises';
import { type ReservedSQL, SQL } from 'bun';
import { unavailable } from '../../errors/problem.ts';
import type { Observe, Query, Transaction } from '../database.ts';
import type { DatabaseFault } from '../dialect.ts';
import { outageProblem, shuttingDown } from '../outage-problem.ts';
import { type Client, type Result, runQuery } from './postgres-client.ts';
import { type Failure, failureOf } from './postgres-failure.ts';
import { postgresFault } from './postgres-fault.ts';

export interface PostgresWriterOptions {
  /** Its connections carry one transaction each at a time. */
  readonly pool: SQL;
  readonly connections: number;
  /** Asks the database outside of any transaction. */
  readonly ask: Client;
  /** How long a transaction that has a connection waits for locks, and for others in its way. */
  readonly busyTimeoutMs: number;
  readonly observe: Observe | undefined;
  /** The last statements of a transaction that changed these names: they keep and tell that. */
  readonly announce: (names: ReadonlySet<string>) => readonly Query[];
  /** Told of each commit and the names it changed, before its caller is. */
  readonly onCommit: (names: ReadonlySet<string>) => void;
}

/** Beside any number of others, or beside no other writer. */
type Company = 'among others' | 'alone';

type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'undone'; readonly error: unknown; readonly failure: Failure | undefined };

/** Transactions that met another one again and again; run alone they cannot, so this is only for what is not foreseen. */
const conflictLimit = 8;

/** How long a transaction waits for those of this process that are before it. */
const queueMs = 30_000;

/** What a transaction may be silent for: a machine that vanished must not hold its locks. */
const silenceMs = 60_000;

/**
 * All writing of this process. Transactions are SERIALIZABLE, so that each behaves as if it had the database to itself: what
 * it has looked at (no such slug, no circle, this `lock_version`) is still so when it commits, without a lock for each case.
 *
 * One that met another is undone by the server and run again, then alone: every transaction holds `recto_writers` in a
 * mode that admits the others, the one that runs again in a mode that does not. So the second run gets through.
 *
 * A connection lost before COMMIT is sent has changed nothing, and the work runs again on another one. When it is lost
 * while COMMIT is not answered, the database is asked what became of the transaction, which leaves a mark behind.
 */
export class PostgresWriter {
  readonly #options: PostgresWriterOptions;
  readonly #running = new Set<Promise<unknown>>();
  /** Places for marks that no transaction uses at this moment. */
  readonly #slots: string[] = [];
  #closing = false;

  constructor(options: PostgresWriterOptions) {
    this.#options = options;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(shuttingDown());
    const running = this.#run(work).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when all that runs is done; what comes later is refused. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#running);
  }

  async #run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const { busyTimeoutMs, connections } = this.#options;
    // Begins when there is a connection: what waits behind others of this process is not held up by strangers.
    let deadline = Number.POSITIVE_INFINITY;
    const left: Record<Failure, number> = {
      conflict: conflictLimit,
      clash: 1,
      lost: connections + 1,
      stale: connections + 1,
    };
    let company: Company = 'among others';
    for (;;) {
      const begun = (): void => {
        deadline = Math.min(deadline, performance.now() + busyTimeoutMs);
      };
      const outcome = await this.#attempt(work, company, begun);
      if (outcome.kind === 'done') return outcome.value;
      const { error, failure } = outcome;
      // One that has taken long itself gets one more run, in which nobody can be in its way.
      const late = performance.now() > deadline && company === 'alone';
      if (failure === undefined || left[failure] === 0 || late) {
        throw outageProblem(failure === undefined ? postgresFault(error) : lasting(failure, error), error);
      }
      left[failure] -= 1;
      if (failure === 'conflict' || failure === 'clash') company = 'alone';
      if (left.conflict < conflictLimit - 1) await pause(Math.random() * 20);
    }
  }

  async #attempt<T>(
    work: (transaction: Transaction) => Promise<T>,
    company: Company,
    begun: () => void,
  ): Promise<Outcome<T>> {
    let connection: ReservedSQL;
    try {
      connection = await this.#reserve();
    } catch (error) {
      return undone(error);
    }
    begun();
    try {
      return await this.#runOn(connection, work, company);
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

  async #runOn<T>(
    connection: ReservedSQL,
    work: (transaction: Transaction) => Promise<T>,
    company: Company,
  ): Promise<Outcome<T>> {
    const transaction = new PostgresTransaction(connection, this.#options.observe);
    try {
      const number = await this.#begin(connection, company);
      const value = await work(transaction);
      transaction.end();
      // The server has undone everything, whether or not the work went on.
      if (transaction.fault !== undefined) throw transaction.fault;
      await this.#commit(connection, number, transaction.touched);
      this.#options.onCommit(transaction.touched);
      return { kind: 'done', value };
    } catch (error) {
      transaction.end();
      // What a statement failed of, whatever the work made of that.
      const failure = failureOf(transaction.fault) ?? failureOf(error);
      if (failure !== 'lost') await rollBack(connection);
      return { kind: 'undone', error, failure };
    }
  }

  /** One way to the server and back. Tells the transaction's number. */
  async #begin(connection: ReservedSQL, company: Company): Promise<string> {
    const { busyTimeoutMs } = this.#options;
    // LOCK takes no snapshot (https://www.postgresql.org/docs/current/sql-lock.html): what those before have committed is seen.
    const results = await connection.unsafe<readonly { readonly id: string }[][]>(`
      BEGIN ISOLATION LEVEL SERIALIZABLE;
      SET LOCAL lock_timeout = ${busyTimeoutMs};
      SET LOCAL idle_in_transaction_session_timeout = ${silenceMs};
      LOCK TABLE recto_writers IN ${company === 'alone' ? 'EXCLUSIVE' : 'ROW SHARE'} MODE;
      SELECT pg_current_xact_id()::text AS id`);
    const id = results.at(-1)?.[0]?.id;
    if (id === undefined) throw new Error('The database did not tell the number of a transaction.');
    return id;
  }

  async #commit(connection: ReservedSQL, number: string, names: ReadonlySet<string>): Promise<void> {
    const mark: Mark = { slot: this.#slots.pop() ?? crypto.randomUUID(), id: crypto.randomUUID() };
    // Sent together: the server does the one after the other.
    const before = [runQuery(connection, markQuery(mark))];
    for (const query of this.#options.announce(names)) before.push(runQuery(connection, query));
    const commit = runQuery(connection, commitQuery);
    try {
      const failed = (await Promise.allSettled(before)).find((each) => each.status === 'rejected');
      // Behind one that has failed, COMMIT undoes.
      await commit;
      if (failed !== undefined) throw failed.reason;
    } catch (error) {
      // Any answer of the server but that it ends the session says that nothing is committed.
      if (isAnswer(error) || !(await this.#wasCommitted(number, mark, error))) throw error;
    } finally {
      this.#slots.push(mark.slot);
    }
  }

  /**
   * What became of a transaction whose COMMIT was not answered. First whether it has ended; then whether its mark is there.
   * Its number alone would not do: after a crash, or on another primary, it may belong to another transaction.
   */
  async #wasCommitted(number: string, mark: Mark, cause: unknown): Promise<boolean> {
    const deadline = performance.now() + this.#options.busyTimeoutMs;
    while (performance.now() < deadline) {
      try {
        if (!(await this.#runs(number))) return (await runQuery(this.#options.ask, markedQuery(mark))).length > 0;
      } catch {
        // Not reachable yet.
      }
      await pause(50);
    }
    throw unavailable(
      'outcome_unknown',
      'The connection to the database was lost while it stored the change: it may be stored or not. Look before you send it again.',
      cause,
    );
  }

  /** Whether a transaction has not ended yet (https://www.postgresql.org/docs/current/functions-info.html, `pg_xact_status`). */
  async #runs(number: string): Promise<boolean> {
    const query = { sql: 'SELECT pg_xact_status(CAST($1 AS text)::xid8) AS status', parameters: [number] };
    try {
      const [row] = await runQuery<{ status: string | null }>(this.#options.ask, query);
      return row?.status === 'in progress';
    } catch (error) {
      // A number that this server has not given yet: it was lost with the server that had.
      if (error instanceof SQL.PostgresError && error.errno === '22023') return false;
      throw error;
    }
  }
}

/** What a transaction leaves behind, in a place that one after the other uses. */
interface Mark {
  readonly slot: string;
  readonly id: string;
}

const markQuery = ({ slot, id }: Mark): Query => ({
  sql: 'INSERT INTO recto_commits (slot, id) VALUES ($1, $2) ON CONFLICT (slot) DO UPDATE SET id = excluded.id, at = now()',
  parameters: [slot, id],
});

const markedQuery = ({ slot, id }: Mark): Query => ({
  sql: 'SELECT FROM recto_commits WHERE slot = $1 AND id = $2',
  parameters: [slot, id],
});

/** What it is for the caller when running again does not help. */
function lasting(failure: Failure, error: unknown): DatabaseFault | undefined {
  if (failure === 'conflict') return { kind: 'busy' };
  return failure === 'lost' ? { kind: 'unreachable' } : postgresFault(error);
}

/** Whether the server has told of a fault of the statement; otherwise it may have done it. */
const isAnswer = (error: unknown): boolean =>
  error instanceof SQL.PostgresError && error.errno !== undefined && failureOf(error) !== 'lost';

const commitQuery: Query = { sql: 'COMMIT', parameters: [] };

const undone = (error: unknown): Outcome<never> => ({ kind: 'undone', error, failure: failureOf(error) });

async function rollBack(connection: ReservedSQL): Promise<void> {
  try {
    await connection.unsafe('ROLLBACK');
  } catch {
    // The server undoes what a lost connection had begun.
  }
}

class PostgresTransaction implements Transaction {
  readonly touched = new Set<string>();
  readonly #connection: ReservedSQL;
  readonly #observe: Observe | undefined;
  #fault: unknown;
  #ended = false;
  /** Marks what is planned after tables have changed; within one transaction a stale plan cannot be made anew. */
  #changed: string | undefined;

  constructor(connection: ReservedSQL, observe: Observe | undefined) {
    this.#connection = connection;
    this.#observe = observe;
  }

  /** What the first statement that failed has failed of: the server takes no further ones. */
  get fault(): unknown {
    return this.#fault;
  }

  rows<Row>(query: Query): Promise<readonly Row[]> {
    return this.#use<Row>(query);
  }

  async first<Row>(query: Query): Promise<Row | undefined> {
    return (await this.#use<Row>(query))[0];
  }

  async run(query: Query): Promise<number> {
    return (await this.#use(query)).affectedRows;
  }

  touch(name: string): void {
    this.touched.add(name);
  }

  end(): void {
    this.#ended = true;
  }

  #fresh({ sql, parameters }: Query): Query {
    return { sql: this.#changed === undefined ? sql : `${sql} /* ${this.#changed} */`, parameters };
  }

  async #use<Row>(query: Query): Promise<Result<Row>> {
    // The connection may carry someone else's transaction by now.
    if (this.#ended) throw new Error('A transaction was used after its end.');
    try {
      const result = await runQuery<Row>(this.#connection, this.#fresh(query), this.#observe);
      if (/^(?:ALTER|CREATE|DROP) /.test(result.command ?? '')) this.#changed = crypto.randomUUID();
      return result;
    } catch (error) {
      this.#fault ??= error;
      throw error;
    }
  }
}
