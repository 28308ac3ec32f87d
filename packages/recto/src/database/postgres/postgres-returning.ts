import { type RawBuilder, sql } from 'kysely';
import type { RowWrite } from '../dialect.ts';
import { insertEntry } from './postgres-search.ts';

/**
 * Statements within a WITH that write are done whether or not anything reads what they return
 * (https://www.postgresql.org/docs/current/queries-with.html). The row is not looked for by its id: that would read a page of an
 * index which others insert into, and so be in the way of all who create records at the same moment.
 */
export function postgresReturning({ statement, table, alias, body, entry }: RowWrite): RawBuilder<unknown> {
  const indexed = entry === null ? sql`` : sql`, "$indexed" as (${insertEntry(table, alias, entry)})`;
  return sql`with ${sql.id(alias)} as (${statement} returning *)${indexed} select ${body} as "body" from ${sql.id(alias)}`;
}
