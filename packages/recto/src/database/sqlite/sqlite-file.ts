import { Database as BunDatabase } from 'bun:sqlite';
import type { Observe } from '../database.ts';
import { type KeptStatements, SqliteConnection } from './sqlite-connection.ts';

export interface SqliteReaderOptions {
  /** The database file. */
  readonly path: string;
  readonly observe?: Observe;
  /** How long to wait for another process that writes, in milliseconds. */
  readonly busyTimeoutMs: number;
}

/** The connection of a thread. */
export interface ThreadConnection extends Omit<SqliteReaderOptions, 'observe'> {
  /** It may only read; or only merge the log, which is neither reading nor writing records. */
  readonly purpose: 'read' | 'checkpoint';
}

/** `Rect` in ASCII: marks the file as ours (https://sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x52656374;

/** One more reader of a file that is open. */
export function openSqliteReader(options: SqliteReaderOptions): SqliteConnection {
  return new SqliteConnection(openForReading(options), options.observe);
}

/** What a thread runs takes long; preparing it does not. */
const keptByThreads: KeptStatements = { statements: 500, characters: 500_000 };

/** A connection for a thread, to a file that is open. */
export function openThreadConnection(options: ThreadConnection): SqliteConnection {
  const database = options.purpose === 'read' ? openForReading(options) : openForCheckpoints(options);
  return new SqliteConnection(database, undefined, keptByThreads);
}

function openForReading(options: SqliteReaderOptions): BunDatabase {
  const reader = new BunDatabase(options.path, { strict: true, readonly: true });
  prepareReader(reader, options);
  return reader;
}

function openForCheckpoints({ path, busyTimeoutMs }: SqliteReaderOptions): BunDatabase {
  const database = new BunDatabase(path, { strict: true, readwrite: true });
  database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // A checkpoint is still allowed (https://sqlite.org/pragma.html#pragma_query_only).
  database.run('PRAGMA query_only = ON');
  return database;
}

export function prepareReader(reader: BunDatabase, options: SqliteReaderOptions): void {
  reader.run(`PRAGMA busy_timeout = ${options.busyTimeoutMs}`);
  reader.run('PRAGMA query_only = ON');
  reader.run('PRAGMA temp_store = MEMORY');
  reader.run('PRAGMA cache_size = -16384');
  reader.run('PRAGMA mmap_size = 1073741824');
}
