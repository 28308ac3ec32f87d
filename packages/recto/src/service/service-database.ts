import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import type { Logger } from '../base/logger.ts';
import { databaseLocation, type Settings } from '../config/settings.ts';
import type { Database, ReplicaStatus } from '../database/database.ts';
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import { rectoTables } from './recto-tables.ts';

export interface ServiceDatabaseOptions extends Omit<DatabaseOptions, 'engine'> {
  /** Where its time is counted. */
  readonly metrics?: Metrics;
}

/** Opens the configured database. Rejects with a `FatalError`. */
export function openServiceDatabase(settings: Settings, options: ServiceDatabaseOptions = {}): Promise<Database> {
  const { dataDir, databaseListenUrl, databasePool, writeTimeoutSecs } = settings;
  const { metrics, ...rest } = options;
  return openDatabase(databaseLocation(settings), {
    engine: rectoTables,
    connections: databasePool,
    busyTimeoutMs: writeTimeoutSecs * 1_000,
    commitCounters: join(dataDir, 'commits'),
    ...(databaseListenUrl === undefined ? {} : { listenUrl: databaseListenUrl }),
    ...(metrics === undefined ? {} : { observe: (seconds) => metrics.databaseTime(seconds) }),
    ...rest,
  });
}

/** Opens it for a process that answers requests: with its time counted, and reads sent to the replicas. */
export async function openServingDatabase(settings: Settings, metrics: Metrics, log: Logger): Promise<Database> {
  const onReplica = ({ place, leftOut }: ReplicaStatus): void => {
    if (leftOut === null) log.info({ place }, 'a replica of the database is read from');
    else log.warn({ place, reason: leftOut }, 'a replica of the database is left out');
  };
  const database = await openServiceDatabase(settings, {
    metrics,
    replicaUrls: settings.databaseReplicaUrls,
    onReplica,
  });
  if (database.readPlaces !== undefined) metrics.watchReads(() => database.readPlaces);
  return database;
}

/** The path of the database file, for what is done with files. `instead` names the alternative where there is none. */
export function databaseFile(settings: Settings, instead: string): string {
  const location = databaseLocation(settings);
  if (location.kind === 'sqlite') return location.path;
  throw new FatalError(`RECTO_DATABASE_URL leads to a PostgreSQL database, which is no file: ${instead}.`);
}
