import {
  defineEngineTable,
  type EngineColumn,
  type EngineMigration,
  plainText,
} from '../database/engine/engine-table.ts';

export interface PreviewRow {
  readonly id: string;
  readonly hash: string;
  /** `account` or `api_token`. */
  readonly by_kind: string;
  readonly by_id: string;
  readonly session: string | null;
  readonly type: string;
  readonly record: string;
  readonly scope: string;
  readonly language: string | null;
  readonly release: string | null;
  readonly at: string | null;
  /** Empty: none. */
  readonly tenant: string;
  readonly label: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;
const textOrNull = { ...plainText, nullable: true } as const;

/** Previews of a time to come. */
const addAt: EngineMigration = {
  number: 16,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('at'))) await change.addColumn('at');
  },
};

/** Preview tokens, as their hashes. */
export const previewTable = defineEngineTable<PreviewRow>({
  name: 'recto_previews',
  key: ['id'],
  columns: {
    id: plainText,
    hash: plainText,
    by_kind: plainText,
    by_id: plainText,
    session: textOrNull,
    type: plainText,
    record: plainText,
    scope: plainText,
    language: textOrNull,
    release: textOrNull,
    at: textOrNull,
    tenant: plainText,
    label: textOrNull,
    created_at: time,
    expires_at: time,
  },
  indexes: [
    { name: 'recto_previews$hash$index', columns: ['hash'] },
    { name: 'recto_previews$expires_at$index', columns: ['expires_at'] },
  ],
  migrations: [addAt],
});
