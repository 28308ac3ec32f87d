import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FatalError } from '../../base/fatal-error.ts';
import { readAsItIs } from '../../database/read-database.ts';
import { copySqliteFile, type FileContents } from '../../database/sqlite/sqlite-copy.ts';
import { FileStore } from '../../media/file-store.ts';
import { type FileRow, filesTable } from '../../media/media-tables.ts';
import { type Storage, storedChunks } from '../../storage/storage.ts';
import { type Backup, putInPlace, refuseExisting, syncToDisk, workFolder } from '../backup-file.ts';
import { type BackupManifest, databaseEntry, manifestBytes, manifestEntry } from './backup-manifest.ts';
import { type AddEntry, writeTarFile } from './tar-file.ts';

export interface BackupArchive extends Backup {
  readonly media: BackupManifest;
}

/**
 * Writes one archive with a snapshot of the database, checked, and the files of its media. Throws `FatalError` when that fails;
 * the archive gets its name when it is complete and on the disk.
 */
export async function writeArchive(path: string, file: string, storage: Storage): Promise<BackupArchive> {
  const target = resolve(file);
  refuseExisting(target, file);
  const folder = workFolder(target);
  try {
    const copy = join(folder, basename(target));
    let written: { readonly contents: FileContents; readonly media: BackupManifest } | undefined;
    await writeTarFile(copy, async (add) => {
      written = await fill(add, path, folder, storage);
    });
    if (written === undefined) throw new Error('The archive has no contents.');
    putInPlace(copy, target);
    syncToDisk(dirname(target));
    return { file, bytes: statSync(target).size, rows: written.contents.rows, media: written.media };
  } catch (error) {
    if (error instanceof FatalError) throw error;
    throw new FatalError(`${file} cannot be written: ${error instanceof Error ? error.message : error}.`, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The files come first and the database last: where a file is missing, because its record was removed after the snapshot was
 * taken, a newer snapshot is taken. What that one misses as well is missing indeed.
 */
async function fill(add: AddEntry, path: string, folder: string, storage: Storage) {
  const added = new Map<string, { readonly size: number; readonly isDamaged: boolean }>();
  let before: string | undefined;
  for (let round = 1; ; round += 1) {
    const snapshot = join(folder, `snapshot-${round}`);
    const contents = copySqliteFile(path, snapshot);
    chmodSync(snapshot, 0o600);
    const missing: string[] = [];
    for await (const row of fileRows(snapshot, contents)) {
      if (added.has(row.storage_key)) continue;
      const entry = await addFile(add, storage, row);
      if (entry === undefined) missing.push(row.storage_key);
      else added.set(row.storage_key, entry);
    }
    if (missing.length === 0 || missing.join() === before) {
      await addWhole(add, databaseEntry, snapshot);
      const media = manifestOf(added, missing);
      const bytes = manifestBytes(media);
      await add({ name: manifestEntry, size: bytes.length }, once(bytes));
      return { contents, media };
    }
    before = missing.join();
    rmSync(snapshot);
  }
}

/** The files that a copy of a database names; none where it is older than media. */
async function* fileRows(snapshot: string, { rows }: FileContents): AsyncGenerator<FileRow, void, undefined> {
  if (!(filesTable.name in rows)) return;
  for (let after = ''; ; ) {
    const page = await readAsItIs({ kind: 'sqlite', path: snapshot }, (executor, dialect) =>
      new FileStore(dialect).page(executor, after, pageRows),
    );
    yield* page ?? [];
    const last = page?.at(-1);
    if (last === undefined) return;
    after = last.hash;
  }
}

const pageRows = 500;

/** Undefined where the storage does not have it as it was stored. */
async function addFile(add: AddEntry, storage: Storage, { storage_key: key, hash, size: stored }: FileRow) {
  const size = Number(stored);
  if ((await storage.stat(key))?.size !== size) return undefined;
  const hasher = new Bun.CryptoHasher('sha256');
  const bytes = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of storedChunks(storage.get(key))) {
      hasher.update(chunk);
      yield chunk;
    }
  };
  await add({ name: key, size, hash }, bytes());
  return { size, isDamaged: hasher.digest('hex') !== hash };
}

async function addWhole(add: AddEntry, name: string, path: string): Promise<void> {
  if (!existsSync(path)) throw new Error(`${path} is gone.`);
  await add({ name, size: statSync(path).size }, storedChunks(Bun.file(path)));
}

function manifestOf(
  added: ReadonlyMap<string, { readonly size: number; readonly isDamaged: boolean }>,
  missing: readonly string[],
): BackupManifest {
  const entries = [...added];
  return {
    version: 1,
    files: added.size,
    bytes: entries.reduce((sum, [, { size }]) => sum + size, 0),
    missing: [...missing],
    damaged: entries.filter(([, { isDamaged }]) => isDamaged).map(([key]) => key),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
