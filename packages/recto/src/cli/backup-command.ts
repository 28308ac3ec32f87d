import type { Terminal } from '../base/terminal.ts';
import { databaseFile } from '../service/service-database.ts';
import { writeBackup } from '../transfer/backup-file.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { settingsOfExisting } from './existing-database.ts';
import { rowsText } from './file-rows.ts';

/** `recto backup`: a checked snapshot of the database, also while the service runs. Resolves with the exit code. */
export const backUp = (terminal: Terminal, file: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const path = databaseFile(settingsOfExisting(terminal), pgDump);
    const { bytes, rows } = writeBackup(path, file);
    return {
      text: `Backed up ${path} to ${file}: ${rowsText({ rows })}, ${bytes} bytes, checked.\n`,
      json: { file, bytes, rows },
    };
  });

const pgDump = 'pg_dump backs it up while the service runs (see docs/scaling.md)';
