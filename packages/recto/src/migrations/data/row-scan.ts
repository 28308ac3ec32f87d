import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { rowColumn } from '../../database/schema-dialect.ts';
import { languageColumns } from '../../definition/languages/languages-table.ts';

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

/** A column of a table with values in other languages. */
export interface Translations {
  readonly table: string;
  readonly column: string;
}

/** A value in another language, as it is stored. */
export interface Translation {
  readonly record: string;
  readonly language: string;
  readonly stored: SqlValue;
}

/** Visits the values of a column in other languages. */
export async function scanTranslations(
  executor: Executor,
  dialect: Dialect,
  { table, column }: Translations,
  visit: (translation: Translation) => Promise<void>,
): Promise<void> {
  const [record, language, value] = [languageColumns.row, languageColumns.language, column].map((name) => sql.id(name));
  for (let [afterRecord, afterLanguage] = ['', '']; ; ) {
    const rows = await executor.rows<Translation>(
      compiledQuery(
        sql`select ${record} as "record", ${language} as "language", ${value} as "stored" from ${sql.id(table)}
          where ${value} is not null
            and (${record} > ${afterRecord} or (${record} = ${afterRecord} and ${language} > ${afterLanguage}))
          order by ${record}, ${language} limit ${slice}`,
        dialect,
      ),
    );
    for (const row of rows) await visit(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    [afterRecord, afterLanguage] = [last.record, last.language];
  }
}
