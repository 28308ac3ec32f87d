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
import { FatalError } from '../base/fatal-error.ts';
import { copySqliteFile, type FileContents } from '../database/sqlite/sqlite-copy.ts';

/** A checked backup. */
export interface Backup {
  /** Its file, as the user named it. */
  readonly file: string;
  readonly bytes: number;
  readonly rows: FileContents['rows'];
}

/** Copies a snapshot of the database, checked, to a new file. Throws `FatalError` when that fails. */
export function writeBackup(path: string, file: string): Backup {
  const target = resolve(file);
  refuseExisting(target, file);
  const { rows } = copyInto(path, target, file);
  return { file, bytes: statSync(target).size, rows };
}

/** Like `writeBackup`, under a dated name beside the database. Another command may take that name first. */
export function writeDatedBackup(path: string, word: string, isTaken: (name: string) => boolean = existsSync): Backup {
  for (;;) {
    const file = datedName(path, word, isTaken);
    try {
      return writeBackup(path, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    }
  }
}

/** A free name beside the database: `recto.db.before-restore-20261121T100000Z`. */
export function datedName(path: string, word: string, isTaken: (name: string) => boolean = existsSync): string {
  const dated = `${path}.${word}-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  let name = dated;
  for (let count = 2; isTaken(name); count += 1) name = `${dated}-${count}`;
  return name;
}

export function refuseExisting(target: string, file: string): void {
  if (existsSync(target)) throw new FatalError(`There is a file ${file} already; nothing is overwritten.`);
  if (!existsSync(dirname(target))) throw new FatalError(`There is no folder ${dirname(file)} to put the backup in.`);
}

/** The file gets its name when it is complete, checked and on the disk; until then it is in a folder that nobody else can read. */
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
    if (error instanceof FatalError) throw error;
    throw new FatalError(`${file} cannot be written: ${messageOf(error)}.`, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unlike a rename, this does not replace a file that another process has created meanwhile. */
export function putInPlace(copy: string, target: string): void {
  try {
    linkSync(copy, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    // Without hard links, an empty file takes the name first and is then replaced.
    closeSync(openSync(target, 'wx', 0o600));
    renameSync(copy, target);
  }
}

/** A folder on the disk of `target` that only its owner can read. */
export function workFolder(target: string): string {
  try {
    return mkdtempSync(join(dirname(target), '.recto-'));
  } catch (error) {
    throw new FatalError(`The folder ${dirname(target)} cannot be written to: ${messageOf(error)}.`, error);
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
