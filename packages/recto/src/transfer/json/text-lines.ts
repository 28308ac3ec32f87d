import { TransferRefused } from '../transfer-refused.ts';

/** In UTF-16 units; longer than any record. */
export const longestLine = 64 * 1024 * 1024;

export interface TextLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/**
 * The non-empty lines of a UTF-8 file, without their ends (LF or CR LF), read on demand. `read` is called with the bytes of each
 * chunk. Throws a `TransferRefused` with the line number for invalid UTF-8 and for a line that is too long.
 */
export async function* textLines(path: string, name: string, read: (bytes: number) => void): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw new TransferRefused(`${name}:${number + 1}: from here on there are bytes that are no UTF-8.`, error);
    }
  };
  for await (const bytes of Bun.file(path).stream()) {
    read(bytes.byteLength);
    const lines = `${rest}${decode(bytes)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield { text: line, number };
    }
    if (rest.length > longestLine)
      throw new TransferRefused(`${name}:${number + 1}: this line is too long for a record.`);
  }
  const last = rest + decode(undefined);
  if (last.trim() !== '') yield { text: last, number: number + 1 };
}
