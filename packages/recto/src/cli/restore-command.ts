import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
import { storageLocation, storageName } from '../storage/open-storage.ts';
import { datedName, syncToDisk, workFolder } from '../transfer/backup-file.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { rowsText } from './file-rows.ts';

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
    const { contents, kept } = await inFolderOf(path, () => replace(path, file, occupied));
    const keptText = kept === undefined ? '' : `What was there is kept as ${kept}.\n`;
    return {
      text: `Restored ${path} from ${file}: ${rowsText(contents)}, checked.\n${keptText}${withoutFiles(settings)}`,
      json: { database: path, rows: contents.rows, kept: kept ?? null, media: false },
    };
  });

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
}

async function replace(path: string, file: string, occupied: boolean): Promise<Replaced> {
  const folder = workFolder(path);
  try {
    const copy = join(folder, 'recto.db');
    const contents = checkedCopy(file, copy);
    await refuseNewer(copy, file);
    const hold = occupied ? holdFormer(path) : undefined;
    try {
      const kept = occupied ? setAside(path) : undefined;
      moveIn(copy, path, kept);
      return { contents, kept };
    } finally {
      hold?.release();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Works on a copy: opening a database can change it, and the backup must stay unchanged. */
function checkedCopy(file: string, copy: string): FileContents {
  try {
    copyFileSync(file, copy);
    // In a copied data folder, the newest data may be here.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    chmodSync(copy, 0o600);
    settleSqliteFile(copy);
    const contents = verifySqliteFile(copy);
    syncToDisk(copy);
    return contents;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(copy, file) : String(error);
    if (error instanceof FatalError) throw new FatalError(`${reason}\nNothing was touched.`, error);
    throw new FatalError(`${file} cannot be read as a database: ${reason}. Nothing was touched.`, error);
  }
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
