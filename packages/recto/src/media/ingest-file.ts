import { Problem } from '../base/problem.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredUpload } from './file-store.ts';
import { isAllowed, mediaTypeOf, sampleBytes } from './file-type.ts';
import { newFileKey } from './storage-keys.ts';

export interface IngestLimits {
  readonly maxBytes: number;
  /** Empty: all. */
  readonly types: readonly string[];
}

export interface IngestedFile extends StoredUpload {
  readonly mimeType: string;
}

/**
 * Stores bytes as they arrive and computes their hash. Their type is found from the first of them. Nothing is left in the storage
 * where it rejects: 413 for too many, 415 for a type that is not allowed.
 */
export async function ingestFile(
  storage: Pick<Storage, 'put'>,
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, types }: IngestLimits,
): Promise<IngestedFile> {
  const source = bytes[Symbol.asyncIterator]();
  try {
    const { sample, chunks } = await beginning(source, maxBytes);
    const mimeType = await mediaTypeOf(sample);
    if (!isAllowed(mimeType, types)) throw typeNotAllowed(mimeType, types);
    const key = newFileKey();
    const hash = new Bun.CryptoHasher('sha256');
    const size = await storage.put(key, hashed(chunks, source, hash, maxBytes));
    return { key, size, hash: hash.digest('hex'), mimeType };
  } finally {
    await source.return?.();
  }
}

/** The first bytes, as far as the type needs them. */
async function beginning(source: AsyncIterator<Uint8Array>, maxBytes: number) {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < sampleBytes; ) {
    const next = await source.next();
    if (next.done === true) break;
    size += next.value.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    chunks.push(next.value);
  }
  return { sample: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks), chunks };
}

async function* hashed(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  hash: Bun.CryptoHasher,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for (const chunk of first) {
    size += chunk.length;
    hash.update(chunk);
    yield chunk;
  }
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    size += next.value.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    hash.update(next.value);
    yield next.value;
  }
}

export const fileTooLarge = (limit: number): Problem =>
  new Problem(413, 'body_too_large', `The file is larger than ${limit} bytes, which is the most that is taken.`);

const typeNotAllowed = (type: string, allowed: readonly string[]): Problem =>
  new Problem(
    415,
    'media_type_not_allowed',
    `Files of the type ${type}, as their bytes show it, are not taken. Allowed: ${allowed.join(', ')}.`,
  );
