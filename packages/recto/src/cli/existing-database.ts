import { existsSync } from 'node:fs';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { databaseLocation, readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { openServiceDatabase } from '../service/service-database.ts';

/** How long a write waits for a running service, in milliseconds: no request depends on it. */
const patienceMs = 30_000;

/** The settings, after checking that a database file exists; a server is only checked by connecting. */
export function settingsOfExisting(terminal: Terminal): Settings {
  const settings = readSettings(terminal.environment, settingsFileName);
  const location = databaseLocation(settings);
  if (location.kind !== 'sqlite' || existsSync(location.path)) return settings;
  const folder = settings.databaseUrl === undefined && !existsSync(settings.dataDir);
  const missing = folder ? `There is no data folder ${settings.dataDir}` : `There is no database ${location.path}`;
  throw new FatalError(`${missing}: run this where the service runs, with its settings. The first start creates it.`);
}

/** Opens the configured database, runs `work` and closes it. A service may be running on it. */
export async function withDatabase<T>(terminal: Terminal, work: (database: Database) => Promise<T>): Promise<T> {
  const settings = settingsOfExisting(terminal);
  const database = await openServiceDatabase(settings, { busyTimeoutMs: patienceMs, connections: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
