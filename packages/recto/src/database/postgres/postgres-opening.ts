import { SQL } from 'bun';
import { FatalError } from '../../base/fatal-error.ts';
import type { Executor } from '../database.ts';
import type { EngineTables } from '../engine/engine-tables.ts';
import { prepareEngine } from '../engine/prepare-engine.ts';
import { clientExecutor, runQuery } from './postgres-client.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { placeOf, postgresClient } from './postgres-location.ts';
import { readSnapshot } from './postgres-snapshot.ts';

/** The oldest version that this is tested with. */
const oldest = 150_000;

/** "recto" in letters of ASCII: if another program uses the same number, the two only wait for each other. */
const openingLock = 0x726563746f;

interface Server {
  readonly version: number;
  readonly version_text: string;
  readonly encoding: string;
  readonly replica: boolean;
  /** Where tables are created and found; null where none of the search path exists. */
  readonly schema: string | null;
}

/**
 * A table that holds nothing; what the last commits have left behind (see `CommitMarks`), until a day after their process is
 * gone; and the generations that are kept (see `PostgresGenerations`).
 */
const ownTables: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS recto_writers ()',
  `CREATE TABLE IF NOT EXISTS recto_changes (
    slot text NOT NULL,
    name text NOT NULL,
    id text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, name)
  ) WITH (fillfactor = 50)`,
  "DELETE FROM recto_changes WHERE at < now() - interval '1 day'",
  'CREATE TABLE IF NOT EXISTS recto_generations (name text NOT NULL PRIMARY KEY, generation bigint NOT NULL)',
];

/**
 * Checks that the database can be worked with, and brings the engine's tables to their present shape, one process
 * after the other. Throws a `FatalError` that says what is wrong with it.
 */
export async function preparePostgres(url: string, client: SQL, engine: EngineTables): Promise<void> {
  const place = placeOf(url);
  try {
    checkServer(place, await describe(client));
    await makeTables(client, engine, place);
  } catch (error) {
    if (error instanceof FatalError) throw error;
    throw new FatalError(openingErrorText(place, error), error);
  }
}

/** What would keep a start from working with the database. Throws a `FatalError` when it cannot be reached. */
export async function inspectPostgres(url: string): Promise<readonly string[]> {
  const client = postgresClient(url, { connections: 1 });
  try {
    checkServer(placeOf(url), await describe(client));
    return [];
  } catch (error) {
    if (error instanceof FatalError) return [error.message];
    throw new FatalError(openingErrorText(placeOf(url), error), error);
  } finally {
    await client.close({ timeout: 0 });
  }
}

/** How many other connections of services there are, by the name that they give themselves (`application_name`). */
export async function postgresUsers(url: string): Promise<number> {
  const client = postgresClient(url, { connections: 1 });
  try {
    const [row] = await runQuery<{ users: number }>(client, {
      sql: `SELECT count(*) AS users FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user
        AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`,
      parameters: [],
    });
    return row?.users ?? 0;
  } catch (error) {
    throw new FatalError(openingErrorText(placeOf(url), error), error);
  } finally {
    await client.close({ timeout: 0 });
  }
}

/** Runs `work` on one state of what is stored; undefined where no service has been started on it yet. */
export async function readPostgres<T>(url: string, work: (reader: Executor) => Promise<T>): Promise<T | undefined> {
  return readSnapshot(url, undefined, async (reader) => {
    const [made] = await reader.rows<{ made: boolean }>({
      sql: "SELECT to_regclass('recto_generations') IS NOT NULL AS made",
      parameters: [],
    });
    return made?.made === true ? work(reader) : undefined;
  });
}

async function describe(client: SQL): Promise<Server | undefined> {
  const [server] = await runQuery<Server>(client, {
    sql: `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS version_text,
      current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS replica, current_schema() AS schema`,
    parameters: [],
  });
  return server;
}

function checkServer(place: string, server: Server | undefined): void {
  if (server === undefined) throw new Error('It returned no version.');
  const { version, version_text: versionText, encoding, replica, schema } = server;
  if (version < oldest)
    throw new FatalError(`The database ${place} is PostgreSQL ${versionText}: 15 or newer is needed.`);
  if (encoding !== 'UTF8')
    throw new FatalError(
      `The database ${place} is encoded in ${encoding}: CREATE DATABASE … ENCODING 'UTF8' is needed.`,
    );
  if (replica)
    throw new FatalError(`The database ${place} is a replica, which cannot be written to: name the primary.`);
  if (schema === null) throw new FatalError(`The database ${place} has no schema that its search_path names.`);
}

async function makeTables(client: SQL, engine: EngineTables, place: string): Promise<void> {
  // Each statement sees what was committed before it, and so what the lock's previous holder did.
  await client.begin('isolation level read committed', async (connection) => {
    await connection.unsafe('SELECT pg_advisory_xact_lock($1)', [String(openingLock)]);
    for (const statement of ownTables) await connection.unsafe(statement);
    const executor = clientExecutor(connection);
    await prepareEngine({ executor, dialect: postgresDialect, engine, place: `The database ${place}` });
  });
}

/** PgBouncer takes no connection that begins with settings which it does not know, such as the time limit of reads. */
export const isPoolerRefusal = (error: unknown): boolean =>
  /unsupported startup parameter|statement_timeout/.test(String(error));

export const poolerText = (place: string): string =>
  `The database ${place} takes no connection with settings of its own, as a pooler in transaction mode does not: name the server itself in RECTO_DATABASE_LISTEN_URL.`;

function openingErrorText(place: string, error: unknown): string {
  if (isPoolerRefusal(error)) return poolerText(place);
  const reason = error instanceof Error ? error.message : String(error);
  const state = error instanceof SQL.PostgresError ? error.errno : undefined;
  if (state === '42501')
    return `The database ${place} does not let this user make tables: ${reason}. GRANT CREATE ON SCHEMA … TO the user.`;
  return `The database ${place} cannot be used: ${reason}.`;
}
