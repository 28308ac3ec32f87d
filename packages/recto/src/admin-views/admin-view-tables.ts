import { defineEngineTable, type EngineColumn, plainInteger, plainText } from '../database/engine/engine-table.ts';

/** Times are milliseconds since 1970; `columns` is JSON; `shared` is 0 or 1; `tenant` is empty for none. */
export interface SavedViewRow {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly shared: number;
  readonly filter: string;
  readonly search: string;
  readonly sort: string;
  readonly columns: string;
  readonly owner: string;
  readonly tenant: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** `value` is JSON. */
export interface PreferenceRow {
  readonly owner: string;
  readonly name: string;
  readonly value: string;
  readonly updated_at: number;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;

export const adminViewTables = [
  defineEngineTable<SavedViewRow>({
    name: 'recto_saved_views',
    key: ['id'],
    columns: {
      id: plainText,
      type: plainText,
      name: plainText,
      shared: plainInteger,
      filter: plainText,
      search: plainText,
      sort: plainText,
      columns: plainText,
      owner: plainText,
      tenant: plainText,
      created_at: time,
      updated_at: time,
    },
    indexes: [
      { name: 'recto_saved_views$owner$index', columns: ['owner', 'type'] },
      { name: 'recto_saved_views$shared$index', columns: ['shared', 'tenant', 'type'] },
    ],
    migrations: [],
  }),
  defineEngineTable<PreferenceRow>({
    name: 'recto_preferences',
    key: ['owner', 'name'],
    columns: { owner: plainText, name: plainText, value: plainText, updated_at: time },
    migrations: [],
  }),
] as const;
