import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '../../storage/storage.ts';

/** What the keys of files begin with that are moved in and out. */
const prefix = 'transfers/';

/** The key of a transfer's file. */
export const transferKey = (id: string): string => `${prefix}${id}`;

/** Where a transfer may have working copies, on this machine; `dataDir` is the data folder. */
export const transferFolder = (dataDir: string): string => join(dataDir, 'transfers');

/** Removes files of transfers that are gone, and what a process that ended has left, older than a time (milliseconds since 1970). */
export async function sweepTransfers(
  { storage, folder }: { readonly storage: Storage; readonly folder: string },
  known: ReadonlySet<string>,
  before: number,
): Promise<void> {
  for await (const { key, changedAt } of storage.list(prefix)) {
    if (changedAt < before && !known.has(key.slice(prefix.length))) await storage.delete(key);
  }
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await rm(path, { recursive: true, force: true });
  }
}
