import { type RawBuilder, sql } from 'kysely';
import type { NewRow } from '../dialect.ts';
import { insertEntry } from './postgres-search.ts';

/**
 * Statements within a WITH that write are done whether or not anything reads what they return
 * (https://www.postgresql.org/docs/current/queries-with.html). The row is not looked for by its id: that would read a page of an
 * index which others insert into, and so be in the way of all who create records at the same moment.
 */
export function postgresInsertAndTell({ table, columns, values, entry, alias, body }: NewRow): RawBuilder<unknown> {
  const names = sql.join(columns.map((name) => sql.id(name)));
  const row = sql`insert into ${sql.id(table)} (${names}) values (${sql.join(values)}) returning *`;
  const indexed = entry === null ? sql`` : sql`, "$indexed" as (${insertEntry(table, alias, entry)})`;
  return sql`with ${sql.id(alias)} as (${row})${indexed} select ${body} as "body" from ${sql.id(alias)}`;
}
