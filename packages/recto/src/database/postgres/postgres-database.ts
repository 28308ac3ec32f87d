import { SQL } from 'bun';
import { FatalError } from '../../base/fatal-error.ts';
import { CommitListeners } from '../commit-listeners.ts';
import type {
  Database,
  Executor,
  Observe,
  Query,
  ReadKind,
  ReadPlaces,
  ReplicaStatus,
  Transaction,
} from '../database.ts';
import type { Dialect } from '../dialect.ts';
import type { EngineTables } from '../engine/engine-tables.ts';
import { outageProblem, readTimedOut, shuttingDown } from '../outage-problem.ts';
import { CommitCounters } from './commit-counters.ts';
import { type Result, runQuery } from './postgres-client.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { failureOf } from './postgres-failure.ts';
import { postgresFault } from './postgres-fault.ts';
import { PostgresGenerations } from './postgres-generations.ts';
import { placeOf, postgresClient } from './postgres-location.ts';
import { isPoolerRefusal, poolerText, preparePostgres } from './postgres-opening.ts';
import { readSnapshot } from './postgres-snapshot.ts';
import { Replicas } from './replicas/replicas.ts';
import { PostgresWriter } from './writing/postgres-writer.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/name?sslmode=verify-full`. */
  readonly url: string;
  /** The engine's tables, which are made or brought to their present shape. */
  readonly engine: EngineTables;
  /** Where to look for changes of others, when `url` leads to a pooler that gives each transaction another connection. */
  readonly listenUrl?: string;
  /** The most connections for reading and writing, 2 or more; one more looks for changes of others. Default 10. */
  readonly connections?: number;
  /** How long a transaction waits for others in its way before it gets 503; default 5,000 ms. */
  readonly busyTimeoutMs?: number;
  /** How long a plain read may take before it gets 503; default 30,000 ms. The URL's own `statement_timeout` goes before it. */
  readonly readTimeoutMs?: number;
  /** Called with the time of each statement, in seconds. */
  readonly observe?: Observe;
  /** Called after each commit with how many transactions it made durable. */
  readonly onCommit?: (transactions: number) => void;
  /** The file in which the processes of this machine announce their commits, faster than the database does. */
  readonly commitCounters?: string;
  /** Standbys to read from, each with as many connections as read from the database itself, and one more. */
  readonly replicaUrls?: readonly string[];
  /** Called for each of them when it begins to serve, and when it is skipped. */
  readonly onReplica?: (status: ReplicaStatus) => void;
}

/**
 * Opens a PostgreSQL database as the service's own, and makes the engine's tables where there are none.
 * Throws a `FatalError` that names the place, and nothing secret, when it cannot be reached or used.
 */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { url, listenUrl, connections = 10, readTimeoutMs = 30_000 } = options;
  const writing = Math.ceil(connections / 2);
  const reading = Math.max(1, connections - writing);
  // A pooler has its own time limits, and lets no connection begin with a setting that it does not know.
  const statementTimeoutMs = listenUrl === undefined ? readTimeoutMs : undefined;
  const compiles = compilesFor(listenUrl);
  const reader = postgresClient(url, { connections: reading, statementTimeoutMs, compiles });
  const writer = postgresClient(url, { connections: writing, compiles });
  try {
    await preparePostgres(url, writer, options.engine);
    await checkReading(url, reader);
    const database = new PostgresDatabase(options, { reader, reading, writer, writing });
    await database.startReplicas();
    return database;
  } catch (error) {
    await Promise.all([reader.close({ timeout: 0 }), writer.close({ timeout: 0 })]);
    throw error;
  }
}

/**
 * Statements are not compiled while they run (https://www.postgresql.org/docs/current/jit-decision.html): the server decides
 * by the cost of ways that a statement may take and seldom does, and compiling takes a thousand times as long as running.
 */
const compilesFor = (listenUrl: string | undefined): false | undefined => (listenUrl === undefined ? false : undefined);

/** Throws a `FatalError` where connections cannot begin with the time limit of reads. */
async function checkReading(url: string, reader: SQL): Promise<void> {
  try {
    await runQuery(reader, { sql: 'SELECT 1', parameters: [] });
  } catch (error) {
    // Anything else may pass, and is reported by the reads.
    if (isPoolerRefusal(error)) throw new FatalError(poolerText(placeOf(url)), error);
  }
}

interface Clients {
  readonly reader: SQL;
  /** How many connections it has. */
  readonly reading: number;
  readonly writer: SQL;
  readonly writing: number;
}

/** query_canceled: by the time limit of the connection, as nothing here cancels a read. */
const isTimeUp = (error: unknown): boolean => error instanceof SQL.PostgresError && error.errno === '57014';

/** How long what runs may go on after `close` was called, in seconds. */
const closeSeconds = 5;

class PostgresDatabase implements Database {
  readonly dialect: Dialect = postgresDialect;
  readonly generations: PostgresGenerations;
  readonly #options: PostgresOptions;
  readonly #clients: Clients;
  readonly #writer: PostgresWriter;
  readonly #replicas: Replicas | undefined;
  readonly #listeners = new CommitListeners();
  #primaryReads = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PostgresOptions, clients: Clients) {
    const { url, listenUrl = url, commitCounters, busyTimeoutMs = 5_000, observe, onCommit } = options;
    this.#options = options;
    this.#clients = clients;
    const generations: PostgresGenerations = new PostgresGenerations({
      connect: () => postgresClient(listenUrl, { connections: 1 }),
      marks: () => this.#writer.marks.ofOthers(),
      rows: (query) => this.#read(query),
      onChange: () => this.#listeners.call(),
      counters: commitCounters === undefined ? undefined : new CommitCounters(commitCounters),
    });
    this.generations = generations;
    this.#writer = new PostgresWriter({
      pool: clients.writer,
      connections: clients.writing,
      ask: clients.reader,
      busyTimeoutMs,
      observe,
      keep: (names) => generations.keeping(names),
      onCommit: (names, transactions) => {
        generations.committed(names);
        onCommit?.(transactions);
        this.#listeners.call();
      },
      onOutcomeUnknown: (names) => generations.committed(names),
    });
    const { replicaUrls: urls = [], onReplica: onChange = () => undefined } = options;
    const compiles = compilesFor(options.listenUrl);
    const reads = { connections: clients.reading, primary: clients.reader, generations, observe, compiles };
    this.#replicas = urls.length === 0 ? undefined : new Replicas({ urls, onChange, ...reads });
  }

  /** Has looked at each replica when it resolves. */
  async startReplicas(): Promise<void> {
    await this.#replicas?.start();
  }

  get readPlaces(): ReadPlaces | undefined {
    const replicas = this.#replicas?.status;
    return replicas === undefined ? undefined : { primaryReads: this.#primaryReads, replicas };
  }

  rows<Row>(query: Query): Promise<readonly Row[]> {
    return this.#read<Row>(query);
  }

  async first<Row>(query: Query): Promise<Row | undefined> {
    return (await this.#read<Row>(query))[0];
  }

  reader(names: readonly string[], kind?: ReadKind): Pick<Executor, 'rows' | 'first'> {
    const replicas = this.#replicas;
    if (replicas === undefined || kind === 'settled') return this;
    const rows = async <Row>(query: Query): Promise<readonly Row[]> => {
      if (this.#closed !== undefined) throw shuttingDown();
      const found = await replicas.rows<Row>(names, query);
      if (found !== undefined) return found;
      this.#primaryReads += 1;
      return this.#read<Row>(query);
    };
    return { rows, first: async <Row>(query: Query) => (await rows<Row>(query))[0] };
  }

  /** Reading alone is done outside a transaction. */
  async run(): Promise<number> {
    throw new Error('A statement that changes something must be part of a transaction.');
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#writer.transaction(work);
  }

  async snapshot<T>(work: (reader: Executor) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw shuttingDown();
    return readSnapshot(this.#options.url, this.#options.observe, work);
  }

  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async ping(): Promise<void> {
    await this.#read({ sql: 'SELECT 1', parameters: [] });
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /**
   * A connection that was found broken is left out of the pool, one whose plan is stale makes another: the next one serves,
   * once for each that may be like it. A read that met a deadlock, as with a change of two tables, is done again as often.
   */
  async #read<Row>(query: Query): Promise<Result<Row>> {
    if (this.#closed !== undefined) throw shuttingDown();
    for (let left = this.#clients.reading; ; left--) {
      try {
        return await runQuery<Row>(this.#clients.reader, query, this.#options.observe);
      } catch (error) {
        const failure = failureOf(error);
        if (left > 0 && failure !== undefined && failure !== 'clash') continue;
        if (isTimeUp(error)) throw readTimedOut(error);
        throw outageProblem(postgresFault(error), error);
      }
    }
  }

  async #shutDown(): Promise<void> {
    await this.#writer.close();
    const { reader, writer } = this.#clients;
    await Promise.all([
      this.generations.close(),
      this.#replicas?.close(),
      reader.close({ timeout: closeSeconds }),
      writer.close({ timeout: closeSeconds }),
    ]);
  }
}
