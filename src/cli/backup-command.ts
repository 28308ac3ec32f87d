import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { copySqliteFile, type FileContents } from '../database/sqlite/sqlite-copy.ts';
import { StartRefused } from '../errors/start-refused.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { existingDatabase } from './existing-database.ts';
import { rowsText } from './file-rows.ts';
import type { Terminal } from './terminal.ts';

/** `recto backup`: a checked copy of the database, of one moment, while the service may be running. Resolves with the exit code. */
export const backUp = (terminal: Terminal, file: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const { path } = existingDatabase(terminal);
    const target = resolve(file);
    refuseExisting(target, file);
    const contents = copyInto(path, target, file);
    const bytes = statSync(target).size;
    return {
      text: `Backed up ${path} to ${file}: ${rowsText(contents)}, ${bytes} bytes, checked.\n`,
      json: { file, bytes, rows: contents.rows },
    };
  });

function refuseExisting(target: string, file: string): void {
  if (existsSync(target)) throw new StartRefused(`There is a file ${file} already; nothing is overwritten.`);
  if (!existsSync(dirname(target))) throw new StartRefused(`There is no folder ${dirname(file)} to put the backup in.`);
}

/** The file gets its name when it is whole, checked and on the disk; until then it is in a folder that nobody else can read. */
function copyInto(path: string, target: string, file: string): FileContents {
  const folder = workFolder(target);
  try {
    const copy = join(folder, basename(target));
    const contents = copySqliteFile(path, copy);
    chmodSync(copy, 0o600);
    syncToDisk(copy);
    putInPlace(copy, target);
    syncToDisk(dirname(target));
    return contents;
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(`${file} cannot be written: ${messageOf(error)}.`, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unlike a mere rename, this does not replace a file that another process has made meanwhile. */
function putInPlace(copy: string, target: string): void {
  try {
    linkSync(copy, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    // A disk that knows no hard links: the name is taken first, and then replaced.
    closeSync(openSync(target, 'wx', 0o600));
    renameSync(copy, target);
  }
}

/** A folder on the disk of `target` that its owner alone can read. */
export function workFolder(target: string): string {
  try {
    return mkdtempSync(join(dirname(target), '.recto-'));
  } catch (error) {
    throw new StartRefused(`The folder ${dirname(target)} cannot be written to: ${messageOf(error)}.`, error);
  }
}

export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
