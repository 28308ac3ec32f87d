import { type RawBuilder, sql } from 'kysely';
import type { RowWrite } from '../dialect.ts';

/**
 * RETURNING knows the row by the name of its table alone (https://sqlite.org/lang_returning.html). A subquery that gave it another
 * name would lose the columns `true` and `false`, which SQLite renames in the result of a subquery.
 */
export function sqliteReturning({ statement, table, body }: RowWrite): RawBuilder<unknown> {
  return sql`${statement} returning ${body(table)} as "body"`;
}
