import { countOf } from '../base/count-of.ts';
import type { FileContents } from '../database/sqlite/sqlite-copy.ts';

/** `12 tables, 345 rows`. */
export function rowsText({ rows }: FileContents): string {
  const counts = Object.values(rows);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return `${countOf(counts.length, 'table')}, ${countOf(total, 'row')}`;
}
