import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartRefused } from '../base/start-refused.ts';
import type { Terminal } from '../base/terminal.ts';
import { databaseLocation, readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { readDeployed, refuseWrongFiles } from '../service/definitions.ts';
import { openServiceDatabase } from '../service/service-database.ts';

/** The database and the content types that the settings lead to, for a command that works on them beside a running service. */
export interface TransferDatabase {
  readonly database: Database;
  readonly types: ContentTypes;
  /** A folder for working copies; on the disk of the database where that is a file. */
  readonly workFolder: string;
}

/** How long a transaction waits for a service that writes as well: nobody waits for an answer here. */
const patienceMs = 60_000;

/**
 * Runs `work` on the database, made able to hold the definitions as a start does it. Without a database there is nothing to
 * export (`StartRefused`); an import makes one, a dry run works on an empty one that is thrown away.
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
      return await work({ database, types: definitions.current.types, workFolder: place.workFolder });
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
  /** Removes what was only made for this. */
  remove(): void;
}

function placeOf(settings: Settings, missing: 'refuse' | 'make' | 'pretend'): Place {
  const location = databaseLocation(settings);
  // Working copies are files of this machine, wherever the database is.
  if (location.kind === 'postgres') return temporary((folder) => ({ settings, workFolder: folder }));
  const { path } = location;
  if (existsSync(path)) return { settings, workFolder: dirname(path), remove: () => undefined };
  if (missing === 'refuse') throw new StartRefused(`There is no database ${path} yet.`);
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
