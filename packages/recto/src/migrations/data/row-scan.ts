import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { rowColumn } from '../../database/schema-dialect.ts';

/** Records that are in memory at a time. */
const slice = 200;

/** Visits the records of a table in the order of their creation, with `id` and the columns given, as they are stored. */
export async function scanRows<Row extends { readonly id: string }>(
  executor: Executor,
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  visit: (row: Row) => Promise<void>,
): Promise<void> {
  const row = sql.id(rowColumn);
  const names = sql.join([row, sql.id('id'), ...columns.map((column) => sql.id(column))]);
  for (let after = 0; ; ) {
    const records = await executor.rows<Row & { readonly [rowColumn]: unknown }>(
      compiledQuery(
        sql`select ${names} from ${sql.id(table)} where ${row} > ${after} order by ${row} limit ${slice}`,
        dialect,
      ),
    );
    for (const record of records) await visit(record);
    const last = records.at(-1);
    if (last === undefined) return;
    after = Number(last[rowColumn]);
  }
}
