import type { TransferFile } from '../transfer-file.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** The encodings of files that are read, by the names that the plan has. */
export const csvEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type CsvEncoding = (typeof csvEncodings)[number];

/** So much of a file without a mark is looked at to find UTF-16. */
const looked = 4_096;

/**
 * The encoding of a file: what its byte order mark says, UTF-16 where every other byte of its beginning is zero, UTF-8 where all of
 * it is, and otherwise Windows-1252, in which any bytes are a text.
 */
export async function encodingOf(file: TransferFile): Promise<CsvEncoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of file.bytes()) {
      const marked = isFirst ? wideEncoding(chunk) : undefined;
      isFirst = false;
      if (marked !== undefined) return marked;
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

function wideEncoding(bytes: Uint8Array): CsvEncoding | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  const end = Math.min(bytes.length, looked);
  for (let at = 0; at < end; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > end / 4) return 'utf-16le';
  return even > end / 4 ? 'utf-16be' : undefined;
}

/** The text of a file, without a byte order mark. `read` gets the number of bytes of each piece. */
export async function* decoded(
  file: Pick<TransferFile, 'name' | 'bytes'>,
  encoding: CsvEncoding,
  read: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of file.bytes()) {
      read(chunk.byteLength);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TransferRefused(`${file.name} has bytes that are no ${encoding}: name its encoding in the plan.`, error);
  }
}
