import { type AnswerOptions, answer } from './answer.ts';
import { writeBackup } from './backup-file.ts';
import { existingDatabase } from './existing-database.ts';
import { rowsText } from './file-rows.ts';
import type { Terminal } from './terminal.ts';

/** `recto backup`: a checked copy of the database, of one moment, while the service may be running. Resolves with the exit code. */
export const backUp = (terminal: Terminal, file: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const { path } = existingDatabase(terminal);
    const { bytes, rows } = writeBackup(path, file);
    return {
      text: `Backed up ${path} to ${file}: ${rowsText({ rows })}, ${bytes} bytes, checked.\n`,
      json: { file, bytes, rows },
    };
  });
