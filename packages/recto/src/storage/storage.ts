import { Problem } from '../base/problem.ts';
import { storageUnavailable } from './storage-problem.ts';

/** Where bytes of a range begin and end (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

export interface ListedFile extends StoredFile {
  readonly key: string;
}

/** Bytes that a `Response` can send: a file of this machine, or a stream from elsewhere. */
export type StoredBytes = Blob | ReadableStream<Uint8Array>;

/**
 * Files by key, on disk or on S3. A key is a path of plain names (`files/0a/01a2…`), made by the service and used once: what is
 * stored under it never changes. Rejects with a `Problem`: 507 where the storage is full, 503 where it cannot be reached.
 */
export interface Storage {
  /** For logs and messages, without secrets. */
  readonly description: string;
  /** Stores the bytes durably and resolves with their number. Nothing is left under the key where `bytes` or the storage fails. */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** The bytes of a file that is there; `range` is within it. */
  get(key: string, range?: ByteRange): StoredBytes;
  /** Undefined where there is no such file. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** Also resolves where there is no such file. */
  delete(key: string): Promise<void>;
  /** All files whose keys begin with the prefix, in no particular order. Files that are still being stored are not among them. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** Removes what uploads that broke off have left before a time (milliseconds since 1970); returns how many. */
  removeUnfinished(before: number): Promise<number>;
}

/** Throws for a key that is no path of plain names: no caller's text becomes a path. */
export function checkedKey(key: string): string {
  if (!/^[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/.test(key)) throw new Error(`"${key}" is no storage key.`);
  return key;
}

/** The stored bytes as they arrive. */
export async function* storedChunks(bytes: StoredBytes): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (bytes instanceof Blob ? bytes.stream() : bytes).getReader();
  let done = false;
  try {
    for (;;) {
      const next = await reader.read();
      done = next.done;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!done) await reader.cancel().catch(() => undefined);
  }
}

/** The bytes of a file that should be there. Rejects with 503 where they cannot be read. */
export async function* readStored(storage: Storage, key: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* storedChunks(storage.get(key));
  } catch (error) {
    throw error instanceof Problem ? error : storageUnavailable(error);
  }
}

/** All bytes of a file that should be there. Rejects with 503 where they cannot be read, or are not so many. */
export async function storedBytes(storage: Storage, key: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const stored = storage.get(key);
  try {
    // A file of this machine is read in one go, beside all other work.
    const bytes = stored instanceof Blob ? await stored.bytes() : await collected(stored, size);
    if (bytes.length !== size) throw new Error(`${key} has ${bytes.length} bytes and not ${size}.`);
    return bytes;
  } catch (error) {
    throw error instanceof Problem ? error : storageUnavailable(error);
  }
}

async function collected(stored: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let length = 0;
  for await (const chunk of storedChunks(stored)) {
    if (length + chunk.length > size) throw new Error(`There are more than ${size} bytes.`);
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return length === size ? bytes : bytes.subarray(0, length);
}
