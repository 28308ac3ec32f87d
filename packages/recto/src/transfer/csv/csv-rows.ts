import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { TransferFile } from '../transfer-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { type CsvEncoding, decoded } from './csv-encoding.ts';

/** A cell as the file has it. Quotes make an empty text of what is otherwise nothing. */
export interface CsvCell {
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface CsvRow {
  readonly cells: readonly CsvCell[];
  /** The line on which it begins, from 1. */
  readonly line: number;
}

export const csvSeparators = [',', ';', '\t'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

export interface CsvForm {
  readonly encoding: CsvEncoding;
  readonly separator: CsvSeparator;
}

/** In UTF-16 units; longer than any record. */
const longestRow = 16 * 1024 * 1024;

/** What the parser gives for each row. */
interface ParsedRow {
  readonly record: readonly CsvCell[];
  readonly info: { readonly lines: number };
}

/** The rows of a file, that of the names first, read on demand; blank lines are passed over. Throws a `TransferRefused` with the line. */
export async function* csvRows(
  file: Pick<TransferFile, 'name' | 'bytes'>,
  { encoding, separator }: CsvForm,
  read: (bytes: number) => void = () => undefined,
): AsyncGenerator<CsvRow, void, undefined> {
  const parser = parse({
    ...{ bom: true, delimiter: separator, info: true, relax_column_count: true, skip_empty_lines: true },
    max_record_size: longestRow,
    record_delimiter: ['\r\n', '\n', '\r'],
    cast: (text, { quoting }): CsvCell => ({ text, isQuoted: quoting }),
  });
  const source = Readable.from(decoded(file, encoding, read));
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  // The parser counts both characters of a line's end in a quoted cell.
  let pairs = 0;
  try {
    for await (const parsed of parser) {
      // As `info` and `cast` have it.
      const { record, info } = parsed as ParsedRow;
      pairs += countOf(record, /\r\n/g);
      yield { cells: record, line: info.lines - pairs - countOf(record, /\r\n|\r|\n/g) };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new TransferRefused(`${file.name}: ${error.message}.`, error);
    throw error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

const countOf = (cells: readonly CsvCell[], pattern: RegExp): number =>
  cells.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
