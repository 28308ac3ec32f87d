import { mkdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import type { FileStore } from '../../media/file-store.ts';
import type { FileRow } from '../../media/media-tables.ts';
import { type Storage, storedChunks } from '../../storage/storage.ts';
import type { Progress } from '../progress.ts';

/** The folder of files in an export. A file is named after its hash. */
export const mediaFolder = 'media';

/** The files of an export. */
export interface ExportedMedia {
  readonly files: number;
  readonly bytes: number;
  /** The hashes of files that the storage does not have. */
  readonly missing: readonly string[];
  /** The hashes of files whose bytes are not those that were stored. */
  readonly damaged: readonly string[];
}

export interface FilesExport {
  readonly database: Database;
  readonly storage: Storage;
  readonly store: FileStore;
  readonly progress: Progress;
}

/** Stores one file; removes what it has stored of it where the bytes end with an error, if that can be done. */
export type WriteFile = (
  file: { readonly hash: string; readonly size: number },
  bytes: AsyncIterable<Uint8Array>,
) => Promise<void>;

/** The bytes of a file do not have its hash. */
export class DamagedBytes extends Error {}

const atOnce = 500;

/** Writes the files of media one after another, each checked by its hash on the way. `write` rejects with the error of the bytes. */
export async function exportFiles(
  { database, storage, store, progress }: FilesExport,
  write: WriteFile,
): Promise<ExportedMedia> {
  const counts = { files: 0, bytes: 0 };
  const missing: string[] = [];
  const damaged: string[] = [];
  for (let after = ''; ; ) {
    const rows = await store.page(database, after, atOnce);
    for (const row of rows) {
      const outcome = await writeOne(storage, row, write);
      if (outcome === 'missing') missing.push(row.hash);
      else if (outcome === 'damaged') damaged.push(row.hash);
      else {
        counts.files += 1;
        counts.bytes += Number(row.size);
      }
      const done = counts.files + missing.length + damaged.length;
      progress('Exporting files', done, done + 1);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return { ...counts, missing, damaged };
    after = last.hash;
  }
}

async function writeOne(storage: Storage, row: FileRow, write: WriteFile): Promise<'written' | 'missing' | 'damaged'> {
  const { hash, storage_key: key } = row;
  const size = Number(row.size);
  const found = await storage.stat(key);
  if (found === undefined) return 'missing';
  if (found.size !== size) return 'damaged';
  try {
    await write({ hash, size }, checked(storage, key, hash));
    return 'written';
  } catch (error) {
    if (error instanceof DamagedBytes) return 'damaged';
    throw error;
  }
}

async function* checked(storage: Storage, key: string, hash: string): AsyncGenerator<Uint8Array, void, undefined> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const chunk of storedChunks(storage.get(key))) {
    hasher.update(chunk);
    yield chunk;
  }
  if (hasher.digest('hex') !== hash) throw new DamagedBytes(`The bytes of ${hash} are others.`);
}

/** Writes files into a folder that is made for them, readable by its owner alone. */
export function folderWriter(folder: string): WriteFile {
  mkdirSync(folder, { mode: 0o700 });
  return async ({ hash }, bytes) => {
    const path = join(folder, hash);
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of bytes) {
        for (let start = 0; start < chunk.length; ) start += (await file.write(chunk, start)).bytesWritten;
      }
      await file.sync();
    } catch (error) {
      await rm(path);
      throw error;
    } finally {
      await file.close();
    }
  };
}
