import { sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { eventsTable, type ReaderRow, readersTable } from './event-tables.ts';

/** How far a reader of the log is behind. */
export interface ReaderState {
  readonly name: string;
  /** Events that it has not dealt with, as far as their numbers show: an upper bound. */
  readonly behind: number;
  /** When the first of them was committed, or a moment earlier (canonical datetime); null where there are none. */
  readonly waitingSince: string | null;
}

const readers = sql.table(readersTable.name);
const events = sql.table(eventsTable.name);

/** All readers with stored positions. For reading alone. */
export async function readerStates(executor: Executor, dialect: Dialect): Promise<readonly ReaderState[]> {
  const first = sql`(select "at" from ${events} where "seq" > "r"."position" order by "seq" limit 1)`;
  const last = sql`(select max("seq") from ${events})`;
  const select = sql`select "r"."name", "r"."position", ${last} as "last", ${first} as "since" from ${readers} as "r" order by "r"."name"`;
  const rows = await executor.rows<Row>(compiledQuery(select, dialect));
  return rows.map(({ name, position, last: end, since }) => ({
    name,
    behind: Math.max(0, Number(end ?? 0) - Number(position)),
    waitingSince: since,
  }));
}

interface Row extends Pick<ReaderRow, 'name' | 'position'> {
  readonly last: number | null;
  readonly since: string | null;
}

/** How long an event waits for a reader that is stuck, in milliseconds. */
const stuckMs = 3_600_000;

export const isStuck = ({ waitingSince }: ReaderState, now: number): boolean =>
  waitingSince !== null && Date.parse(waitingSince) < now - stuckMs;

/** A transaction that all readers of the log wait for. */
export interface HeldBack {
  /** For how long it has run. */
  readonly seconds: number;
  /** The server's process, for `pg_terminate_backend`; null for a prepared transaction. */
  readonly pid: number | null;
}

/** The oldest of them. */
export async function heldBack(executor: Executor, dialect: Dialect): Promise<HeldBack | undefined> {
  const query = dialect.oldestNumbering(eventsTable);
  const row = query === null ? undefined : await executor.first<{ seconds: number | null; pid: number | null }>(query);
  return row === undefined ? undefined : { seconds: row.seconds ?? 0, pid: row.pid };
}
