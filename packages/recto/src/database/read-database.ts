import { existsSync } from 'node:fs';
import type { DatabaseLocation } from '../config/settings.ts';
import type { Executor } from './database.ts';
import type { Dialect } from './dialect.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { inspectPostgres, postgresUsers, readPostgres } from './postgres/postgres-opening.ts';
import { inspectReplicas } from './postgres/replicas/inspect-replicas.ts';
import { holdSqliteFile, inspectSqliteFile } from './sqlite/sqlite-copy.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { openSqliteReader } from './sqlite/sqlite-file.ts';

/** Why the standbys of a database cannot be read from, each named; empty where it has none. */
export async function inspectStandbys(location: DatabaseLocation, urls: readonly string[]): Promise<readonly string[]> {
  return location.kind === 'postgres' && urls.length > 0 ? inspectReplicas(location.url, urls) : [];
}

const patienceMs = 10_000;

/** What is wrong with the database at a location; undefined where there is none yet. Throws when it cannot be read. Writes nothing. */
export async function inspectDatabase(location: DatabaseLocation): Promise<readonly string[] | undefined> {
  if (location.kind === 'postgres') return inspectPostgres(location.url);
  return existsSync(location.path) ? inspectSqliteFile(location.path) : undefined;
}

/** Runs `work` on one state of what is stored, making nothing; undefined where nothing is stored yet. */
export async function readAsItIs<T>(
  location: DatabaseLocation,
  work: (executor: Executor, dialect: Dialect) => Promise<T>,
): Promise<T | undefined> {
  if (location.kind === 'postgres') return readPostgres(location.url, (executor) => work(executor, postgresDialect));
  if (!existsSync(location.path)) return undefined;
  const reader = openSqliteReader({ path: location.path, busyTimeoutMs: patienceMs });
  try {
    reader.execute('BEGIN');
    return await work(reader, sqliteDialect);
  } finally {
    reader.close();
  }
}

/** Whether another process works with the database at this moment, as far as the database knows. */
export async function isOpenElsewhere(location: DatabaseLocation): Promise<boolean> {
  if (location.kind === 'postgres') return (await postgresUsers(location.url)) > 0;
  const hold = holdSqliteFile(location.path);
  hold?.release();
  return hold === undefined;
}
