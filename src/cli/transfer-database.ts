import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { databasePath, readSettings, settingsFileName } from '../config/settings.ts';
import { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { Database } from '../database/database.ts';
import { openSqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { StartRefused } from '../errors/start-refused.ts';
import { readDeployed, refuseWrongFiles } from './definitions.ts';
import type { Terminal } from './terminal.ts';

/** The database and the content types that the settings lead to, for a command that works on them beside a running service. */
export interface TransferDatabase {
  readonly database: Database;
  readonly types: ContentTypes;
  /** A folder on the database's disk, for working copies. */
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
  const path = databasePath(settings);
  const exists = existsSync(path);
  if (!exists && missing === 'refuse') throw new StartRefused(`There is no database ${path} yet.`);
  const pretended = !exists && missing === 'pretend' ? mkdtempSync(join(tmpdir(), 'recto-dry-run-')) : undefined;
  try {
    const workFolder = pretended ?? dirname(path);
    const file = pretended === undefined ? path : join(pretended, 'recto.db');
    const database = await openSqliteDatabase({ path: file, busyTimeoutMs: patienceMs });
    try {
      const { definitions } = await LiveDefinitions.open({ database, deployed });
      return await work({ database, types: definitions.current.types, workFolder });
    } finally {
      await database.close();
    }
  } finally {
    if (pretended !== undefined) rmSync(pretended, { recursive: true, force: true });
  }
}
