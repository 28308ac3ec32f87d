import type { ChangedValues } from '../definition/protocol.ts';
import { type Storage, storedChunks } from '../storage/storage.ts';
import { fileFacts } from './file-facts.ts';
import { mediaTypeOf, sampleBytes } from './file-type.ts';
import type { IngestedFile } from './ingest-file.ts';
import { isRaster } from './media-address.ts';
import type { FileRow } from './media-tables.ts';

/** What a record of media says of its file: everything that is found from the bytes. */
export async function storedFacts(storage: Storage, file: IngestedFile): Promise<ChangedValues> {
  const image = isRaster(file.mimeType)
    ? await imageFactsOf(storage, file)
    : { width: null, height: null, placeholder: null };
  const facts = await fileFacts(storage, file);
  return { ...image, ...facts, mime_type: file.mimeType, size: file.size, hash: file.hash };
}

/** What decodes images is loaded with the first of them. */
async function imageFactsOf(storage: Storage, file: IngestedFile): Promise<ChangedValues> {
  const { imageFacts } = await import('./image-facts.ts');
  return { ...(await imageFacts(storage, file)) };
}

/** The file of a row, with its type as its bytes show it; undefined where the storage does not have it, or not with its size. */
export async function storedFile(
  storage: Storage,
  { storage_key: key, hash, size: stored }: FileRow,
): Promise<IngestedFile | undefined> {
  const size = Number(stored);
  if ((await storage.stat(key))?.size !== size) return undefined;
  const chunks: Uint8Array[] = [];
  if (size > 0) {
    const range = { start: 0, end: Math.min(size, sampleBytes) };
    for await (const chunk of storedChunks(storage.get(key, range))) chunks.push(chunk);
  }
  return { key, hash, size, mimeType: await mediaTypeOf(Buffer.concat(chunks)) };
}
