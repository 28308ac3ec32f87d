import { Database } from 'bun:sqlite';
import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
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
  if (found?.isFile() === true) return path;
  const inside = join(path, databaseName);
  return found?.isDirectory() === true && existsSync(inside) ? inside : undefined;
}

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
      if (existsSync(`${file}${ending}`))
        copyFileSync(`${file}${ending}`, `${copy}${ending}`, constants.COPYFILE_FICLONE);
    }
    const database = openCopy(copy, file);
    const storage = media ?? join(dirname(file), 'storage');
    return {
      ...{ database, storage },
      collections: collectionsOf(database, file),
      [Symbol.dispose]: () => {
        database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
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
