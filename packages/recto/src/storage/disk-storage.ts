import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { ByteRange, ListedFile, Storage, StoredBytes, StoredFile } from './storage.ts';
import { checkedKey } from './storage.ts';
import { codeOf, storageFull, storageUnavailable } from './storage-problem.ts';

/** Files being written stand here under random names until they are complete. */
const unfinishedFolder = '.unfinished';

/** Files in a folder of this machine. */
export class DiskStorage implements Storage {
  readonly #root: string;
  readonly #durable = new Set<string>();

  constructor(folder: string) {
    this.#root = resolve(folder);
  }

  get description(): string {
    return this.#root;
  }

  /** Written under another name, flushed and renamed, so that a file under its key is always complete. */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const target = this.#path(key);
    const temporary = join(this.#root, unfinishedFolder, randomUUID());
    try {
      await mkdir(dirname(temporary), { recursive: true, mode: folderMode });
      const size = await write(temporary, bytes);
      await this.#makeFolder(dirname(target));
      await rename(temporary, target);
      await flushFolder(dirname(target));
      return size;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw diskProblem(error);
    }
  }

  get(key: string, range?: ByteRange): StoredBytes {
    const file = Bun.file(this.#path(key));
    return range === undefined ? file : file.slice(range.start, range.end);
  }

  async stat(key: string): Promise<StoredFile | undefined> {
    try {
      const found = await stat(this.#path(key));
      return found.isFile() ? { size: found.size, changedAt: found.mtimeMs } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw diskProblem(error);
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await rm(this.#path(key), { force: true });
    } catch (error) {
      throw diskProblem(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedFile, void, undefined> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    for await (const key of this.#keysBelow(folder)) {
      if (!key.startsWith(prefix)) continue;
      const found = await this.stat(key);
      // It may have been removed meanwhile.
      if (found !== undefined) yield { key, ...found };
    }
  }

  async removeUnfinished(before: number): Promise<number> {
    const folder = join(this.#root, unfinishedFolder);
    let removed = 0;
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.mtimeMs >= before) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  #path(key: string): string {
    return join(this.#root, ...checkedKey(key).split('/'));
  }

  /** A new folder is durable once the one that holds it has been flushed. */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#durable.has(folder)) return;
    const first = await mkdir(folder, { recursive: true, mode: folderMode });
    if (first !== undefined) {
      for (let path = folder; path.length >= first.length; path = dirname(path)) await flushFolder(dirname(path));
    }
    this.#durable.add(folder);
  }

  async *#keysBelow(folder: string): AsyncGenerator<string, void, undefined> {
    for (const entry of await entriesOf(join(this.#root, folder))) {
      const key = `${folder}${entry.name}`;
      if (entry.isFile()) yield key;
      else if (entry.isDirectory() && entry.name !== unfinishedFolder) yield* this.#keysBelow(`${key}/`);
    }
  }
}

/** Readable by their owner alone. */
const folderMode = 0o700;
const fileMode = 0o600;

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', fileMode);
  try {
    const size = await writeAll(file, bytes);
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, start);
      start += bytesWritten;
    }
    size += chunk.length;
  }
  return size;
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw diskProblem(error);
  }
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

const full: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What reading the sent bytes throws stays as it is. */
function diskProblem(error: unknown): unknown {
  if (error instanceof Problem || codeOf(error) === undefined) return error;
  return full.has(codeOf(error)) ? storageFull(error) : storageUnavailable(error);
}
