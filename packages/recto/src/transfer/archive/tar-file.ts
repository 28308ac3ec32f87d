import { open } from 'node:fs/promises';
import { createTarDecoder, createTarPacker } from 'modern-tar';

/** An entry as it is written: exactly `size` bytes follow. */
export interface EntryHeader {
  readonly name: string;
  readonly size: number;
  /** SHA-256 in hexadecimal of what the bytes should be. */
  readonly hash?: string;
}

export interface ReadEntry extends EntryHeader {
  /** False of a folder, a link and anything else that holds no bytes. */
  readonly isFile: boolean;
  /** To be read to its end, or cancelled, before the next entry. */
  readonly bytes: ReadableStream<Uint8Array>;
}

export type AddEntry = (header: EntryHeader, bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** Where the hash of an entry is, in the extended header that other tar programs pass over. */
const hashName = 'RECTO.sha256';

/** Writes a tar file with the entries that `fill` adds, readable by its owner alone, and flushes it. The file must not exist. */
export async function writeTarFile(path: string, fill: (add: AddEntry) => Promise<void>): Promise<void> {
  const { readable, controller } = createTarPacker();
  const filled = fill(async ({ name, size, hash }, bytes) => {
    const pax = hash === undefined ? {} : { pax: { [hashName]: hash } };
    const writer = controller.add({ name, size, mode: 0o600, ...pax }).getWriter();
    for await (const chunk of bytes) await writer.write(chunk);
    await writer.close();
  }).then(
    () => controller.finalize(),
    (error: unknown) => controller.error(error),
  );
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of readable) {
      for (let start = 0; start < chunk.length; ) start += (await file.write(chunk, start)).bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
    await filled;
  }
}

/** The entries of a tar file, in their order. Throws for a damaged header and for a file that ends too early. */
export const readTarFile = (path: string): AsyncGenerator<ReadEntry, void, undefined> =>
  tarEntries(Bun.file(path).stream());

/** The entries of an archive that is read from its beginning. */
export async function* tarEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry, void, undefined> {
  for await (const { header, body } of streamOf(bytes).pipeThrough(createTarDecoder({ strict: true }))) {
    const hash = header.pax?.[hashName];
    const isFile = header.type === undefined || header.type === 'file';
    yield { name: header.name, isFile, size: header.size, bytes: body, ...(hash === undefined ? {} : { hash }) };
  }
}

/** Where the mark of the format stands. */
const mark = { text: 'ustar', start: 257, end: 262 } as const;

/** Whether a file is a tar archive, by its beginning. */
export const isTarFile = (path: string): Promise<boolean> => isTarBeginning(Bun.file(path).slice(0, mark.end).stream());

/** The same of what arrives; no more of it is read. */
export async function isTarBeginning(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  let beginning = Buffer.alloc(0);
  for await (const chunk of bytes) {
    beginning = Buffer.concat([beginning, chunk]);
    if (beginning.length >= mark.end) break;
  }
  return beginning.toString('latin1', mark.start, mark.end) === mark.text;
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => void (await chunks.return?.()),
  });
}
