import { defineEngineTable, plainInteger, plainText } from '../../database/engine/engine-table.ts';

export interface ReplyRow {
  readonly id: string;
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
  readonly status: number | null;
  readonly headers: string;
  readonly body: string | null;
}

/** Responses to requests that may be repeated. */
export const replyTable = defineEngineTable<ReplyRow>({
  name: 'recto_idempotency_keys',
  key: ['id'],
  columns: {
    id: plainText,
    fingerprint: plainText,
    expires_at: { kind: 'integer', type: 'bigint' },
    status: { ...plainInteger, nullable: true },
    headers: plainText,
    body: { ...plainText, nullable: true },
  },
  indexes: [{ name: 'recto_idempotency_keys$expires_at$index', columns: ['expires_at'] }],
  migrations: [],
});
