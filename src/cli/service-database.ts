import { join } from 'node:path';
import { databaseLocation, type Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts';
import { StartRefused } from '../errors/start-refused.ts';
import type { Metrics } from '../http/metrics/metrics.ts';

export interface ServiceDatabaseOptions extends DatabaseOptions {
  /** Where its time is counted. */
  readonly metrics?: Metrics;
}

/** Opens the database that the settings lead to. Rejects with a `StartRefused`. */
export function openServiceDatabase(settings: Settings, options: ServiceDatabaseOptions = {}): Promise<Database> {
  const { dataDir, databaseListenUrl, databasePool } = settings;
  const { metrics, ...rest } = options;
  return openDatabase(databaseLocation(settings), {
    connections: databasePool,
    commitCounters: join(dataDir, 'commits'),
    ...(databaseListenUrl === undefined ? {} : { listenUrl: databaseListenUrl }),
    ...(metrics === undefined ? {} : { observe: (seconds) => metrics.databaseTime(seconds) }),
    ...rest,
  });
}

/** The path of the database file, for what is done with files. `instead` says what does it where there is none. */
export function databaseFile(settings: Settings, instead: string): string {
  const location = databaseLocation(settings);
  if (location.kind === 'sqlite') return location.path;
  throw new StartRefused(`RECTO_DATABASE_URL leads to a PostgreSQL database, which is no file: ${instead}.`);
}
