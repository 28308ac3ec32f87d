import { type RawBuilder, sql } from 'kysely';
import { newId } from '../base/ids.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor, Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type {
  MailPreference,
  NewNotification,
  Notification,
  NotificationKind,
  NotificationSettings,
} from './notification.ts';
import type { FollowedRecordRow, NotificationRow, NotificationSettingRow } from './notification-tables.ts';

/** Which notifications of an account are read, newest first. */
export interface NotificationRange {
  readonly account: string;
  readonly unread?: boolean | undefined;
  /** Only those before this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Which of an account's notifications are marked as read. `until`: those that had happened by then, in milliseconds since 1970. */
export type MarkedRead = { readonly ids: readonly string[] } | { readonly until: number };

/** The statements on notifications. */
export class NotificationStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  async page(executor: Pick<Executor, 'rows'>, range: NotificationRange): Promise<readonly Notification[]> {
    const { account, unread, before, limit } = range;
    const conditions = [
      sql`"account" = ${account}`,
      ...(unread === undefined ? [] : [unread ? sql`"read_at" is null` : sql`"read_at" is not null`]),
      ...(before === undefined ? [] : [sql`"id" < ${before}`]),
    ];
    const where = sql.join(conditions, sql` and `);
    const select = sql`select * from recto_notifications where ${where} order by "id" desc limit ${limit}`;
    return (await executor.rows<NotificationRow>(this.#query(select))).map(notificationOf);
  }

  /** Those that are neither read nor mailed, oldest first. */
  async unmailed(executor: Pick<Executor, 'rows'>, account: string, limit: number): Promise<readonly Notification[]> {
    const select = sql`select * from recto_notifications where "account" = ${account} and "read_at" is null
      and "mailed_at" is null order by "id" limit ${limit}`;
    return (await executor.rows<NotificationRow>(this.#query(select))).map(notificationOf);
  }

  async byIds(executor: Pick<Executor, 'rows'>, account: string, ids: readonly string[]) {
    if (ids.length === 0) return [];
    const select = sql`select * from recto_notifications where "account" = ${account} and "id" in (${sql.join(ids)}) order by "id"`;
    return (await executor.rows<NotificationRow>(this.#query(select))).map(notificationOf);
  }

  /** Stores a notification of an account that there is, once. Returns whether it is new. */
  async insert(transaction: Transaction, made: NewNotification): Promise<boolean> {
    const { account, kind, type, record, note, release, actor, at } = made;
    const once = `${account} ${made.once}`;
    const insert = sql`insert into recto_notifications
      ("id", "account", "once", "kind", "type", "record", "note", "release", "actor", "at", "read_at", "mailed_at")
      select ${newId()}, "id", ${once}, ${kind}, ${text(type)}, ${text(record)}, ${text(note)}, ${text(release)}, ${text(actor)},
        ${sql`cast(${at} as bigint)`}, null, null
      from recto_accounts where "id" = ${account} on conflict do nothing`;
    return (await transaction.run(this.#query(insert))) === 1;
  }

  /** Those of some that are not read, newest first. */
  async unread(
    executor: Pick<Executor, 'rows'>,
    { account, marked, before, limit }: Omit<NotificationRange, 'unread'> & { readonly marked: MarkedRead },
  ): Promise<readonly Notification[]> {
    if ('ids' in marked && marked.ids.length === 0) return [];
    const which = 'ids' in marked ? sql`"id" in (${sql.join(marked.ids)})` : sql`"at" <= ${marked.until}`;
    const after = before === undefined ? sql`` : sql` and "id" < ${before}`;
    const select = sql`select * from recto_notifications where "account" = ${account} and "read_at" is null
      and ${which}${after} order by "id" desc limit ${limit}`;
    return (await executor.rows<NotificationRow>(this.#query(select))).map(notificationOf);
  }

  /** Returns how many are read now that were not. */
  async markRead(transaction: Transaction, account: string, ids: readonly string[], now: number): Promise<number> {
    if (ids.length === 0) return 0;
    const update = sql`update recto_notifications set "read_at" = ${now}
      where "account" = ${account} and "read_at" is null and "id" in (${sql.join(ids)})`;
    return transaction.run(this.#query(update));
  }

  async markMailed(transaction: Transaction, ids: readonly string[], now: number): Promise<void> {
    const update = sql`update recto_notifications set "mailed_at" = ${now} where "id" in (${sql.join(ids)})`;
    await transaction.run(this.#query(update));
  }

  /** Removes some of those that happened before a time, in milliseconds since 1970. Returns how many. */
  async prune(transaction: Transaction, before: number, limit: number): Promise<number> {
    const old = sql`select "id" from recto_notifications where "at" < ${before} limit ${sql.lit(limit)}`;
    return transaction.run(this.#query(sql`delete from recto_notifications where "id" in (${old})`));
  }

  async settings(executor: Pick<Executor, 'first'>, account: string): Promise<NotificationSettings | undefined> {
    const select = sql`select * from recto_notification_settings where "account" = ${account}`;
    const row = await executor.first<NotificationSettingRow>(this.#query(select));
    // `keepSettings` is the only writer.
    return row === undefined ? undefined : { mail: row.mail as MailPreference, language: row.language };
  }

  async keepSettings(
    transaction: Transaction,
    account: string,
    { mail, language }: NotificationSettings,
  ): Promise<void> {
    const insert = sql`insert into recto_notification_settings ("account", "mail", "language") values (${account}, ${mail}, ${language})
      on conflict ("account") do update set "mail" = ${mail}, "language" = ${language}`;
    await transaction.run(this.#query(insert));
  }

  async followed(
    executor: Pick<Executor, 'first'>,
    type: string,
    record: string,
  ): Promise<FollowedRecordRow | undefined> {
    const select = sql`select * from recto_followed_records where "type" = ${type} and "record" = ${record}`;
    return executor.first<FollowedRecordRow>(this.#query(select));
  }

  async follow(transaction: Transaction, { type, record, assignee, status, asked_by: asked }: FollowedRecordRow) {
    const insert = sql`insert into recto_followed_records ("type", "record", "assignee", "status", "asked_by")
      values (${type}, ${record}, ${assignee}, ${status}, ${asked}) on conflict ("type", "record")
      do update set "assignee" = excluded."assignee", "status" = excluded."status", "asked_by" = excluded."asked_by"`;
    await transaction.run(this.#query(insert));
  }

  async unfollow(transaction: Transaction, type: string, record: string): Promise<void> {
    const remove = sql`delete from recto_followed_records where "type" = ${type} and "record" = ${record}`;
    await transaction.run(this.#query(remove));
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}

/** A value in a list of columns, where PostgreSQL does not find out its type. */
const text = (value: string | null): RawBuilder<unknown> => sql`cast(${value} as text)`;

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));

function notificationOf(row: NotificationRow): Notification {
  const { id, account, type, record, note, release, actor } = row;
  const head = {
    ...{ id, account, actor, once: row.once.slice(account.length + 1), at: Number(row.at) },
    // `insert` is the only writer.
    kind: row.kind as NotificationKind,
    ...{ readAt: numberOrNull(row.read_at), mailedAt: numberOrNull(row.mailed_at) },
  };
  if (type === null || record === null)
    return { ...head, type: null, record: null, note: null, release: release ?? '' };
  return { ...head, type, record, note, release: null };
}
