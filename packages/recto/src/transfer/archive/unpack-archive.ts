import { open } from 'node:fs/promises';
import { FatalError } from '../../base/fatal-error.ts';
import { readAsItIs } from '../../database/read-database.ts';
import type { FileContents } from '../../database/sqlite/sqlite-copy.ts';
import { FileStore } from '../../media/file-store.ts';
import { filesTable } from '../../media/media-tables.ts';
import { filesPrefix } from '../../media/storage-keys.ts';
import { checkedKey, type Storage, storedChunks } from '../../storage/storage.ts';
import { type BackupManifest, databaseEntry, manifestEntry, readManifest } from './backup-manifest.ts';
import { type ReadEntry, readTarFile } from './tar-file.ts';

/** The files of an archive that are in the storage now. */
export class UnpackedFiles {
  readonly media: BackupManifest;
  readonly #storage: Storage;
  /** Those that were not there before. */
  readonly #added: ReadonlySet<string>;

  constructor(storage: Storage, media: BackupManifest, added: ReadonlySet<string>) {
    this.#storage = storage;
    this.media = media;
    this.#added = added;
  }

  /** Removes what no row of the restored database names. */
  async keepNamed(database: string, { rows }: FileContents): Promise<void> {
    const isNamed = (key: string): Promise<boolean | undefined> =>
      readAsItIs({ kind: 'sqlite', path: database }, (executor, dialect) =>
        new FileStore(dialect).hasKey(executor, key),
      );
    for (const key of this.#added) {
      if (!(filesTable.name in rows) || (await isNamed(key)) !== true) await this.#storage.delete(key);
    }
  }

  /** Takes the files back out of the storage. */
  async remove(): Promise<void> {
    for (const key of this.#added) await this.#storage.delete(key).catch(() => undefined);
  }
}

/**
 * Puts the files of an archive into the storage, and its database at a path of its own. Every file is checked on the way. Throws
 * a `FatalError`, and leaves nothing in the storage, for an archive that is damaged or not complete.
 */
export async function unpackArchive(file: string, storage: Storage, database: string): Promise<UnpackedFiles> {
  const added = new Set<string>();
  const wrong: string[] = [];
  let hasDatabase = false;
  let manifest: BackupManifest | undefined;
  try {
    for await (const entry of readTarFile(file)) {
      if (entry.name === databaseEntry) {
        await writeWhole(database, entry);
        hasDatabase = true;
      } else if (entry.name === manifestEntry) manifest = readManifest(await new Response(entry.bytes).text());
      else if (!(await putFile(storage, entry, added))) wrong.push(entry.name);
    }
    if (manifest === undefined || !hasDatabase) throw new FatalError('It is not complete.');
    const known = new Set(manifest.damaged);
    const broken = wrong.filter((key) => !known.has(key));
    if (broken.length > 0) throw new FatalError(`The bytes of ${broken.slice(0, 5).join(', ')} in it are damaged.`);
    return new UnpackedFiles(storage, manifest, added);
  } catch (error) {
    for (const key of added) await storage.delete(key).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new FatalError(`${file} cannot be restored: ${reason}\nNothing was touched.`, error);
  }
}

/** False, and nothing stored, where the bytes are not those that the entry names. */
async function putFile(storage: Storage, entry: ReadEntry, added: Set<string>): Promise<boolean> {
  const key = checkedKey(entry.name);
  if (!key.startsWith(filesPrefix)) throw new FatalError(`${key} is not expected in it.`);
  const isNew = (await storage.stat(key)) === undefined;
  const hasher = new Bun.CryptoHasher('sha256');
  const checked = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of storedChunks(entry.bytes)) {
      hasher.update(chunk);
      yield chunk;
    }
    if (hasher.digest('hex') !== entry.hash) throw new WrongBytes();
  };
  try {
    await storage.put(key, checked());
  } catch (error) {
    if (error instanceof WrongBytes) return false;
    throw error;
  }
  if (isNew) added.add(key);
  return true;
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
