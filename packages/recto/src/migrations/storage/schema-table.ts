import { defineEngineTable, plainText } from '../../database/engine/engine-table.ts';

/** What is remembered of one type, as JSON text: the storage of its fields, and of those that are no longer defined. */
export interface SchemaRow {
  readonly type: string;
  readonly snapshot: string;
  readonly dormant: string;
}

/** What the tables of each content type can hold. */
export const schemaTable = defineEngineTable<SchemaRow>({
  name: 'recto_schema',
  key: ['type'],
  columns: { type: plainText, snapshot: plainText, dormant: plainText },
  migrations: [],
});
