import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Executor, Query, Transaction } from '../database/database.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookRow } from './webhook-tables.ts';

/** The generation that rises when webhooks were made, changed or removed. */
export const webhooksGeneration = 'recto:webhooks';

/** The webhooks of a database. */
export class WebhookStore {
  readonly #database: Database;
  /** All of them, as of a generation: every process asks about once a second whether there are any. */
  #known: { readonly generation: number; readonly webhooks: Promise<readonly Webhook[]> } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All of them, in the order of their creation, as this process knows them: it may hear of another one's change a moment later. */
  async known(): Promise<readonly Webhook[]> {
    const { generations } = this.#database;
    await generations.refresh();
    const generation = generations.of(webhooksGeneration);
    if (this.#known?.generation !== generation) this.#known = { generation, webhooks: this.all() };
    return this.#known.webhooks.catch((error) => {
      this.#known = undefined;
      throw error;
    });
  }

  /** All of them, as the database has them. */
  async all(reader: Pick<Executor, 'rows'> = this.#database): Promise<readonly Webhook[]> {
    const rows = await reader.rows<WebhookRow>(this.#query(sql`select * from recto_webhooks order by id`));
    return rows.map(webhookOf);
  }

  async get(id: string): Promise<Webhook | undefined> {
    const row = await this.#database.first<WebhookRow>(this.#query(sql`select * from recto_webhooks where id = ${id}`));
    return row === undefined ? undefined : webhookOf(row);
  }

  async insert(transaction: Transaction, webhook: Webhook): Promise<void> {
    const entries = Object.entries(rowOf(webhook));
    const names = sql.join(entries.map(([name]) => sql.ref(name)));
    const values = sql.join(entries.map(([, value]: [string, SqlValue]) => value));
    await transaction.run(this.#query(sql`insert into recto_webhooks (${names}) values (${values})`));
    transaction.touch(webhooksGeneration);
  }

  /**
   * Stores what differs between the two, and nothing else: somebody else may have changed other members since `before` was read.
   * Undefined where there is none of that id.
   */
  async update(transaction: Transaction, before: Webhook, after: Webhook): Promise<Webhook | undefined> {
    const stored: Readonly<Record<string, SqlValue>> = { ...rowOf(before) };
    const sets = Object.entries(rowOf(after)).flatMap(([name, value]: [string, SqlValue]) =>
      stored[name] === value ? [] : [sql`${sql.ref(name)} = ${value}`],
    );
    return this.#change(transaction, before.id, sets);
  }

  /** Gives one a new secret; the present one signs as well until `until`. Undefined where there is none of that id. */
  async rotateSecret(
    transaction: Transaction,
    id: string,
    { secret, until, now }: { readonly secret: string; readonly until: number; readonly now: number },
  ): Promise<Webhook | undefined> {
    return this.#change(transaction, id, [
      sql`previous_secret = secret`,
      ...[sql`secret = ${secret}`, sql`previous_until = ${until}`, sql`updated_at = ${now}`],
    ]);
  }

  async #change(
    transaction: Transaction,
    id: string,
    sets: readonly RawBuilder<unknown>[],
  ): Promise<Webhook | undefined> {
    if (sets.length > 0) {
      await transaction.run(this.#query(sql`update recto_webhooks set ${sql.join(sets)} where id = ${id}`));
      transaction.touch(webhooksGeneration);
    }
    const row = await transaction.first<WebhookRow>(this.#query(sql`select * from recto_webhooks where id = ${id}`));
    return row === undefined ? undefined : webhookOf(row);
  }

  /** Stops sending to one that is not there any more; false where nothing was sent to it any more. */
  async disable(transaction: Transaction, id: string, reason: string, now: number): Promise<boolean> {
    const disabled = await transaction.run(
      this.#query(sql`update recto_webhooks set enabled = 0, disabled_reason = ${reason}, updated_at = ${now}
        where id = ${id} and enabled = 1`),
    );
    transaction.touch(webhooksGeneration);
    return disabled > 0;
  }

  /** Removes one with its deliveries; false where there is none of that id. */
  async remove(transaction: Transaction, id: string): Promise<boolean> {
    if ((await transaction.run(this.#query(sql`delete from recto_webhooks where id = ${id}`))) === 0) return false;
    await transaction.run(this.#query(sql`delete from recto_webhook_deliveries where webhook = ${id}`));
    transaction.touch(webhooksGeneration);
    return true;
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#database.dialect);
  }
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));

const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  types: JSON.parse(row.types),
  actions: JSON.parse(row.actions),
  filter: row.filter,
  description: row.description,
  enabled: row.enabled === 1,
  disabledReason: row.disabled_reason,
  includePrivate: row.include_private === 1,
  releases: row.releases === 1,
  languages: row.languages === null ? [] : JSON.parse(row.languages),
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousUntil: numberOrNull(row.previous_until),
  since: Number(row.since),
  createdBy: row.created_by,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
});

const rowOf = (webhook: Webhook): WebhookRow => ({
  id: webhook.id,
  url: webhook.url,
  types: JSON.stringify(webhook.types),
  actions: JSON.stringify(webhook.actions),
  filter: webhook.filter,
  description: webhook.description,
  enabled: webhook.enabled ? 1 : 0,
  disabled_reason: webhook.disabledReason,
  include_private: webhook.includePrivate ? 1 : 0,
  releases: webhook.releases ? 1 : 0,
  languages: webhook.languages.length === 0 ? null : JSON.stringify(webhook.languages),
  secret: webhook.secret,
  previous_secret: webhook.previousSecret,
  previous_until: webhook.previousUntil,
  since: webhook.since,
  created_by: webhook.createdBy,
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
});
