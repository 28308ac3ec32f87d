import { defineEngineTable, type EngineColumn, plainInteger, plainText } from '../../database/engine/engine-table.ts';

/** Times are milliseconds since 1970; `report` and `result` are JSON; `fetches` is 0 or 1, for files that come along: of a WordPress site fetched, of records those of media; `tenant` is empty for none. */
export interface TransferRow {
  readonly id: string;
  readonly kind: 'import' | 'export';
  /** Of an import: what the file is. */
  readonly format: 'wordpress' | 'records' | 'csv';
  /** The singular name of a type; null: that of the file's name, or all. */
  readonly type: string | null;
  /** Of the file. */
  readonly name: string;
  /** Null while there is no file. */
  readonly size: number | null;
  readonly storage_key: string | null;
  readonly fetches: number;
  /** What its last job does. */
  readonly stage: 'check' | 'import' | 'export';
  readonly job: string;
  /** Of the check. */
  readonly report: string | null;
  /** Of the import, or the export. */
  readonly result: string | null;
  readonly created_by: string;
  readonly tenant: string;
  readonly created_at: number;
  readonly expires_at: number;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;
const textOrNull = { ...plainText, nullable: true } as const;

/** Imports and exports that were begun by requests. Their files are in the storage of this installation, so no copy takes them along. */
export const transfersTable = defineEngineTable<TransferRow>({
  name: 'recto_transfers',
  key: ['id'],
  columns: {
    id: plainText,
    kind: plainText,
    format: plainText,
    type: textOrNull,
    name: plainText,
    size: { ...time, nullable: true },
    storage_key: textOrNull,
    fetches: plainInteger,
    stage: plainText,
    job: plainText,
    report: textOrNull,
    result: textOrNull,
    created_by: plainText,
    tenant: plainText,
    created_at: time,
    expires_at: time,
  },
  indexes: [{ name: 'recto_transfers$kind$index', columns: ['kind', 'id'] }],
  copy: false,
  migrations: [],
});
