import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Query, Transaction } from '../database/database.ts';
import { withoutRecord } from './new-delivery.ts';
import type { Delivery, DeliveryAttempt, DeliveryState } from './webhook.ts';
import type { DeliveryRow } from './webhook-tables.ts';

/** What an attempt makes of a delivery. */
export interface DeliveryOutcome {
  readonly state: DeliveryState;
  readonly nextAt: number | null;
  readonly attempt: DeliveryAttempt;
}

/** Messages that are in memory at a time: each may have 1 MiB. */
const bodies = 20;

/** Rows that one transaction removes: other writers wait for it. */
const slice = 500;

/** The log of what is sent to webhooks. */
export class DeliveryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds one that waits, unless there is one of that id: the same change has the same id. Behind another one of its record it has
   * no time yet.
   */
  async insert(transaction: Transaction, delivery: Delivery): Promise<void> {
    const { webhook, record } = delivery;
    const entries = Object.entries(rowOf(delivery));
    const names = sql.join(entries.map(([name]) => sql.ref(name)));
    const values = sql.join(
      entries.map(([name, value]: [string, SqlValue]) =>
        name === 'next_at' ? unlessBlocked(sql`o.webhook = ${webhook} and o.record = ${record}`, value) : sql`${value}`,
      ),
    );
    const insert = sql`insert into recto_webhook_deliveries (${names}) values (${values}) on conflict (id) do nothing`;
    await transaction.run(this.#query(insert));
  }

  /** Those that are due, at most one of each record. */
  async due(webhook: string, now: number, limit: number): Promise<readonly Delivery[]> {
    return this.#deliveries(sql`select * from recto_webhook_deliveries
      where webhook = ${webhook} and state = 'pending' and next_at <= ${now}
      order by next_at, seq limit ${sql.lit(limit)}`);
  }

  /** When the next one is due; null where none waits. */
  async nextAt(webhook: string): Promise<number | null> {
    const row = await this.#database.first<{ at: number | null }>(
      this.#query(sql`select min(next_at) as at from recto_webhook_deliveries
        where webhook = ${webhook} and state = 'pending'`),
    );
    return row === undefined || row.at === null ? null : Number(row.at);
  }

  /** Stores the outcome of an attempt; nothing where the delivery was changed meanwhile. At its end, the next one of its record is due. */
  async finish(transaction: Transaction, delivery: Delivery, outcome: DeliveryOutcome): Promise<void> {
    const { id, webhook, record, seq, attempts } = delivery;
    const { state, attempt } = outcome;
    const endedAt = state === 'pending' ? null : attempt.at;
    // One that is sent again at a person's wish may have come before it.
    const older = sql`o.webhook = ${webhook} and o.record = ${record} and o.seq < ${seq}`;
    const nextAt = unlessBlocked(older, outcome.nextAt);
    await transaction.run(
      this.#query(sql`update recto_webhook_deliveries set state = ${state}, next_at = ${nextAt},
          attempts = ${attempts + 1}, last_at = ${attempt.at}, last_status = ${attempt.status},
          last_error = ${attempt.error}, last_ms = ${attempt.durationMs}, ended_at = ${endedAt}
        where id = ${id} and state = 'pending' and attempts = ${attempts}`),
    );
    if (state === 'pending') return;
    await transaction.run(
      this.#query(sql`update recto_webhook_deliveries set next_at = ${attempt.at} where next_at is null and id = (
        select o.id from recto_webhook_deliveries as o
        where o.webhook = ${webhook} and o.state = 'pending' and o.record = ${record} order by o.seq limit 1)`),
    );
  }

  /** Gives a time to those of which none of their record is due, as a safeguard. */
  async unblock(now: number): Promise<void> {
    const statement = this.#query(sql`update recto_webhook_deliveries set next_at = ${now}
      where state = 'pending' and next_at is null and not exists (select 1 from recto_webhook_deliveries as o
        where o.webhook = recto_webhook_deliveries.webhook and o.state = 'pending'
          and o.record = recto_webhook_deliveries.record and o.seq < recto_webhook_deliveries.seq)`);
    await this.#database.transaction(async (transaction) => transaction.run(statement));
  }

  /** Has one delivered (again) now, with all attempts before it. Undefined where there is none of that id. */
  async redeliver(transaction: Transaction, webhook: string, id: string, now: number): Promise<Delivery | undefined> {
    await transaction.run(
      this.#query(sql`update recto_webhook_deliveries set state = 'pending', next_at = ${now}, attempts = 0,
          ended_at = null
        where id = ${id} and webhook = ${webhook}`),
    );
    const row = await transaction.first<DeliveryRow>(
      this.#query(sql`select * from recto_webhook_deliveries where id = ${id} and webhook = ${webhook}`),
    );
    if (row === undefined) return undefined;
    await transaction.run(
      this.#query(sql`update recto_webhook_deliveries set next_at = null
        where webhook = ${webhook} and state = 'pending' and record = ${row.record} and id <> ${id}`),
    );
    return deliveryOf(row);
  }

  /** Takes the records out of all messages to a webhook that are kept: it may no longer get what is in them. */
  async omitRecords(transaction: Transaction, webhook: string): Promise<void> {
    for (let last = ''; ; ) {
      const rows = await transaction.rows<Pick<DeliveryRow, 'id' | 'body'>>(
        this.#query(sql`select id, body from recto_webhook_deliveries
          where webhook = ${webhook} and id > ${last} order by id limit ${sql.lit(bodies)}`),
      );
      for (const { id, body } of rows) {
        const update = sql`update recto_webhook_deliveries set body = ${withoutRecord(body)} where id = ${id}`;
        await transaction.run(this.#query(update));
      }
      const end = rows.at(-1);
      if (end === undefined) return;
      last = end.id;
    }
  }

  /** A page, the newest first and without their bodies, and how many there are. */
  async list(
    webhook: string,
    state: DeliveryState | undefined,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly total: number }> {
    const inState = state === undefined ? sql`` : sql`and state = ${state}`;
    const where = sql`where webhook = ${webhook} ${inState}`;
    const deliveries = await this.#deliveries(sql`select ${listed} from recto_webhook_deliveries ${where}
      order by created_at desc, seq desc, id limit ${limit} offset ${offset}`);
    const count = await this.#database.first<{ total: number | bigint | string }>(
      this.#query(sql`select count(*) as total from recto_webhook_deliveries ${where}`),
    );
    return { deliveries, total: Number(count?.total ?? 0) };
  }

  /** How many wait. */
  async pending(): Promise<number> {
    const count = await this.#database.first<{ total: number | bigint | string }>(
      this.#query(sql`select count(*) as total from recto_webhook_deliveries where state = 'pending'`),
    );
    return Number(count?.total ?? 0);
  }

  /** The webhooks that something waits for. */
  async webhooksWaiting(): Promise<readonly string[]> {
    const rows = await this.#database.rows<{ webhook: string }>(
      this.#query(sql`select distinct webhook from recto_webhook_deliveries where state = 'pending'`),
    );
    return rows.map(({ webhook }) => webhook);
  }

  /** Removes those that reached a state before a time. */
  async prune(state: DeliveryState, before: number, signal: AbortSignal): Promise<void> {
    const statement = this.#query(sql`delete from recto_webhook_deliveries where id in (
      select id from recto_webhook_deliveries where state = ${state} and ended_at < ${before}
      order by ended_at limit ${sql.lit(slice)})`);
    for (let removed = slice; removed === slice && !signal.aborted; ) {
      removed = await this.#database.transaction(async (transaction) => transaction.run(statement));
    }
  }

  async #deliveries(statement: RawBuilder<unknown>): Promise<readonly Delivery[]> {
    return (await this.#database.rows<DeliveryRow>(this.#query(statement))).map(deliveryOf);
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#database.dialect);
  }
}

/** All columns, with a body that is empty. */
const listed = sql`id, webhook, seq, type, record, state, '' as body, attempts, next_at, last_at, last_status, last_error,
  last_ms, created_at, ended_at`;

/** A time, or null while a pending one for which the condition holds is in the way. */
const unlessBlocked = (condition: RawBuilder<unknown>, time: SqlValue) =>
  sql`case when exists (select 1 from recto_webhook_deliveries as o where o.state = 'pending' and ${condition})
    then null else cast(${time} as bigint) end`;

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));

const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhook: row.webhook,
  seq: Number(row.seq),
  type: row.type,
  record: row.record,
  state: row.state,
  body: row.body,
  attempts: row.attempts,
  nextAt: numberOrNull(row.next_at),
  last:
    row.last_at === null
      ? null
      : {
          at: Number(row.last_at),
          status: row.last_status,
          error: row.last_error,
          durationMs: Number(row.last_ms ?? 0),
        },
  createdAt: Number(row.created_at),
  endedAt: numberOrNull(row.ended_at),
});

const rowOf = ({ last, ...delivery }: Delivery): DeliveryRow => ({
  id: delivery.id,
  webhook: delivery.webhook,
  seq: delivery.seq,
  type: delivery.type,
  record: delivery.record,
  state: delivery.state,
  body: delivery.body,
  attempts: delivery.attempts,
  next_at: delivery.nextAt,
  last_at: last?.at ?? null,
  last_status: last?.status ?? null,
  last_error: last?.error ?? null,
  last_ms: last?.durationMs ?? null,
  created_at: delivery.createdAt,
  ended_at: delivery.endedAt,
});
