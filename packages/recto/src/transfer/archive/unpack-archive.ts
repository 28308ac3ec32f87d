import { open } from 'node:fs/promises';
import { FatalError } from '../../base/fatal-error.ts';
import { newId } from '../../base/ids.ts';
import { readAsItIs } from '../../database/read-database.ts';
import type { FileContents } from '../../database/sqlite/sqlite-copy.ts';
import { FileStore } from '../../media/file-store.ts';
import { storedHash } from '../../media/media-maintenance.ts';
import { filesTable } from '../../media/media-tables.ts';
import { filesPrefix, newPieceKey } from '../../media/storage-keys.ts';
import { checkedKey, readStored, type Storage, storedChunks } from '../../storage/storage.ts';
import { type BackupManifest, databaseEntry, manifestEntry, readManifest } from './backup-manifest.ts';
import { type ReadEntry, readTarFile } from './tar-file.ts';

/** The files of an archive that are in the storage now, none of them in the place of another. */
interface Placed {
  /** The keys of those that were not there before. */
  readonly added: Set<string>;
  /** Where those are, by their keys, of which the storage has other bytes. */
  readonly aside: Map<string, string>;
}

/** The files of an archive that are in the storage now. What was there before is as it was until `replaceOthers`. */
export class UnpackedFiles {
  readonly media: BackupManifest;
  readonly #storage: Storage;
  readonly #placed: Placed;

  constructor(storage: Storage, media: BackupManifest, placed: Placed) {
    this.#storage = storage;
    this.media = media;
    this.#placed = placed;
  }

  /** Removes what no row of the restored database names. */
  async keepNamed(database: string, { rows }: FileContents): Promise<void> {
    const isNamed = (key: string): Promise<boolean | undefined> =>
      readAsItIs({ kind: 'sqlite', path: database }, (executor, dialect) =>
        new FileStore(dialect).hasKey(executor, key),
      );
    const { added, aside } = this.#placed;
    for (const [key, place] of [...[...added].map((key) => [key, key] as const), ...aside]) {
      if (filesTable.name in rows && (await isNamed(key)) === true) continue;
      await this.#storage.delete(place);
      aside.delete(key);
    }
  }

  /** Puts files in the place of others that the storage has under their keys. To be called once nothing else can fail. */
  async replaceOthers(): Promise<void> {
    for (const [key, place] of this.#placed.aside) {
      await this.#storage.put(key, readStored(this.#storage, place));
      await this.#storage.delete(place);
    }
  }

  /** Takes the files back out of the storage. */
  remove(): Promise<void> {
    return takeBack(this.#storage, this.#placed);
  }
}

async function takeBack(storage: Storage, { added, aside }: Placed): Promise<void> {
  for (const key of [...added, ...aside.values()]) await storage.delete(key).catch(() => undefined);
}

/**
 * Puts the files of an archive into the storage, and its database at a path of its own. Every file is checked on the way. Throws
 * a `FatalError`, and leaves the storage as it was, for an archive that is damaged or not complete.
 */
export async function unpackArchive(file: string, storage: Storage, database: string): Promise<UnpackedFiles> {
  const placed: Placed = { added: new Set(), aside: new Map() };
  const wrong: string[] = [];
  let hasDatabase = false;
  let manifest: BackupManifest | undefined;
  try {
    for await (const entry of readTarFile(file)) {
      if (entry.name === databaseEntry) {
        await writeWhole(database, entry);
        hasDatabase = true;
      } else if (entry.name === manifestEntry) manifest = readManifest(await new Response(entry.bytes).text());
      else if (!(await putFile(storage, entry, placed))) wrong.push(entry.name);
    }
    if (manifest === undefined || !hasDatabase) throw new FatalError('It is not complete.');
    const known = new Set(manifest.damaged);
    const broken = wrong.filter((key) => !known.has(key));
    if (broken.length > 0) throw new FatalError(`The bytes of ${broken.slice(0, 5).join(', ')} in it are damaged.`);
    return new UnpackedFiles(storage, manifest, placed);
  } catch (error) {
    await takeBack(storage, placed);
    const reason = error instanceof Error ? error.message : String(error);
    throw new FatalError(`${file} cannot be restored: ${reason}\nNothing was touched.`, error);
  }
}

/** False, and nothing stored, where the bytes are not those that the entry names. */
async function putFile(storage: Storage, entry: ReadEntry, { added, aside }: Placed): Promise<boolean> {
  const key = checkedKey(entry.name);
  if (!key.startsWith(filesPrefix)) throw new FatalError(`${key} is not expected in it.`);
  const isThere = (await storage.stat(key)) !== undefined;
  // A failed `put` can leave nothing under its key, so it is never one that has a file.
  const place = isThere ? newPieceKey(newId()) : key;
  const hasher = new Bun.CryptoHasher('sha256');
  const checked = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of storedChunks(entry.bytes)) {
      hasher.update(chunk);
      yield chunk;
    }
    if (hasher.digest('hex') !== entry.hash) throw new WrongBytes();
  };
  try {
    const before = isThere ? await storedHash(storage, key).catch(() => undefined) : undefined;
    if (before !== undefined && before === entry.hash) await readAll(checked());
    else {
      await storage.put(place, checked());
      if (isThere) aside.set(key, place);
      else added.add(key);
    }
    return true;
  } catch (error) {
    if (error instanceof WrongBytes) return false;
    throw error;
  }
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

class WrongBytes extends Error {}

async function writeWhole(path: string, { bytes }: ReadEntry): Promise<void> {
  const target = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of storedChunks(bytes)) {
      for (let start = 0; start < chunk.length; ) start += (await target.write(chunk, start)).bytesWritten;
    }
  } finally {
    await target.close();
  }
}
