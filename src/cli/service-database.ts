import { databasePath, type Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { openSqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import type { Metrics } from '../http/metrics/metrics.ts';

/** Opens the database of the settings; its time is counted where there are metrics. Rejects with a `StartRefused`. */
export const openServiceDatabase = (settings: Settings, metrics?: Metrics): Promise<Database> =>
  openSqliteDatabase({
    path: databasePath(settings),
    ...(metrics === undefined ? {} : { observe: (seconds) => metrics.databaseTime(seconds) }),
  });
