import { defineEngineTable, plainText } from '../database/engine/engine-table.ts';

/** Times are milliseconds since 1970. */
export interface PresenceRow {
  /** The singular name of a type. */
  readonly type: string;
  readonly record: string;
  readonly account: string;
  readonly since: number;
  readonly seen_at: number;
}

const time = { kind: 'integer', type: 'bigint' } as const;

/** Who has which record open at present. */
export const presenceTable = defineEngineTable<PresenceRow>({
  name: 'recto_presence',
  key: ['type', 'record', 'account'],
  columns: { type: plainText, record: plainText, account: plainText, since: time, seen_at: time },
  indexes: [{ name: 'recto_presence$seen$index', columns: ['seen_at'] }],
  copy: false,
  migrations: [],
});
