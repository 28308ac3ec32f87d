import { resolve } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import type { DatabaseLocation } from '../config/settings.ts';
import type { Database, Observe, ReplicaStatus } from './database.ts';
import type { EngineTables } from './engine/engine-tables.ts';
import { placeOf } from './postgres/postgres-location.ts';
import { isUnfinishedCopy } from './unfinished-copy.ts';

export interface DatabaseOptions {
  /** The engine's tables, which are made or brought to their present shape. */
  readonly engine: EngineTables;
  /** Called with the time of each statement, in seconds. */
  readonly observe?: Observe;
  /** How long a transaction waits for others before it gets 503; default 5,000 ms. */
  readonly busyTimeoutMs?: number;
  /** PostgreSQL: how long a read may take before it gets 503; default 30,000 ms. Transactions and snapshots have no such limit. */
  readonly readTimeoutMs?: number;
  /** PostgreSQL: the most connections of this process; one more listens. */
  readonly connections?: number;
  /** PostgreSQL: where to listen for changes, if not at the location itself. */
  readonly listenUrl?: string;
  /** PostgreSQL: the file by which the processes of this machine announce their commits. */
  readonly commitCounters?: string;
  /** PostgreSQL: standbys to read from. */
  readonly replicaUrls?: readonly string[];
  /** Called for each of them when it begins to serve, and when it is skipped. */
  readonly onReplica?: (status: ReplicaStatus) => void;
  /** Open it to be filled with what another database holds: references are not looked at before all is there. */
  readonly filling?: boolean;
}

/**
 * Opens the database at a location, whichever it is. Throws a `FatalError` where it cannot be used, and where it holds a part
 * of another one alone, unless it is opened to be filled.
 */
export async function openDatabase(location: DatabaseLocation, options: DatabaseOptions): Promise<Database> {
  const database = await openAt(location, options);
  try {
    if (options.filling === true || !(await isUnfinishedCopy(database, database.dialect))) return database;
    throw new FatalError(
      `${describeLocation(location)} holds a copy that is not finished: run "recto copy" again, which goes on where it was.`,
    );
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Only the database that is used is loaded. */
async function openAt(location: DatabaseLocation, options: DatabaseOptions): Promise<Database> {
  if (location.kind === 'postgres') {
    const { openPostgresDatabase } = await import('./postgres/postgres-database.ts');
    return openPostgresDatabase({ url: location.url, ...options });
  }
  const { openSqliteDatabase } = await import('./sqlite/sqlite-database.ts');
  const { engine, observe, busyTimeoutMs, filling = false } = options;
  return openSqliteDatabase({
    path: location.path,
    engine,
    ...(observe === undefined ? {} : { observe }),
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
    references: !filling,
  });
}

/** A location as messages name it, without secrets. */
export const describeLocation = (location: DatabaseLocation): string =>
  location.kind === 'postgres' ? `PostgreSQL, ${placeOf(location.url)}` : resolve(location.path);
