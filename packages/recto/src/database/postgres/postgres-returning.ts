import { type RawBuilder, sql } from 'kysely';
import type { RowWrite } from '../dialect.ts';
import { insertEntry } from './postgres-search.ts';

/** A name of its own: the body may read other rows of the table. */
const row = 't0';

/**
 * Statements within a WITH that write are done whether or not anything reads what they return
 * (https://www.postgresql.org/docs/current/queries-with.html). The row is not looked for by its id: that would read a page of an
 * index which others insert into, and so be in the way of all who create records at the same moment.
 */
export function postgresReturning({ statement, table, body, entry }: RowWrite): RawBuilder<unknown> {
  const indexed = entry === null ? sql`` : sql`, "$indexed" as (${insertEntry(table, row, entry)})`;
  return sql`with ${sql.id(row)} as (${statement} returning *)${indexed} select ${body(row)} as "body" from ${sql.id(row)}`;
}
