import { Database as BunDatabase } from 'bun:sqlite';
import { FatalError } from '../../base/fatal-error.ts';
import { applicationId } from './sqlite-file.ts';
import { quoted } from './sqlite-search.ts';

/** What a database file holds. */
export interface FileContents {
  /** Rows by table; what the search index keeps for itself is left out. */
  readonly rows: Readonly<Record<string, number>>;
}

/** What is wrong with a database file; empty when nothing is. */
export type FileFaults = readonly string[];

const faultLimit = 10;

/**
 * Writes a copy of a database that others may be writing to, as it is at one moment. `target` must not exist.
 * Throws `FatalError` when the copy does not hold what the original holds.
 */
export function copySqliteFile(path: string, target: string): FileContents {
  using original = openForReading(path);
  const before = versionOf(original);
  original.run('VACUUM INTO ?', [target]);
  const copied = verifySqliteFile(target);
  const wanted = contentsOf(original);
  // With another version, what the original holds by now says nothing about the moment of the copy.
  if (versionOf(original) === before && !Bun.deepEquals(wanted, copied))
    throw new FatalError(`The copy of ${path} does not hold the rows that the database holds.`);
  return copied;
}

/** Checks a whole database file, and returns what it contains. Throws `FatalError` with what is wrong with it. */
export function verifySqliteFile(path: string): FileContents {
  try {
    using database = openForReading(path);
    const faults = faultsOf(database);
    if (faults.length === 0) return contentsOf(database);
    throw new FatalError(`${path} is not right:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  } catch (error) {
    if (error instanceof FatalError) throw error;
    throw new FatalError(`${path} cannot be read as a database: ${messageOf(error)}.`, error);
  }
}

/** What is wrong with a database file that others may be writing to. Throws SQLite's error when it cannot be read at all. */
export function inspectSqliteFile(path: string): FileFaults {
  using database = openForReading(path);
  return faultsOf(database);
}

/**
 * Brings a file that is this process's own to rest: what stands in its write-ahead log is merged into it. Throws SQLite's
 * error when the file is damaged.
 */
export function settleSqliteFile(path: string): void {
  using database = new BunDatabase(path, { strict: true, readwrite: true });
  database.run('PRAGMA journal_mode = DELETE');
}

/** Holds a database file so that no other process can open it. */
export interface FileHold {
  release(): void;
}

/**
 * Takes a database file for this process alone; undefined when another process has it open. A file that is damaged cannot be
 * held: `release` then has nothing to do.
 */
export function holdSqliteFile(path: string): FileHold | undefined {
  const database = new BunDatabase(path, { strict: true, readwrite: true });
  const release = (): void => database.close();
  try {
    // Only the last connection may leave WAL, which also merges the log.
    database.run('PRAGMA journal_mode = DELETE');
    database.run('BEGIN EXCLUSIVE');
    return { release };
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) {
      release();
      return undefined;
    }
    return { release };
  }
}

function openForReading(path: string): BunDatabase {
  const database = new BunDatabase(path, { strict: true, readonly: true });
  database.run('PRAGMA busy_timeout = 10000');
  return database;
}

function faultsOf(database: BunDatabase): FileFaults {
  const owner = database.query<{ application_id: number }, []>('PRAGMA application_id').get()?.application_id;
  if (owner !== applicationId) return ['it is no database of Recto'];
  const damage = database
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${faultLimit})`)
    .all()
    .map(({ integrity_check: fault }) => fault)
    .filter((fault) => fault !== 'ok');
  if (damage.length > 0) return damage;
  const dangling = database.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').all();
  return dangling
    .slice(0, faultLimit)
    .map(({ table, parent }) => `a row of ${table} names a row of ${parent} that is not there`);
}

function contentsOf(database: BunDatabase): FileContents {
  const counts = database.transaction(() =>
    tablesOf(database).map((name): [string, number] => [
      name,
      database.query<{ value: number }, []>(`SELECT count(*) AS value FROM ${quoted(name)}`).get()?.value ?? 0,
    ]),
  );
  return { rows: Object.fromEntries(counts()) };
}

/** Tables of the file's own, without those of virtual tables (https://sqlite.org/pragma.html#pragma_table_list). */
function tablesOf(database: BunDatabase): readonly string[] {
  const statement = `SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;
  return database
    .query<{ name: string }, []>(statement)
    .all()
    .map(({ name }) => name);
}

/** Another number as soon as another connection has committed. */
const versionOf = (database: BunDatabase): number =>
  database.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version ?? 0;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
