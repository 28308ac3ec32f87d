import { countOf } from '../base/count-of.ts';
import type { FileContents } from '../database/sqlite/sqlite-copy.ts';
import type { BackupManifest } from '../transfer/archive/backup-manifest.ts';

/** `12 tables, 345 rows`. */
export function rowsText({ rows }: FileContents): string {
  const counts = Object.values(rows);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return `${countOf(counts.length, 'table')}, ${countOf(total, 'row')}`;
}

/** The files that were missing or damaged when an archive was written; empty where there were none. */
export const lackingText = ({ missing, damaged }: BackupManifest): string =>
  [
    ...missing.map((key) => `${key} is not in it: the storage does not have it.\n`),
    ...damaged.map((key) => `${key} is damaged: its bytes are not those that were stored.\n`),
  ].join('');
