import type { Database } from '../../database/database.ts';
import { searchTable } from '../../database/schema-dialect.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { languagesTable } from '../../definition/languages/languages-table.ts';
import { isLocalized, junctionOf } from '../../definition/stored-field.ts';

/**
 * After much has been brought in: lets the database know what its tables hold, by which it chooses among indexes. A transaction
 * for each table, so that a service which writes meanwhile gets in between.
 */
export async function refreshStatistics(database: Database, types: ContentTypes): Promise<void> {
  for (const query of types.all.flatMap(tablesOf).flatMap(database.dialect.schema.analyze)) {
    await database.transaction(async (transaction) => transaction.run(query));
  }
}

function tablesOf(type: ContentType): readonly string[] {
  const { table, fields } = type;
  const junctions = fields.flatMap((field) => junctionOf(field) ?? []);
  const languages = isLocalized(type) ? [languagesTable(type)] : [];
  return [table, ...junctions, ...languages, ...(type.facts.searched.length > 0 ? [searchTable(table)] : [])];
}
