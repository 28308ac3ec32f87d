import type { Field } from '../../definition/content-type.ts';
import { isToMany, isValue, kindOf } from '../../definition/stored-field.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** Between the ids in a cell of a relation to many. */
export const idSeparator = '|';

/** The last of the ids where a record has more of them than an answer shows. No id reads so: an import refuses the cell. */
export const moreIds = '…';

/** What spreadsheets take for the beginning of a formula, and the marks of text that `harmless` has put before it. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const marked = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** A text that no spreadsheet runs as a formula: one that begins like one gets `'` before it. */
export const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** Undoes `harmless`. */
export const unmarked = (cell: string): string => (marked.test(cell) ? cell.slice(1) : cell);

const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'float', 'decimal']);

/** Whether the cells of a field are numbers, which stay as they are. */
export const isNumber = (field: Field): boolean => isValue(field) && numbers.has(kindOf(field));

/** Whether the cells of a field are JSON. */
export const isJson = (field: Field): boolean => isValue(field) && kindOf(field) === 'json';

/** A cell of a file, quoted where it must be (RFC 4180). Nothing is null; an empty text is `""`. */
export function csvCell(field: Field, value: JsonValue, isCut = false): string {
  if (value === null) return '';
  if (isToMany(field) && Array.isArray(value)) return quoted(harmless(idsText(value, isCut)));
  const text = cellText(field, value);
  return quoted(isNumber(field) ? text : harmless(text));
}

function cellText(field: Field, value: JsonValue): string {
  if (isJson(field)) return JSON.stringify(value);
  return typeof value === 'object' ? idOf(value) : String(value);
}

/** A relation without ids is empty, as one to none is. Addresses may hold the separator: then the list is JSON. */
function idsText(values: readonly JsonValue[], isCut: boolean): string {
  const ids = [...values.map(idOf), ...(isCut ? [moreIds] : [])];
  return ids.some((id) => id.includes(idSeparator)) ? JSON.stringify(ids) : ids.join(idSeparator);
}

/** Files are shown as objects; only the id counts. */
const idOf = (value: JsonValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') return value.id;
  return JSON.stringify(value);
};

/** What ends a cell, a line or a quoted part. Spaces at the ends are kept by quotes. */
const needsQuotes = /[",\r\n]|^\s|\s$/;

function quoted(text: string): string {
  if (text === '') return '""';
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
