import { defineEngineTable, type EngineColumn, plainText } from '../database/engine/engine-table.ts';

export interface NotificationRow {
  readonly id: string;
  readonly account: string;
  /** The account and what it is notified of, so that no event notifies twice. */
  readonly once: string;
  readonly kind: string;
  readonly type: string | null;
  readonly record: string | null;
  readonly note: string | null;
  readonly release: string | null;
  readonly actor: string | null;
  readonly at: number;
  readonly read_at: number | null;
  readonly mailed_at: number | null;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;
const timeOrNull = { ...time, nullable: true } as const;
const textOrNull = { ...plainText, nullable: true } as const;

const notificationTable = defineEngineTable<NotificationRow>({
  name: 'recto_notifications',
  key: ['id'],
  columns: {
    id: plainText,
    account: plainText,
    once: { ...plainText, unique: true },
    kind: plainText,
    type: textOrNull,
    record: textOrNull,
    note: textOrNull,
    release: textOrNull,
    actor: textOrNull,
    at: time,
    read_at: timeOrNull,
    mailed_at: timeOrNull,
  },
  indexes: [
    { name: 'recto_notifications$account$index', columns: ['account', 'id'] },
    { name: 'recto_notifications$unread$index', columns: ['account', 'read_at', 'id'] },
  ],
  migrations: [],
});

export interface NotificationSettingRow {
  readonly account: string;
  readonly mail: string;
  readonly language: string;
}

const settingTable = defineEngineTable<NotificationSettingRow>({
  name: 'recto_notification_settings',
  key: ['account'],
  columns: { account: plainText, mail: plainText, language: plainText },
  migrations: [],
});

/** What the reader of the log has last seen of a record that people work on: what is not so any more has changed. */
export interface FollowedRecordRow {
  readonly type: string;
  readonly record: string;
  readonly assignee: string | null;
  readonly status: string | null;
  /** The account that has last asked for a review. */
  readonly asked_by: string | null;
}

const followedTable = defineEngineTable<FollowedRecordRow>({
  name: 'recto_followed_records',
  key: ['type', 'record'],
  columns: { type: plainText, record: plainText, assignee: textOrNull, status: textOrNull, asked_by: textOrNull },
  migrations: [],
});

export const notificationTables = [notificationTable, settingTable, followedTable];
