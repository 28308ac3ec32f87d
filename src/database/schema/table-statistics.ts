import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { Database } from '../database.ts';
import { searchTable } from './schema-dialect.ts';
import { searchedFields } from './searched-fields.ts';

/** After much has been brought in: lets the database know what its tables hold, by which it chooses among indexes. */
export async function refreshStatistics(database: Database, types: ContentTypes): Promise<void> {
  const { schema } = database.dialect;
  await database.transaction(async (transaction) => {
    for (const table of types.all.flatMap(tablesOf)) {
      for (const query of schema.analyze(table)) await transaction.run(query);
    }
  });
}

function tablesOf(type: ContentType): readonly string[] {
  const { table, fields } = type;
  const junctions = fields.flatMap(({ place }) => (place.shape === 'to_many' ? [place.junction] : []));
  return [table, ...junctions, ...(searchedFields(type).length > 0 ? [searchTable(table)] : [])];
}
