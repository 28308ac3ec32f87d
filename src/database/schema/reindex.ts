import { sql } from 'kysely';
import type { ContentType } from '../../definition/content-type.ts';
import { searchWords } from '../../query/search-words.ts';
import { compiledQuery } from '../compiled-query.ts';
import type { Transaction } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { rowColumn } from './schema-dialect.ts';
import { searchedFields } from './searched-fields.ts';

/** Records that are in memory at a time. */
const slice = 200;

type StoredTexts = Readonly<Record<string, string | number | null>>;

/** Puts the words of all records of a type into its search index, which is empty. */
export async function reindex(transaction: Transaction, dialect: Dialect, type: ContentType): Promise<void> {
  const fields = searchedFields(type).flatMap(({ name, place }) =>
    place.shape === 'column' ? [{ name, column: place.column }] : [],
  );
  const names = fields.map(({ name }) => name);
  const row = sql.id(rowColumn);
  const columns = sql.join([row, sql.id('id'), ...fields.map(({ column }) => sql.id(column))]);
  for (let after = 0; ; ) {
    const records = await transaction.rows<StoredTexts>(
      compiledQuery(
        sql`select ${columns} from ${sql.id(type.table)} where ${row} > ${after} order by ${row} limit ${slice}`,
        dialect,
      ),
    );
    for (const record of records) {
      const words = fields.map(({ column }) => searchWords(String(record[column] ?? '')).join(' '));
      for (const query of dialect.search.index(type.table, names, String(record.id), words)) {
        await transaction.run(query);
      }
    }
    const last = records.at(-1);
    if (last === undefined) return;
    after = Number(last[rowColumn]);
  }
}
