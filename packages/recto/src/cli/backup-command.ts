import { countOf } from '../base/count-of.ts';
import type { Terminal } from '../base/terminal.ts';
import type { Settings } from '../config/settings.ts';
import { databaseFile } from '../service/service-database.ts';
import { openStorage, storageLocation, storageName } from '../storage/open-storage.ts';
import { type BackupArchive, writeArchive } from '../transfer/archive/write-archive.ts';
import { writeBackup } from '../transfer/backup-file.ts';
import { type Answer, type AnswerOptions, answer } from './answer.ts';
import { settingsOfExisting } from './existing-database.ts';
import { lackingText, rowsText } from './file-rows.ts';

interface BackupOptions extends AnswerOptions {
  /** One archive with the database and the files of media. */
  readonly withMedia?: boolean;
}

/** `recto backup`: a checked snapshot of the database, also while the service runs. Resolves with the exit code. */
export const backUp = (terminal: Terminal, file: string, options: BackupOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const settings = settingsOfExisting(terminal);
    const path = databaseFile(settings, pgDump);
    if (options.withMedia === true) {
      const storage = openStorage(storageLocation(settings), terminal.environment);
      return archiveAnswer(path, await writeArchive(path, file, storage));
    }
    const { bytes, rows } = writeBackup(path, file);
    return {
      text: `Backed up ${path} to ${file}: ${rowsText({ rows })}, ${bytes} bytes, checked.\n${withoutFiles(settings)}`,
      json: { file, bytes, rows, media: false },
    };
  });

function archiveAnswer(path: string, { file, bytes, rows, media }: BackupArchive): Answer {
  const { files, missing, damaged } = media;
  const done = `Backed up ${path} and the files of media to ${file}: ${rowsText({ rows })}, ${countOf(files, 'file')}, ${bytes} bytes, checked.\n`;
  return {
    text: `${done}${lackingText(media)}`,
    json: { file, bytes, rows, media: { files, bytes: media.bytes, missing, damaged } },
    ok: missing.length + damaged.length === 0,
  };
}

const withoutFiles = (settings: Settings): string =>
  `The files of media are not in it: copy ${storageName(storageLocation(settings))} as well, after this, or use --with-media.\n`;

const pgDump =
  'pg_dump backs it up while the service runs (see docs/scaling.md), and "recto media move" copies the files of media';
