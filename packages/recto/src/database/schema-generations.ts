import type { SchemaChange } from './schema-dialect.ts';

/** Touched by every change of the schema, so that other processes notice. */
export const schemaGeneration = 'recto:schema';

/** What the names of layouts begin with. Transactions read their generations in `recto_generations`, where every database keeps them. */
export const layouts = 'recto:layout';

/** The name whose generation goes up when a type's tables are no longer what those who knew them could write to: see `Generations`. */
export const layoutGeneration = (singular: string): string => `${layouts}:${singular}`;

/** Changes after which a statement that was made before them may fail, or store what no longer belongs there. */
export const changesLayout = ({ change }: SchemaChange): boolean => !additions.has(change);

const additions: ReadonlySet<SchemaChange['change']> = new Set([
  'create_table',
  'add_column',
  'create_junction',
  'create_index',
  'drop_index',
  'create_list_index',
  'drop_list_index',
  'create_set_index',
  'drop_set_index',
  'create_search',
]);
