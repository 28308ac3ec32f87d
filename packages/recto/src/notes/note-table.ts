import { defineEngineTable, type EngineColumn, plainText } from '../database/engine/engine-table.ts';

export interface NoteRow {
  readonly id: string;
  readonly type: string;
  readonly record: string;
  /** Empty: none. */
  readonly tenant: string;
  readonly field: string | null;
  readonly language: string | null;
  /** JSON. */
  readonly quote: string | null;
  readonly text: string;
  /** JSON. */
  readonly mentions: string;
  readonly parent: string | null;
  readonly author: string;
  readonly created_at: number;
  readonly updated_at: number | null;
  readonly resolved_at: number | null;
  readonly resolved_by: string | null;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;
const timeOrNull = { ...time, nullable: true } as const;
const textOrNull = { ...plainText, nullable: true } as const;

/** What people write beside records. The notes of a record are removed by the writer of records, together with it. */
export const noteTable = defineEngineTable<NoteRow>({
  name: 'recto_notes',
  key: ['id'],
  columns: {
    id: plainText,
    type: plainText,
    record: plainText,
    tenant: plainText,
    field: textOrNull,
    language: textOrNull,
    quote: textOrNull,
    text: plainText,
    mentions: plainText,
    parent: textOrNull,
    author: plainText,
    created_at: time,
    updated_at: timeOrNull,
    resolved_at: timeOrNull,
    resolved_by: textOrNull,
  },
  indexes: [{ name: 'recto_notes$record$index', columns: ['type', 'record'] }],
  migrations: [],
});
