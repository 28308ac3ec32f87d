import { setTimeout as pause } from 'node:timers/promises';
import { FatalError } from '../../base/fatal-error.ts';
import { CommitListeners } from '../commit-listeners.ts';
import type { Database, Executor, Observe, Query, ReadKind, Transaction } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import type { EngineTables } from '../engine/engine-tables.ts';
import { shuttingDown } from '../outage-problem.ts';
import { DiskRoom } from './disk-room.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { openSqliteReader, type SqliteReaderOptions } from './sqlite-file.ts';
import { SqliteGenerations } from './sqlite-generations.ts';
import { openSqliteFile, type SqliteConnections, type SqliteFileOptions } from './sqlite-opening.ts';
import { SqliteReads } from './sqlite-reads.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { WalCheckpoints } from './wal-checkpoints.ts';
import { openWalFile, type WalFile } from './wal-file.ts';

export interface SqliteOptions {
  /** The database file; made, with its folder, where there is none. */
  readonly path: string;
  /** The engine's tables, which are made or brought to their present shape. */
  readonly engine: EngineTables;
  /** Called with the time of each statement, in seconds. */
  readonly observe?: Observe;
  /** Called after each commit with how many transactions it made durable. */
  readonly onCommit?: (transactions: number) => void;
  /** How long a transaction waits for another process that writes before it gets 503; default 5,000 ms. */
  readonly busyTimeoutMs?: number;
  /** The most pages (4 KiB each) that the file may have; absent: as many as the disk holds. */
  readonly maxPages?: number;
  /** False: references are not looked at. */
  readonly references?: boolean;
  /** True: records for responses are read in threads only; default: what may take long. */
  readonly onlyThreads?: boolean;
  /** Opens the log of the file at a path, to be flushed; default: what the system gives. For a disk that fails. */
  readonly openLog?: typeof openWalFile;
}

const openingPauseMs = 20;

/**
 * Opens a SQLite file as the service's database, and makes it where there is none.
 * Throws a `FatalError` that names the path when the file is damaged, another program's, or cannot be written.
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const { onCommit, busyTimeoutMs = 5000, onlyThreads = false, openLog = openWalFile, ...file } = options;
  const connections = await openPatiently({ ...file, busyTimeoutMs });
  const { shared, reader } = connections;
  const checkpoints = new WalCheckpoints(connections.writer, {
    path: file.path,
    busyTimeoutMs,
    onMerged: () => reader.release(),
  });
  const log = openLog(file.path);
  // Then what is committed is flushed by the writer, beside all other work; the log is as safe as before.
  if (log !== undefined) connections.writer.execute('PRAGMA synchronous = NORMAL');
  const listeners = new CommitListeners();
  const writer = new SqliteWriter(connections.writer, {
    ...{ busyTimeoutMs, checkpoints },
    ...(log === undefined ? {} : { log }),
    ...(shared === undefined ? {} : { shared }),
    onCommit: (transactions) => {
      onCommit?.(transactions);
      listeners.call();
    },
  });
  const generations = new SqliteGenerations(reader, shared);
  return new SqliteDatabase(
    { connections, writer, checkpoints, log, generations, listeners },
    { ...file, busyTimeoutMs, onlyThreads },
  );
}

/** Going over to WAL does not wait for a lock that another opening process holds, so that is tried again. */
async function openPatiently(options: SqliteFileOptions): Promise<SqliteConnections> {
  const deadline = performance.now() + options.busyTimeoutMs;
  for (;;) {
    try {
      return await openSqliteFile(options);
    } catch (error) {
      if (sqliteFault(error)?.kind !== 'busy') throw error;
      if (performance.now() > deadline) {
        throw new FatalError(`The database file ${options.path} is locked by another program.`, error);
      }
      await pause(openingPauseMs);
    }
  }
}

interface Parts {
  readonly connections: SqliteConnections;
  readonly writer: SqliteWriter;
  readonly checkpoints: WalCheckpoints;
  readonly log: WalFile | undefined;
  readonly generations: SqliteGenerations;
  readonly listeners: CommitListeners;
}

class SqliteDatabase implements Database {
  readonly dialect: Dialect = sqliteDialect;
  readonly generations: SqliteGenerations;
  readonly #connections: SqliteConnections;
  readonly #writer: SqliteWriter;
  readonly #checkpoints: WalCheckpoints;
  readonly #log: WalFile | undefined;
  readonly #file: SqliteReaderOptions;
  readonly #reads: SqliteReads;
  readonly #listeners: CommitListeners;
  readonly #room: DiskRoom;
  #closed: Promise<void> | undefined;

  constructor(
    { connections, writer, checkpoints, log, generations, listeners }: Parts,
    file: SqliteReaderOptions & { onlyThreads: boolean; maxPages?: number },
  ) {
    this.#connections = connections;
    this.#writer = writer;
    this.#checkpoints = checkpoints;
    this.#log = log;
    this.generations = generations;
    this.#listeners = listeners;
    this.#file = file;
    this.#room = new DiskRoom(connections.writer, file);
    this.#reads = new SqliteReads({ ...file, connection: () => this.#reader() });
  }

  rows<Row>(query: Query): readonly Row[] {
    return this.#reader().rows<Row>(query);
  }

  first<Row>(query: Query): Row | undefined {
    return this.#reader().first<Row>(query);
  }

  /** The reader is read only: SQLite rejects a statement that would change something. */
  run(query: Query): number {
    return this.#reader().run(query);
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#writer.transaction(work);
  }

  requireRoom = (): void => this.#room.require();

  async snapshot<T>(work: (reader: Executor) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw shuttingDown();
    // A connection of its own: what a transaction has begun, the other reads of this process would share.
    const reader = openSqliteReader(this.#file);
    try {
      reader.execute('BEGIN');
      return await work(reader);
    } finally {
      reader.close();
    }
  }

  /** The file has no copies, but threads that read it. */
  reader(_names: readonly string[], kind: ReadKind = 'records'): Pick<Executor, 'rows' | 'first'> {
    return this.#reads.of(kind);
  }

  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async ping(): Promise<void> {
    // Asks the file, which `SELECT 1` alone would not.
    this.#reader().first({ sql: 'SELECT 1 FROM sqlite_schema LIMIT 1', parameters: [] });
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  #reader(): SqliteConnection {
    if (this.#closed !== undefined) throw shuttingDown();
    return this.#connections.reader;
  }

  async #shutDown(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#reads.close()]);
    await this.#checkpoints.close();
    const { reader, writer } = this.#connections;
    reader.close();
    try {
      writer.execute('PRAGMA optimize');
      writer.rows({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', parameters: [] });
    } catch {
      // Another process uses the file, or the disk is full: the next process that opens the file merges the log.
    }
    writer.close();
    this.#log?.close();
  }
}
