import type { EngineTable } from '../../database/engine/engine-table.ts';
import type { EngineTables } from '../../database/engine/engine-tables.ts';
import { schemaTable } from '../../migrations/storage/schema-table.ts';
import type { StoredTable } from '../tables/stored-table.ts';

/** The stored layouts of the types' tables: copied when those are created. */
export const schemaCopy = copyOf(schemaTable);

/** The engine's own tables to copy, except `schemaCopy`. */
export const engineCopies = ({ tables }: EngineTables): readonly StoredTable[] =>
  tables.filter(({ copy, name }) => copy && name !== schemaTable.name).map(copyOf);

function copyOf({ name, key, columns }: EngineTable): StoredTable {
  return { name, key, columns: Object.entries(columns).map(([column, { kind }]) => ({ name: column, kind })) };
}
