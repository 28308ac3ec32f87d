import { Database as BunDatabase, SQLiteError, type SQLQueryBindings } from 'bun:sqlite';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FatalError } from '../../base/fatal-error.ts';
import { Problem } from '../../base/problem.ts';
import type { Executor, Query } from '../database.ts';
import type { EngineTables } from '../engine/engine-tables.ts';
import { prepareEngine } from '../engine/prepare-engine.ts';
import { longestLog } from './longest-log.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { applicationId, prepareReader, type SqliteReaderOptions } from './sqlite-file.ts';
import { generationTables } from './sqlite-generations.ts';
import { SqliteReader } from './sqlite-reader.ts';
import { openSharedState, type SharedState } from './sqlite-shared-state.ts';

/** The file is made, with its folder, where there is none. */
export interface SqliteFileOptions extends SqliteReaderOptions {
  /** The engine's tables, which are made or brought to their present shape. */
  readonly engine: EngineTables;
  /** The most pages (4 KiB each) that the file may have; absent: as many as the disk holds. */
  readonly maxPages?: number;
  /** False: references to missing records are accepted, for callers that insert the records later. */
  readonly references?: boolean;
}

export interface SqliteConnections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteReader;
  /** Undefined where the system cannot share memory. */
  readonly shared: SharedState | undefined;
}

/** Up to this size a file is checked completely at the start: a few milliseconds. */
const checkedBytes = 4 * 1024 * 1024;

/**
 * Opens a file for one writer and one reader, or throws a `FatalError` that names the path and what is wrong with it.
 * Throws SQLite's error when another process holds the file; worth another try.
 */
export async function openSqliteFile(options: SqliteFileOptions): Promise<SqliteConnections> {
  touchFile(options.path);
  const opened: BunDatabase[] = [];
  const open = (flags: { readonly?: true; readwrite?: true }): BunDatabase => {
    const database = new BunDatabase(options.path, { strict: true, ...flags });
    opened.push(database);
    return database;
  };
  try {
    const writer = open({ readwrite: true });
    await prepareWriter(writer, options);
    const reader = open({ readonly: true });
    prepareReader(reader, options);
    const shared = openSharedState(options.path);
    return {
      writer: new SqliteConnection(writer, options.observe),
      reader: new SqliteReader(reader, { path: options.path, shared, observe: options.observe }),
      shared,
    };
  } catch (error) {
    for (const database of opened.reverse()) database.close();
    throw refusal(options.path, error);
  }
}

/** Makes folder and file, readable by their owner alone: the file holds password hashes. */
function touchFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FatalError(`The database file ${path} cannot be created or opened for writing: ${reason}.`, error);
  }
}

async function prepareWriter(writer: BunDatabase, options: SqliteFileOptions): Promise<void> {
  writer.run(`PRAGMA busy_timeout = ${options.busyTimeoutMs}`);
  rejectForeign(writer, options.path);
  rejectDamaged(writer, options.path);
  writer.run('PRAGMA journal_mode = WAL');
  writer.run('PRAGMA synchronous = FULL');
  writer.run(`PRAGMA foreign_keys = ${options.references === false ? 'OFF' : 'ON'}`);
  writer.run('PRAGMA temp_store = MEMORY');
  writer.run('PRAGMA cache_size = -16384');
  // Shorter than what readers hold no state beside: they begin to again when the log has begun anew.
  writer.run(`PRAGMA journal_size_limit = ${longestLog / 2}`);
  // ANALYZE looks at some hundred rows of each value, not at all of them (https://sqlite.org/lang_analyze.html).
  writer.run('PRAGMA analysis_limit = 1000');
  // A commit would do it, and all who wait for this process would wait for it: see `WalCheckpoints`.
  writer.run('PRAGMA wal_autocheckpoint = 0');
  if (options.maxPages !== undefined) writer.run(`PRAGMA max_page_count = ${options.maxPages}`);
  // From here on the process is never blocked for a lock, which this process itself may hold: it is tried again after a pause.
  writer.run('PRAGMA busy_timeout = 0');
  await makeTables(writer, options);
}

/** Before anything is written: a file of another program is left as it is. */
function rejectForeign(writer: BunDatabase, path: string): void {
  const tables = numberOf(writer, 'SELECT count(*) AS value FROM sqlite_schema');
  const owner = ownerOf(writer);
  if (owner !== applicationId && (tables > 0 || owner !== 0)) {
    throw new FatalError(`The file ${path} is a database of another program; it is left as it is.`);
  }
}

function rejectDamaged(writer: BunDatabase, path: string): void {
  if (statSync(path).size > checkedBytes) return;
  const verdict = writer.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok') throw new FatalError(damaged(path, verdict ?? 'it cannot be checked'));
}

/** In one transaction, so that a process that opens the file at the same moment never takes it for another program's. */
async function makeTables(writer: BunDatabase, { path, engine }: SqliteFileOptions): Promise<void> {
  writer.run('BEGIN IMMEDIATE');
  try {
    // Another program may have been first, or another of our processes.
    rejectForeign(writer, path);
    if (ownerOf(writer) !== applicationId) writer.run(`PRAGMA application_id = ${applicationId}`);
    for (const statement of generationTables) writer.run(statement);
    const place = `The database file ${path}`;
    await prepareEngine({ executor: plainExecutor(writer), dialect: sqliteDialect, engine, place });
    writer.run('COMMIT');
  } finally {
    if (writer.inTransaction) writer.run('ROLLBACK');
  }
}

/** With SQLite's own errors, and nothing kept prepared: these statements run once. */
function plainExecutor(database: BunDatabase): Executor {
  const rows = <Row>({ sql, parameters }: Query): readonly Row[] => {
    using statement = database.prepare<Row, SQLQueryBindings[]>(sql);
    return statement.all(...parameters);
  };
  return {
    rows,
    first: (query) => rows<never>(query)[0],
    run: ({ sql, parameters }) => database.run(sql, [...parameters]).changes,
  };
}

function numberOf(database: BunDatabase, sql: string): number {
  return database.query<{ value: number }, []>(sql).get()?.value ?? 0;
}

const ownerOf = (database: BunDatabase): number =>
  numberOf(database, 'SELECT application_id AS value FROM pragma_application_id');

const damaged = (path: string, reason: string): string =>
  `The database file ${path} is damaged or is no SQLite database (${reason.replaceAll(/\s+/g, ' ')}); restore it from a backup.`;

function refusal(path: string, error: unknown): unknown {
  if (error instanceof FatalError || error instanceof Problem) return error;
  const reason = error instanceof Error ? error.message : String(error);
  switch (sqliteFault(error)?.kind) {
    case 'busy':
      return error;
    case 'full':
      return new FatalError(`There is no room left on the disk of the database file ${path}.`, error);
    case 'read_only':
      return new FatalError(`The database file ${path} or its folder cannot be written to.`, error);
    case 'damaged':
      return new FatalError(damaged(path, reason), error);
    default:
      return error instanceof SQLiteError
        ? new FatalError(`The database file ${path} cannot be opened: ${reason}.`, error)
        : error;
  }
}
