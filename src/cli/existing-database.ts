import { existsSync } from 'node:fs';
import { databasePath, readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { openSqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import { StartRefused } from '../errors/start-refused.ts';
import type { Terminal } from './terminal.ts';

/** How long a write waits for a service that writes as well: nobody waits for an answer here. */
const patienceMs = 30_000;

/** Settings, and the path of the database that they lead to. Throws `StartRefused` where there is none yet. */
export function existingDatabase(terminal: Terminal): { readonly settings: Settings; readonly path: string } {
  const settings = readSettings(terminal.environment, settingsFileName);
  const path = databasePath(settings);
  if (existsSync(path)) return { settings, path };
  const folder = settings.databaseUrl === undefined && !existsSync(settings.dataDir);
  const missing = folder ? `There is no data folder ${settings.dataDir}` : `There is no database ${path}`;
  throw new StartRefused(`${missing}: run this where the service runs, with its settings. The first start makes it.`);
}

/** Runs `work` on the database that the settings lead to, beside a service that may be running, and closes it. */
export async function withDatabase<T>(terminal: Terminal, work: (database: Database) => Promise<T>): Promise<T> {
  const { path } = existingDatabase(terminal);
  const database = await openSqliteDatabase({ path, busyTimeoutMs: patienceMs });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
