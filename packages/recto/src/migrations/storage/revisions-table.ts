import {
  defineEngineTable,
  type EngineMigration,
  plainInteger,
  plainText,
} from '../../database/engine/engine-table.ts';

/** `changed` and `private_fields` are JSON arrays of field names, `body` is the record as a JSON object. */
export interface RevisionsRow {
  readonly type: string;
  readonly record: string;
  readonly revision: number | bigint;
  readonly action: string;
  readonly author: string | null;
  readonly author_kind: 'account' | 'api_token' | null;
  readonly at: string;
  readonly restored_from: number | bigint | null;
  readonly changed: string;
  readonly private_fields: string;
  readonly body: string;
  readonly name: string | null;
}

/** Revisions from before they could be named have no name. */
const addName: EngineMigration = {
  number: 10,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('name'))) await change.addColumn('name');
  },
};

/** Versions of records. */
export const revisionsTable = defineEngineTable<RevisionsRow>({
  name: 'recto_revisions',
  key: ['type', 'record', 'revision'],
  columns: {
    type: plainText,
    record: plainText,
    revision: plainInteger,
    action: plainText,
    author: { ...plainText, nullable: true },
    author_kind: { ...plainText, nullable: true },
    at: plainText,
    restored_from: { ...plainInteger, nullable: true },
    changed: plainText,
    private_fields: plainText,
    body: plainText,
    name: { ...plainText, nullable: true },
  },
  indexes: [{ name: 'recto_revisions$at$index', columns: ['type', 'at'] }],
  migrations: [addName],
});
