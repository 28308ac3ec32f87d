import { SQLiteError } from 'bun:sqlite';
import type { DatabaseFault } from '../dialect.ts';
import type { Outage } from '../outage-problem.ts';

/** Result codes of SQLite (https://sqlite.org/rescode.html) without their extension, such as `SQLITE_IOERR` of `SQLITE_IOERR_WRITE`. */
const outages: Readonly<Record<string, Outage>> = {
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_READONLY: 'read_only',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
  SQLITE_IOERR: 'damaged',
  SQLITE_CANTOPEN: 'unreachable',
};

/** The limits of a statement (https://sqlite.org/limits.html) that a long filter through relations can reach. */
const tooLarge =
  /nested too deep$|^at most \d+ tables in a join$|^too many FROM clause terms|^Expression tree is too large|^parser stack overflow$/;

/** What a failed SQLite statement means; undefined when it is a bug. */
export function sqliteFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof SQLiteError)) return undefined;
  const code = error.code ?? '';
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return uniqueFault(error.message);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return { kind: 'reference', table: undefined };
  if (code === 'SQLITE_ERROR' && tooLarge.test(error.message)) return { kind: 'too_large' };
  const kind = outages[code.split('_', 2).join('_')];
  return kind === undefined ? undefined : { kind };
}

/** `UNIQUE constraint failed: cms_article.slug, cms_article.locale` is all that SQLite reports. */
function uniqueFault(message: string): DatabaseFault {
  const places = message.slice(message.indexOf(': ') + 2).split(', ');
  const table = places[0]?.split('.')[0] ?? '';
  return { kind: 'unique', table, columns: places.map((place) => place.slice(place.indexOf('.') + 1)) };
}
