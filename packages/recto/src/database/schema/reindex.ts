import type { ContentType } from '../../definition/content-type.ts';
import { searchWords } from '../../query/search-words.ts';
import type { Transaction } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { scanRows } from './row-scan.ts';
import { searchedFields } from './searched-fields.ts';

type StoredTexts = Readonly<Record<string, string | number | null>> & { readonly id: string };

/** Puts the words of all records of a type into its search index, which is empty. */
export async function reindex(transaction: Transaction, dialect: Dialect, type: ContentType): Promise<void> {
  const fields = searchedFields(type).flatMap(({ name, place }) =>
    place.shape === 'column' ? [{ name, column: place.column }] : [],
  );
  const names = fields.map(({ name }) => name);
  const columns = fields.map(({ column }) => column);
  await scanRows<StoredTexts>(transaction, dialect, type.table, columns, async (record) => {
    const words = columns.map((column) => searchWords(String(record[column] ?? '')).join(' '));
    for (const query of dialect.search.index(type.table, names, record.id, words)) await transaction.run(query);
  });
}
