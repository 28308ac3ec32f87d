import { type RawBuilder, sql } from 'kysely';
import type { RowWrite } from '../dialect.ts';

/** RETURNING knows the row by the name of its table alone (https://sqlite.org/lang_returning.html): a subquery gives it the alias. */
export function sqliteReturning({ statement, table, columns, alias, body }: RowWrite): RawBuilder<unknown> {
  const row = sql.join(columns.map((name) => sql`${sql.id(table, name)} as ${sql.id(name)}`));
  return sql`${statement} returning (select ${body} from (select ${row}) as ${sql.id(alias)}) as "body"`;
}
