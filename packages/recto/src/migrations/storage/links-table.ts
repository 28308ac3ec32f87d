import { defineEngineTable, plainText } from '../../database/engine/engine-table.ts';

/** A reference that stands in a structured field of a record, where no column and no junction table knows it. */
export interface LinkRow {
  /** The singular name of the type of the record that it stands in. */
  readonly type: string;
  readonly record: string;
  /** The field of the type. */
  readonly field: string;
  /** The relation inside the field, by names: `quote.author`. Empty for the items of a list. */
  readonly path: string;
  /** The singular name of the type of the record that it leads to. */
  readonly target_type: string;
  readonly target: string;
}

/** Which records the structured fields of others refer to: what a foreign key says of a relation that is a column. */
export const linksTable = defineEngineTable<LinkRow>({
  name: 'recto_links',
  key: ['type', 'record', 'field', 'path', 'target'],
  columns: {
    type: plainText,
    record: plainText,
    field: plainText,
    path: plainText,
    target_type: plainText,
    target: plainText,
  },
  indexes: [{ name: 'recto_links$target$index', columns: ['target_type', 'target'] }],
  migrations: [],
});
