import { SQLiteError } from 'bun:sqlite';
import { type Problem, unavailable } from '../../errors/problem.ts';
import type { DatabaseFault } from '../dialect.ts';

type Outage = Exclude<DatabaseFault['kind'], 'unique' | 'reference'>;

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

const problems: Readonly<Record<Outage, readonly [code: string, detail: string]>> = {
  busy: ['database_busy', 'The database is busy. Try again in a moment.'],
  full: ['storage_full', 'There is no room left to store anything.'],
  read_only: ['storage_read_only', 'The database cannot be written to at present.'],
  damaged: ['storage_failed', 'The database cannot be read or written at present.'],
  unreachable: ['storage_failed', 'The database cannot be reached at present.'],
};

/** What a failed SQLite statement means; undefined when it is a fault of the program. */
export function sqliteFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof SQLiteError)) return undefined;
  const code = error.code ?? '';
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return uniqueFault(error.message);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return { kind: 'reference', table: undefined };
  const kind = outages[code.split('_', 2).join('_')];
  return kind === undefined ? undefined : { kind };
}

/** `UNIQUE constraint failed: cms_article.slug, cms_article.locale` is all that SQLite tells. */
function uniqueFault(message: string): DatabaseFault {
  const places = message.slice(message.indexOf(': ') + 2).split(', ');
  const table = places[0]?.split('.')[0] ?? '';
  return { kind: 'unique', table, columns: places.map((place) => place.slice(place.indexOf('.') + 1)) };
}

/** The 503 that a caller is told where the database itself fails; any other error as it is. */
export function outageProblem(error: unknown): Problem | unknown {
  const fault = sqliteFault(error);
  if (fault === undefined || fault.kind === 'unique' || fault.kind === 'reference') return error;
  return unavailable(...problems[fault.kind], error);
}
