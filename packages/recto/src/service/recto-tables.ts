import { engineTables } from '../database/engine/engine-tables.ts';
import { features } from '../features/index.ts';
import { schemaTable } from '../migrations/storage/schema-table.ts';

/** All tables of the engine, in the order in which they are created and copied. */
export const rectoTables = engineTables([schemaTable, ...features.flatMap(({ tables = [] }) => tables)]);
