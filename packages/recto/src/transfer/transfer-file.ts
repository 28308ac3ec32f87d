import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { readStored, type Storage } from '../storage/storage.ts';
import { TransferRefused } from './transfer-refused.ts';

/** A file that is read from its beginning: on this machine, or in the storage of the service. */
export interface TransferFile {
  /** For messages, without folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  bytes(): AsyncIterable<Uint8Array>;
}

/** A file of this machine. Throws a `TransferRefused` where there is none. */
export function fileAt(path: string): TransferFile {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new TransferRefused(`There is no file ${path}.`);
  if (!found.isFile()) throw new TransferRefused(`${path} is no file.`);
  return { name: basename(path), size: found.size, bytes: () => Bun.file(path).stream() };
}

/** A file of the storage that is there. */
export const storedFile = (
  storage: Storage,
  key: string,
  about: Pick<TransferFile, 'name' | 'size'>,
): TransferFile => ({
  ...about,
  bytes: () => readStored(storage, key),
});
