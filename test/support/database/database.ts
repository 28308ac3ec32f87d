import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { SqlValue } from '../../../packages/recto/src/base/bindings.ts';
import type { DatabaseLocation } from '../../../packages/recto/src/config/settings.ts';
import type { Database, Query } from '../../../packages/recto/src/database/database.ts';
import { type DatabaseOptions, openDatabase } from '../../../packages/recto/src/database/open-database.ts';
import { openSqliteDatabase, type SqliteOptions } from '../../../packages/recto/src/database/sqlite/sqlite-database.ts';
import { rectoTables } from '../../../packages/recto/src/service/recto-tables.ts';
import { hangsAfterMs } from '../hangs-after.ts';
import { volatileFolder } from '../volatile-folder.ts';
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
  // Tests of how the tables are made, and of what that costs, begin with nothing.
  const { location, engine, onCommit, maxPages } = options;
  const isOrdinary = [location, engine, onCommit, maxPages].every((given) => given === undefined);
  const place = isOrdinary ? await newPreparedLocation() : await newTestLocation(location);
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
  const { folder, path } = place;
  return Object.assign(database, {
    location: place.location,
    folder,
    path,
    again,
    close,
    [Symbol.asyncDispose]: close,
  });
}

export interface TestLocation extends AsyncDisposable {
  readonly location: DatabaseLocation;
  readonly folder: string;
  readonly path: string;
}

/** Where a database of this test's own can be made, and is removed from afterwards. */
export async function newTestLocation(given?: DatabaseLocation): Promise<TestLocation> {
  return locationOf(given ?? (onPostgres ? await newTestSchema() : undefined));
}

/** The same, with the engine's tables in it: a copy of a database that was made once. */
async function newPreparedLocation(): Promise<TestLocation> {
  if (onPostgres) return locationOf(await newTestCopy());
  prepared ??= prepareFile();
  const file = await prepared;
  const place = locationOf(undefined);
  copyFileSync(file, place.path);
  return place;
}

function locationOf(place: DatabaseLocation | PostgresPlace | undefined): TestLocation {
  const folder = mkdtempSync(join(volatileFolder(), 'recto-test-'));
  const path = join(folder, 'recto.db');
  return {
    location:
      place === undefined ? { kind: 'sqlite', path } : 'kind' in place ? place : { kind: 'postgres', url: place.url },
    folder,
    path,
    [Symbol.asyncDispose]: async () => {
      rmSync(folder, { recursive: true, force: true });
      if (place !== undefined && 'drop' in place) await place.drop();
    },
  };
}

/** SQLite: a file with the engine's tables, made once by each process of the tests. */
async function prepareFile(): Promise<string> {
  const folder = mkdtempSync(join(volatileFolder(), 'recto-prepared-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'recto.db');
  await (await openAt({ kind: 'sqlite', path }, {})).close();
  return path;
}

let prepared: Promise<string> | undefined;

/** What leads a `recto` process to the database; nothing for a file, which is in its data folder. */
export const environmentOf = ({ location }: Pick<TestLocation, 'location'>): Readonly<Record<string, string>> =>
  location.kind === 'postgres' ? { RECTO_DATABASE_URL: location.url, RECTO_DATABASE_POOL: String(connections) } : {};

/** Few connections: each is a process of the server's. */
const connections = 3;

function openAt(location: DatabaseLocation, options: TestDatabaseOptions): Promise<Database> {
  // Writes that wait for others, or conflict, are tried for as long as a busy machine may need.
  if (location.kind === 'postgres')
    return openDatabase(location, { engine: rectoTables, connections, busyTimeoutMs: hangsAfterMs, ...options });
  const { engine = rectoTables, onCommit, maxPages, observe, busyTimeoutMs = hangsAfterMs, openLog } = options;
  return openSqliteDatabase({
    ...{ path: location.path, engine, busyTimeoutMs },
    ...(onCommit === undefined ? {} : { onCommit }),
    ...(maxPages === undefined ? {} : { maxPages }),
    ...(observe === undefined ? {} : { observe }),
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
let admin: SQL | undefined;

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

interface PostgresPlace {
  readonly url: string;
  drop(): Promise<void>;
}

/** For what tests do beside their databases: one connection of this process. */
async function testAdmin(): Promise<{ readonly client: SQL; readonly base: string }> {
  const base = await testPostgresUrl();
  admin ??= new SQL(base, { max: 1, connectionTimeout: hangsAfterMs / 1000 });
  return { client: admin, base };
}

/** A schema of one test's own, in which what it opens by the URL makes its tables. Much cheaper than an empty database. */
async function newTestSchema(): Promise<PostgresPlace> {
  const { client, base } = await testAdmin();
  const schema = newName();
  await client.unsafe(`CREATE SCHEMA ${schema}`);
  const url = urlFor(base, schema);
  url.searchParams.set('search_path', schema);
  return { url: url.href, drop: async () => void (await client.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)) };
}

/** A database of one test's own, with the engine's tables. */
async function newTestCopy(): Promise<PostgresPlace> {
  const { client, base } = await testAdmin();
  template ??= prepareTemplate(client, base);
  const name = newName();
  // Few pages are copied, and nothing has to be on the disk: quicker than through the log.
  await client.unsafe(`CREATE DATABASE ${name} TEMPLATE ${await template} STRATEGY file_copy`);
  const url = urlFor(base, name);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await client.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

let template: Promise<string> | undefined;

/** Makes the database that others are copies of, once for each server and each shape of the engine's tables. */
async function prepareTemplate(client: SQL, base: string): Promise<string> {
  const shape = JSON.stringify(rectoTables, (_, value) => (typeof value === 'function' ? String(value) : value));
  const name = `recto_prepared_${Bun.hash(shape).toString(36)}`;
  // Any number, as long as all processes of the tests use the same.
  const lock = 1_947_203;
  await client.unsafe(`SELECT pg_advisory_lock(${lock})`);
  try {
    const [known] = await client.unsafe(`SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (known !== undefined) return name;
    // Others find it by its name only when it is whole.
    const making = `${name}_making`;
    await client.unsafe(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`);
    await client.unsafe(`CREATE DATABASE ${making}`);
    const url = new URL(base);
    url.pathname = `/${making}`;
    await (await openAt({ kind: 'postgres', url: url.href }, {})).close();
    await client.unsafe(`ALTER DATABASE ${making} RENAME TO ${name}`);
    return name;
  } finally {
    await client.unsafe(`SELECT pg_advisory_unlock(${lock})`);
  }
}

const newName = (): string => `test_${crypto.randomUUID().replaceAll('-', '')}`;

/** So that a test can distinguish its own connections from others, and has as long as a busy machine may need to connect. */
function urlFor(base: string, name: string): URL {
  const url = new URL(base);
  url.searchParams.set('application_name', name);
  url.searchParams.set('connect_timeout', String(hangsAfterMs / 1000));
  return url;
}
