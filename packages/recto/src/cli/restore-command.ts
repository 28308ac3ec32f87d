import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import { engineState, newerText } from '../database/engine/engine-state.ts';
import { readAsItIs } from '../database/read-database.ts';
import {
  type FileContents,
  type FileHold,
  holdSqliteFile,
  settleSqliteFile,
  verifySqliteFile,
} from '../database/sqlite/sqlite-copy.ts';
import { rectoTables } from '../service/recto-tables.ts';
import { databaseFile } from '../service/service-database.ts';
import { openStorage, storageLocation, storageName } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { BackupManifest } from '../transfer/archive/backup-manifest.ts';
import { isTarFile } from '../transfer/archive/tar-file.ts';
import { unpackArchive } from '../transfer/archive/unpack-archive.ts';
import { datedName, syncToDisk, workFolder } from '../transfer/backup-file.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { lackingText, rowsText } from './file-rows.ts';

interface RestoreOptions extends AnswerOptions {
  /** Replace an existing database, which is kept under another name. */
  readonly force?: boolean;
}

const withoutFiles = (settings: Settings): string =>
  `The files of media were not in it: put them in ${storageName(storageLocation(settings))}, and run "recto media verify".\n`;

const pgRestore = 'pg_restore puts a dump of it back (see docs/scaling.md)';

/** The files of a SQLite database; the last two exist while it is open, or after a crash. */
const suffixes = ['', '-wal', '-shm'] as const;

/**
 * `recto restore`: replaces the database with a backup. The backup is checked before anything is touched; an existing
 * database is kept under a dated name. Resolves with the exit code.
 */
export const restore = (terminal: Terminal, file: string, options: RestoreOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const settings = readSettings(terminal.environment, settingsFileName);
    const path = databaseFile(settings, pgRestore);
    const occupied = suffixes.some((suffix) => existsSync(path + suffix));
    if (!existsSync(file) || !statSync(file).isFile()) throw new FatalError(`There is no file ${file}.`);
    if (occupied && options.force !== true)
      throw new FatalError(
        `There is a database ${path} already; with --force it is kept under another name and replaced.`,
      );
    const storage = (await isTarFile(file)) ? openStorage(storageLocation(settings), terminal.environment) : undefined;
    const { contents, kept, media } = await inFolderOf(path, () => replace(path, { file, storage }, occupied));
    const keptText = kept === undefined ? '' : `What was there is kept as ${kept}.\n`;
    return {
      text: `Restored ${path} from ${file}: ${rowsText(contents)}, checked.\n${keptText}${media === undefined ? withoutFiles(settings) : withFiles(settings, media)}`,
      json: { database: path, rows: contents.rows, kept: kept ?? null, media: media ?? false },
    };
  });

const withFiles = (settings: Settings, media: BackupManifest): string =>
  `Restored ${countOf(media.files - media.damaged.length, 'file')} of media to ${storageName(storageLocation(settings))}, checked.\n${lackingText(media)}`;

/** Runs `work` after creating the folder of `path`; removes a folder it created if `work` throws. */
async function inFolderOf<T>(path: string, work: () => Promise<T>): Promise<T> {
  const made = mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return await work();
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

interface Replaced {
  readonly contents: FileContents;
  /** The new path of the former database. */
  readonly kept: string | undefined;
  /** Of an archive with the files of media. */
  readonly media: BackupManifest | undefined;
}

interface Source {
  readonly file: string;
  /** Where the files of an archive go; undefined for a database alone. */
  readonly storage: Storage | undefined;
}

async function replace(path: string, { file, storage }: Source, occupied: boolean): Promise<Replaced> {
  const folder = workFolder(path);
  try {
    const copy = join(folder, 'recto.db');
    // The files of media take time: a service that runs is found before.
    if (storage !== undefined && occupied) holdFormer(path)?.release();
    const files = storage === undefined ? undefined : await unpackArchive(file, storage, copy);
    let replaced: Replaced;
    try {
      if (files === undefined) copyFiles(file, copy);
      const contents = checked(copy, file);
      await refuseNewer(copy, file);
      await files?.keepNamed(copy, contents);
      replaced = { contents, kept: putInPlace(copy, path, occupied), media: files?.media };
    } catch (error) {
      await files?.remove();
      throw error;
    }
    await files?.replaceOthers().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : error;
      throw new FatalError(`The database is restored, but not all files of media: ${reason}\nRun it again.`, error);
    });
    return replaced;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the new path of the former database. */
function putInPlace(copy: string, path: string, occupied: boolean): string | undefined {
  const hold = occupied ? holdFormer(path) : undefined;
  try {
    const kept = occupied ? setAside(path) : undefined;
    moveIn(copy, path, kept);
    return kept;
  } finally {
    hold?.release();
  }
}

/** Opening a database can change it, and the backup must stay unchanged. */
function copyFiles(file: string, copy: string): void {
  try {
    copyFileSync(file, copy);
    // In a copied data folder, the newest data may be here.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
  } catch (error) {
    throw unreadable(error, copy, file);
  }
}

function checked(copy: string, file: string): FileContents {
  try {
    chmodSync(copy, 0o600);
    settleSqliteFile(copy);
    const contents = verifySqliteFile(copy);
    syncToDisk(copy);
    return contents;
  } catch (error) {
    throw unreadable(error, copy, file);
  }
}

function unreadable(error: unknown, copy: string, file: string): FatalError {
  const reason = error instanceof Error ? error.message.replaceAll(copy, file) : String(error);
  if (error instanceof FatalError) return new FatalError(`${reason}\nNothing was touched.`, error);
  return new FatalError(`${file} cannot be read as a database: ${reason}. Nothing was touched.`, error);
}

async function refuseNewer(copy: string, file: string): Promise<void> {
  const state = await readAsItIs({ kind: 'sqlite', path: copy }, (executor, dialect) =>
    engineState(executor, dialect, rectoTables),
  );
  const newer = state && newerText(state, rectoTables);
  if (newer !== undefined) throw new FatalError(`${file} ${newer}: restore it with that version. Nothing was touched.`);
}

function holdFormer(path: string): FileHold | undefined {
  if (!existsSync(path)) return undefined;
  const hold = holdSqliteFile(path);
  if (hold === undefined)
    throw new FatalError(`Another process has ${path} open: stop the service first. Nothing was touched.`);
  return hold;
}

/** Renames the former database to a dated name: `recto.db.before-restore-20261121T100000Z`. */
function setAside(path: string): string {
  const kept = datedName(path, 'before-restore', (name) => suffixes.some((suffix) => existsSync(name + suffix)));
  move(path, kept);
  return kept;
}

function moveIn(copy: string, path: string, kept: string | undefined): void {
  try {
    renameSync(copy, path);
    syncToDisk(dirname(path));
  } catch (error) {
    if (kept !== undefined) move(kept, path);
    throw new FatalError(
      `${basename(path)} cannot be put in its place: ${error instanceof Error ? error.message : error}. All is as it was.`,
      error,
    );
  }
}

function move(from: string, to: string): void {
  for (const suffix of suffixes) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}
