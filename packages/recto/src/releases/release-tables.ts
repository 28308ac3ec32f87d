import {
  defineEngineTable,
  type EngineColumn,
  type EngineMigration,
  plainInteger,
  plainText,
} from '../database/engine/engine-table.ts';

/** Times of day are canonical datetimes, all others milliseconds since 1970; `scheduled_by` and `problems` are JSON; `tenant` is empty for none. */
export interface ReleaseRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly scheduled_at: string | null;
  readonly time_zone: string | null;
  readonly scheduled_by: string | null;
  readonly problems: string | null;
  readonly reverts: string | null;
  readonly tenant: string;
  /** Rises with each change of the release and of its items. */
  readonly version: number;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly published_at: number | null;
  readonly published_by: string | null;
}

/** `changes`, `base`, `kept` and `made` are JSON. */
export interface ReleaseItemRow {
  readonly id: string;
  readonly release: string;
  readonly type: string;
  readonly record: string | null;
  /** Null: the default language. */
  readonly language: string | null;
  readonly action: string;
  readonly changes: string;
  readonly base: string;
  readonly kept: string | null;
  readonly made: string | null;
  readonly added_by: string | null;
  readonly added_at: number;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;
const timeOrNull = { ...time, nullable: true } as const;
const textOrNull = { ...plainText, nullable: true } as const;

/** Items that were there before were in the default language. */
const addLanguage: EngineMigration = {
  number: 15,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('language'))) await change.addColumn('language');
  },
};

export const releaseTables = [
  defineEngineTable<ReleaseRow>({
    name: 'recto_releases',
    key: ['id'],
    columns: {
      id: plainText,
      name: plainText,
      description: plainText,
      status: plainText,
      scheduled_at: textOrNull,
      time_zone: textOrNull,
      scheduled_by: textOrNull,
      problems: textOrNull,
      reverts: textOrNull,
      tenant: plainText,
      version: plainInteger,
      created_by: textOrNull,
      created_at: time,
      updated_at: time,
      published_at: timeOrNull,
      published_by: textOrNull,
    },
    indexes: [{ name: 'recto_releases$due$index', columns: ['status', 'scheduled_at'] }],
    migrations: [],
  }),
  defineEngineTable<ReleaseItemRow>({
    name: 'recto_release_items',
    key: ['id'],
    columns: {
      id: plainText,
      release: plainText,
      type: plainText,
      record: textOrNull,
      language: textOrNull,
      action: plainText,
      changes: plainText,
      base: plainText,
      kept: textOrNull,
      made: textOrNull,
      added_by: textOrNull,
      added_at: time,
    },
    indexes: [{ name: 'recto_release_items$release$index', columns: ['release', 'type', 'record'] }],
    migrations: [addLanguage],
  }),
] as const;
