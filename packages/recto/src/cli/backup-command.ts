import type { Terminal } from '../base/terminal.ts';
import type { Settings } from '../config/settings.ts';
import { databaseFile } from '../service/service-database.ts';
import { storageLocation, storageName } from '../storage/open-storage.ts';
import { writeBackup } from '../transfer/backup-file.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { settingsOfExisting } from './existing-database.ts';
import { rowsText } from './file-rows.ts';

/** `recto backup`: a checked snapshot of the database, also while the service runs. Resolves with the exit code. */
export const backUp = (terminal: Terminal, file: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const settings = settingsOfExisting(terminal);
    const path = databaseFile(settings, pgDump);
    const { bytes, rows } = writeBackup(path, file);
    return {
      text: `Backed up ${path} to ${file}: ${rowsText({ rows })}, ${bytes} bytes, checked.\n${withoutFiles(settings)}`,
      json: { file, bytes, rows, media: false },
    };
  });

const withoutFiles = (settings: Settings): string =>
  `The files of media are not in it: copy ${storageName(storageLocation(settings))} as well, after this.\n`;

const pgDump = 'pg_dump backs it up while the service runs (see docs/scaling.md)';
