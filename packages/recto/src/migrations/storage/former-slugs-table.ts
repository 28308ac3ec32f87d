import { defineEngineTable, plainText } from '../../database/engine/engine-table.ts';

/** A slug by which a record was visible. */
export interface FormerSlugRow {
  /** The singular name of the record's type. */
  readonly type: string;
  /** The field that holds slugs. With a language other than the default that has slugs of its own: `slug@de`. */
  readonly field: string;
  readonly slug: string;
  /** The record's tenant; empty for none. */
  readonly tenant: string;
  /** The record that had it last while it was visible. */
  readonly record: string;
  /** Canonical datetime. */
  readonly moved_at: string;
}

/** Where the former addresses of records lead. A slug that a record has now, and that is visible, comes before these. */
export const formerSlugsTable = defineEngineTable<FormerSlugRow>({
  name: 'recto_former_slugs',
  key: ['type', 'field', 'slug', 'tenant'],
  columns: {
    type: plainText,
    field: plainText,
    slug: plainText,
    tenant: plainText,
    record: plainText,
    moved_at: plainText,
  },
  indexes: [{ name: 'recto_former_slugs$record$index', columns: ['type', 'record'] }],
  migrations: [],
});
