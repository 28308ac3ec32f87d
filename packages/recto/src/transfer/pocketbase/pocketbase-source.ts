import { Database } from 'bun:sqlite';
import { constants, copyFileSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TransferRefused } from '../transfer-refused.ts';
import { type PocketbaseCollection, readCollections } from './pocketbase-collections.ts';

const databaseName = 'data.db';

/** A data folder of PocketBase that was opened. */
export interface PocketbaseSource extends Disposable {
  readonly database: Database;
  readonly collections: readonly PocketbaseCollection[];
  /** The folder of files. */
  readonly storage: string;
}

/** The database of a data folder, or of a path to it. */
function databaseOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (isFile(path)) return path;
  const inside = join(path, databaseName);
  return found?.isDirectory() === true && isFile(inside) ? inside : undefined;
}

/** What is there and no file, such as a pipe, could be read without end. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

export function isPocketbase(path: string): boolean {
  const file = databaseOf(path);
  return file !== undefined && basename(file) === databaseName;
}

/**
 * Opens a copy of the database: the folder of the source stays as it is, also where PocketBase runs on it. Throws a `TransferRefused` for
 * what is none.
 */
export function openPocketbase(path: string, workFolder: string, media: string | undefined): PocketbaseSource {
  const file = databaseOf(path);
  if (file === undefined)
    throw new TransferRefused(`${path} is no data folder of PocketBase: it has no ${databaseName}.`);
  mkdirSync(workFolder, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(workFolder, 'transfer-'));
  try {
    const copy = join(folder, databaseName);
    for (const ending of ['', '-wal']) {
      if (isFile(`${file}${ending}`)) copyFileSync(`${file}${ending}`, `${copy}${ending}`, constants.COPYFILE_FICLONE);
    }
    const database = openCopy(copy, file);
    const collections = collectionsOf(database, file);
    const storage = media ?? storageIn(dirname(file));
    // It has hashes and keys of people: open, it needs no name, so that nothing remains however the process ends.
    remove(folder);
    return {
      ...{ database, storage, collections },
      [Symbol.dispose]: () => {
        database.close();
        remove(folder);
      },
    };
  } catch (error) {
    remove(folder);
    throw error;
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A system that cannot remove open files has it removed when it is closed.
  }
}

/** The folder of files. A link in a folder that comes from somewhere could name any folder: only its operator does. */
function storageIn(folder: string): string {
  const storage = join(folder, 'storage');
  if (lstatSync(storage, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return storage;
  throw new TransferRefused(`${storage} is a link. Name the folder that it leads to: --media FOLDER.`);
}

/** Nothing in the file is trusted: its schema runs no functions, and its pages are checked. */
const pragmas = ['trusted_schema = OFF', 'cell_size_check = ON', 'mmap_size = 0', 'query_only = ON'];

function openCopy(copy: string, file: string): Database {
  try {
    const database = new Database(copy, { readwrite: true, create: false, strict: true });
    for (const pragma of pragmas) database.run(`PRAGMA ${pragma}`);
    return database;
  } catch (error) {
    throw damaged(file, error);
  }
}

function collectionsOf(database: Database, file: string): readonly PocketbaseCollection[] {
  try {
    return readCollections(database);
  } catch (error) {
    database.close();
    throw error instanceof TransferRefused
      ? new TransferRefused(`${file} is no database of PocketBase. ${error.message}`, error)
      : damaged(file, error);
  }
}

/** An error of SQLite about the file is one of the source. */
export function damaged(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^SQLITE_(?:NOTADB|CORRUPT|IOERR|ERROR|FORMAT|CANTOPEN|TOOBIG)/.test(code)) return error;
  return new TransferRefused(`${file} is damaged, or no database of SQLite: ${Object(error).message}.`, error);
}
