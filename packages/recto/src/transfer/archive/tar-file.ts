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
export async function* readTarFile(path: string): AsyncGenerator<ReadEntry, void, undefined> {
  for await (const { header, body } of Bun.file(path)
    .stream()
    .pipeThrough(createTarDecoder({ strict: true }))) {
    const hash = header.pax?.[hashName];
    yield { name: header.name, size: header.size, bytes: body, ...(hash === undefined ? {} : { hash }) };
  }
}

/** Whether a file is a tar archive, by its beginning. */
export async function isTarFile(path: string): Promise<boolean> {
  const mark = await Bun.file(path).slice(257, 262).text();
  return mark === 'ustar';
}
