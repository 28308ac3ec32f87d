import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from './database/database.ts';
import type { Ended } from './processes/recto-process.ts';
import { runCommand } from './processes/run-command.ts';
import type { TestService } from './service.ts';
import { settingsOfStorage } from './storage.ts';

/** Runs `recto` on the database and the files of a service, as a person does beside it. `definitions` are those that the command finds in its files. */
export async function runBeside(
  { database, storageLocation }: TestService,
  definitions: readonly unknown[],
  args: readonly string[],
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-beside-'));
  const types = join(folder, 'content-types');
  try {
    mkdirSync(types);
    for (const [index, definition] of definitions.entries())
      writeFileSync(join(types, `${index + 1}.json`), JSON.stringify(definition));
    const environment = {
      ...{ RECTO_DATA_DIR: database.folder, RECTO_CONTENT_TYPES_DIR: types },
      ...environmentOf(database),
      ...settingsOfStorage(storageLocation),
    };
    return await runCommand(args, { environment });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
