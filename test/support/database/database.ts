import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { SqlValue } from '../../../packages/recto/src/base/bindings.ts';
import type { DatabaseLocation } from '../../../packages/recto/src/config/settings.ts';
import type { Database, Query } from '../../../packages/recto/src/database/database.ts';
import { type DatabaseOptions, openDatabase } from '../../../packages/recto/src/database/open-database.ts';
import { openSqliteDatabase, type SqliteOptions } from '../../../packages/recto/src/database/sqlite/sqlite-database.ts';
import { rectoTables } from '../../../packages/recto/src/service/recto-tables.ts';
import { hangsAfterMs } from '../hangs-after.ts';
import { startPostgres } from './postgres-server.ts';

/** Which database the tests run on: all of them on the one, then those that have to do with databases on the other. */
export const onPostgres = process.env.RECTO_TEST_DATABASE === 'postgres';

export interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  /** Where the database is, and what is there stays; default: a place of its own. */
  readonly location?: DatabaseLocation;
  /** SQLite: called after each commit with the number of transactions it made durable. */
  readonly onCommit?: (transactions: number) => void;
  /** SQLite: the most pages that the file may have. */
  readonly maxPages?: number;
  /** SQLite: every read for a response runs in threads; default: reads that may take long, or what `RECTO_TEST_READS=threads` asks for. */
  readonly onlyThreads?: boolean;
  /** SQLite: how the log is opened that is flushed. */
  readonly openLog?: SqliteOptions['openLog'];
}

export interface TestDatabase extends Database, AsyncDisposable {
  readonly location: DatabaseLocation;
  /** A folder of this test's, on the disk of the file where the database is one. */
  readonly folder: string;
  /** The file, for a test that only SQLite has. */
  readonly path: string;
  /** The same database once more, as another process would open it. The one who opens it closes it. */
  again(options?: Partial<DatabaseOptions>): Promise<Database>;
}

/** A database of its own, empty but for the engine's tables, removed on close: `await using database = await openTestDatabase();`. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const place = await newTestLocation(options.location);
  // As the workers of one start are.
  const commitCounters = join(place.folder, 'recto.db-commits');
  const database = await openAt(place.location, { commitCounters, ...options });
  const closeDatabase = database.close.bind(database);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closeDatabase().then(() => place[Symbol.asyncDispose]());
    return closed;
  };
  const again = (more: Partial<DatabaseOptions> = {}): Promise<Database> =>
    openAt(place.location, { commitCounters, ...more });
  const { location, folder, path } = place;
  return Object.assign(database, { location, folder, path, again, close, [Symbol.asyncDispose]: close });
}

export interface TestLocation extends AsyncDisposable {
  readonly location: DatabaseLocation;
  readonly folder: string;
  readonly path: string;
}

/** Where a database of this test's own can be made, and is removed from afterwards. */
export async function newTestLocation(given?: DatabaseLocation): Promise<TestLocation> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-test-'));
  const path = join(folder, 'recto.db');
  const schema = onPostgres && given === undefined ? await newTestSchema() : undefined;
  return {
    location: given ?? (schema === undefined ? { kind: 'sqlite', path } : { kind: 'postgres', url: schema.url }),
    folder,
    path,
    [Symbol.asyncDispose]: async () => {
      rmSync(folder, { recursive: true, force: true });
      await schema?.drop();
    },
  };
}

/** What leads a `recto` process to the database; nothing for a file, which is in its data folder. */
export const environmentOf = ({ location }: Pick<TestLocation, 'location'>): Readonly<Record<string, string>> =>
  location.kind === 'postgres' ? { RECTO_DATABASE_URL: location.url, RECTO_DATABASE_POOL: String(connections) } : {};

/** Few connections: each is a process of the server's. */
const connections = 3;

function openAt(location: DatabaseLocation, options: TestDatabaseOptions): Promise<Database> {
  // Writes that conflict are repeated for as long as a busy machine may need.
  if (location.kind === 'postgres')
    return openDatabase(location, { engine: rectoTables, connections, busyTimeoutMs: hangsAfterMs, ...options });
  const { engine = rectoTables, onCommit, maxPages, observe, busyTimeoutMs, openLog } = options;
  return openSqliteDatabase({
    path: location.path,
    engine,
    ...(onCommit === undefined ? {} : { onCommit }),
    ...(maxPages === undefined ? {} : { maxPages }),
    ...(observe === undefined ? {} : { observe }),
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
    ...(openLog === undefined ? {} : { openLog }),
    onlyThreads: options.onlyThreads ?? process.env.RECTO_TEST_READS === 'threads',
  });
}

/** A statement with `?` for each value, in the words of the database that the tests run on. */
export function query(text: string, ...parameters: readonly SqlValue[]): Query {
  let place = 0;
  return { sql: onPostgres ? text.replaceAll('?', () => `$${++place}`) : text, parameters };
}

/** Waits until what is looked at is as expected, for which there is no event. */
export async function becomes<T>(look: () => Promise<T>, expected: T): Promise<T> {
  const deadline = performance.now() + hangsAfterMs;
  for (;;) {
    const found = await look();
    if (Bun.deepEquals(found, expected)) return found;
    if (performance.now() > deadline)
      throw new Error(`It did not become ${Bun.inspect(expected)}: ${Bun.inspect(found)}`);
    await Bun.sleep(10);
  }
}

let server: Promise<string> | undefined;
let admin: Promise<SQL> | undefined;

/** The server of the tests: the one that is given, or one that lives as long as this process. */
export function testPostgresUrl(): Promise<string> {
  const given = process.env.RECTO_TEST_POSTGRES_URL;
  if (given !== undefined) return Promise.resolve(given);
  server ??= startPostgres().then(({ url }) => url);
  return server;
}

/** A PostgreSQL database of this test's own, whichever the tests run on. */
export async function newPostgresLocation(): Promise<
  { readonly location: DatabaseLocation & { kind: 'postgres' } } & AsyncDisposable
> {
  const { url, drop } = await newTestSchema();
  return { location: { kind: 'postgres', url }, [Symbol.asyncDispose]: drop };
}

/** A schema of one test's own, in which what it opens by the URL makes its tables. Much cheaper than a database. */
async function newTestSchema(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const base = await testPostgresUrl();
  admin ??= Promise.resolve(new SQL(base, { max: 1, connectionTimeout: hangsAfterMs / 1000 }));
  const client = await admin;
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await client.unsafe(`CREATE SCHEMA ${schema}`);
  const url = new URL(base);
  url.searchParams.set('search_path', schema);
  // So that a test can distinguish its own connections from others.
  url.searchParams.set('application_name', schema);
  // A busy machine may need more than the default to answer.
  url.searchParams.set('connect_timeout', String(hangsAfterMs / 1000));
  return { url: url.href, drop: async () => void (await client.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)) };
}
