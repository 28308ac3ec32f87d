import { TransferRefused } from '../transfer-refused.ts';
import { ArrayItems } from './array-items.ts';
import type { RecordText } from './record-text.ts';

/** In UTF-16 units; longer than any record. */
export const longestRecord = 16 * 1024 * 1024;

/** What separates the records of a file. */
interface Splitter {
  /** The records that are complete with this piece. */
  write(piece: string): Iterable<RecordText>;
  /** At the end of the file. Throws a `TransferRefused` where it ends too early. */
  end(): Iterable<RecordText>;
  /** The line that has been reached. */
  readonly line: number;
  /** How many characters wait for their end. */
  readonly pending: number;
}

/**
 * The texts of the records of a UTF-8 file, read on demand: one JSON object a line, or one JSON array of objects. `read` is called
 * with the number of bytes of each piece. Throws a `TransferRefused` with the line for invalid UTF-8 and for a record that is too long.
 */
export async function* recordTexts(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  read: (bytes: number) => void,
): AsyncGenerator<RecordText, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let splitter: Splitter | undefined;
  let before = '';
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw new TransferRefused(
        `${name}:${splitter?.line ?? 1}: from here on there are bytes that are no UTF-8.`,
        error,
      );
    }
  };
  for await (const chunk of bytes) {
    read(chunk.byteLength);
    const piece = before + decode(chunk);
    // What the first character is decides how records are separated.
    const first = splitter === undefined ? piece.search(/\S/) : 0;
    before = first === -1 ? piece : '';
    if (first === -1) continue;
    splitter ??= piece[first] === '[' ? new ArrayItems(name) : new Lines();
    yield* splitter.write(piece);
    if (splitter.pending > longestRecord) {
      throw new TransferRefused(`${name}:${splitter.line}: this record is too long.`);
    }
  }
  const last = before + decode(undefined);
  if (splitter === undefined) return;
  yield* splitter.write(last);
  yield* splitter.end();
}

/** One record a line, with LF or CR LF at its end. Empty lines are passed over. */
class Lines implements Splitter {
  #rest = '';
  #number = 0;

  get line(): number {
    return this.#number + 1;
  }

  get pending(): number {
    return this.#rest.length;
  }

  *write(piece: string): Generator<RecordText, void, undefined> {
    const lines = `${this.#rest}${piece}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const text of lines) {
      this.#number += 1;
      if (text.trim() !== '') yield { text, line: this.#number };
    }
  }

  *end(): Generator<RecordText, void, undefined> {
    if (this.#rest.trim() !== '') yield { text: this.#rest, line: this.line };
  }
}
