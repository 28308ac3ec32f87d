import type { TransferFile } from '../transfer-file.ts';
import { type CsvForm, csvRows } from './csv-rows.ts';

/** So many rows show a person what is in a file, and so many characters of each cell. */
const shownRows = 5;
const shownCharacters = 200;

/** The first rows of a file below its names, as texts. */
export async function csvSample(file: TransferFile, form: CsvForm): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const { cells } of csvRows(file, form)) {
    rows.push(cells.map(({ text }) => shortened(text)));
    if (rows.length > shownRows) break;
  }
  return rows.slice(1);
}

/** Between characters, not within one. */
const shortened = (text: string): string =>
  text.length <= shownCharacters ? text : `${[...text.slice(0, shownCharacters)].slice(0, -1).join('')}…`;
