import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { databaseLocation, readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { readDeployed, refuseWrongFiles } from '../service/definitions.ts';
import { openServiceDatabase } from '../service/service-database.ts';

/** The configured database and content types, for a command that may run beside a service. */
export interface TransferDatabase {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly settings: Settings;
  /** A folder for working copies; on the same disk as a database file. */
  readonly workFolder: string;
}

/** How long a transaction waits for a running service, in milliseconds: no request depends on it. */
const patienceMs = 60_000;

/**
 * Runs `work` on the database, after migrating it to the definitions as a start does. Without a database an export fails
 * (`FatalError`), an import creates one, and a dry run uses an empty one that is deleted afterwards.
 */
export async function withTransferDatabase<T>(
  terminal: Terminal,
  missing: 'refuse' | 'make' | 'pretend',
  work: (parts: TransferDatabase) => Promise<T>,
): Promise<T> {
  const settings = readSettings(terminal.environment, settingsFileName);
  const deployed = await readDeployed(settings);
  refuseWrongFiles(settings, deployed);
  const place = placeOf(settings, missing);
  try {
    const database = await openServiceDatabase(place.settings, { busyTimeoutMs: patienceMs, connections: 2 });
    try {
      const { definitions } = await LiveDefinitions.open({ database, deployed });
      return await work({ database, types: definitions.current.types, settings, workFolder: place.workFolder });
    } finally {
      await database.close();
    }
  } finally {
    place.remove();
  }
}

interface Place {
  readonly settings: Settings;
  readonly workFolder: string;
  /** Removes temporary files. */
  remove(): void;
}

function placeOf(settings: Settings, missing: 'refuse' | 'make' | 'pretend'): Place {
  const location = databaseLocation(settings);
  // Working copies are files of this machine, wherever the database is.
  if (location.kind === 'postgres') return temporary((folder) => ({ settings, workFolder: folder }));
  const { path } = location;
  if (existsSync(path)) return { settings, workFolder: dirname(path), remove: () => undefined };
  if (missing === 'refuse') throw new FatalError(`There is no database ${path} yet.`);
  if (missing === 'make') return { settings, workFolder: dirname(path), remove: () => undefined };
  return temporary((folder) => {
    const databaseUrl = { kind: 'sqlite', path: join(folder, 'recto.db') } as const;
    return { settings: { ...settings, databaseUrl }, workFolder: folder };
  });
}

function temporary(place: (folder: string) => Omit<Place, 'remove'>): Place {
  const folder = mkdtempSync(join(tmpdir(), 'recto-transfer-'));
  return { ...place(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
