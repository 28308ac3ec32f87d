import { defineEngineTable, plainText } from '../database/engine/engine-table.ts';

export interface ImportRow {
  readonly source: string;
  readonly kind: string;
  readonly external_id: string;
  readonly record_id: string;
}

/** Maps entries of other systems to their records, so that none is imported twice. */
export const importsTable = defineEngineTable<ImportRow>({
  name: 'recto_imports',
  key: ['source', 'kind', 'external_id'],
  columns: { source: plainText, kind: plainText, external_id: plainText, record_id: plainText },
  migrations: [],
});
