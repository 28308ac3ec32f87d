import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { storedColumn } from '../../definition/stored-field.ts';
import { indexedWords, storedStructure } from '../storage/stored-structure.ts';
import { scanRows } from './row-scan.ts';

type StoredTexts = Readonly<Record<string, string | number | null>> & { readonly id: string };

/** Puts the words of all records of a type into its search index, which is empty. */
export async function reindex(transaction: Transaction, dialect: Dialect, type: ContentType): Promise<void> {
  const fields = type.facts.searched.flatMap((field) => {
    const { name, structure } = field;
    const column = storedColumn(field);
    return column === undefined ? [] : [{ name, column, structure: structure && storedStructure(structure) }];
  });
  const names = fields.map(({ name }) => name);
  const columns = fields.map(({ column }) => column);
  await scanRows<StoredTexts>(transaction, dialect, type.table, columns, async (record) => {
    const words = fields.map(({ column, structure }) => {
      const stored = record[column] ?? null;
      const value = structure === undefined || stored === null ? stored : dialect.decode('json', stored);
      return indexedWords(structure, value);
    });
    for (const query of dialect.search.index(type.table, names, record.id, words)) await transaction.run(query);
  });
}
