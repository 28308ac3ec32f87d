import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Executor, Query, Transaction } from '../database/database.ts';
import type { ItemAction, Release, ReleaseItem, ReleaseStatus } from './release.ts';
import type { ReleaseItemRow, ReleaseRow } from './release-tables.ts';

/** The generation that rises when releases were made, changed or removed. */
export const releasesGeneration = 'recto:releases';

/** Which releases a list shows. */
export interface ReleaseFilter {
  readonly tenant: string | null;
  readonly status: ReleaseStatus | undefined;
  /** Canonical datetime: which scheduled ones are due. */
  readonly now: string;
}

/** Where an item is: of a record, or by its own id of one that begins with the release. */
interface StoredPlace extends Pick<ReleaseItem, 'release' | 'type' | 'language'> {
  readonly id: string;
}

/** Releases and their items, as they are stored. */
export class ReleaseStore {
  readonly #database: Database;
  #next: { readonly generation: number; readonly at: Promise<string | null> } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** When the next scheduled release is due, as this process knows; canonical datetime, null for none. */
  async nextDue(): Promise<string | null> {
    const { generations } = this.#database;
    await generations.refresh();
    const generation = generations.of(releasesGeneration);
    if (this.#next?.generation !== generation) this.#next = { generation, at: this.#readNext() };
    return this.#next.at.catch((error) => {
      this.#next = undefined;
      throw error;
    });
  }

  async #readNext(): Promise<string | null> {
    const select = sql`select min("scheduled_at") as "at" from recto_releases where "status" = 'scheduled'`;
    return (await this.#database.first<{ at: string | null }>(this.#query(select)))?.at ?? null;
  }

  /** The scheduled releases that are due, in their order. */
  async due(now: string): Promise<readonly Release[]> {
    const select = sql`select * from recto_releases where "status" = 'scheduled' and "scheduled_at" <= ${now} order by "scheduled_at", "id" limit 100`;
    return (await this.#database.rows<ReleaseRow>(this.#query(select))).map(releaseOf);
  }

  /** Those of a tenant with a time from `from` up to, but not including, `to` that are not published, by their time. */
  async timed(within: {
    readonly tenant: string | null;
    readonly from: string;
    readonly to: string;
  }): Promise<readonly Release[]> {
    const select = sql`select * from recto_releases where "status" in ('open', 'scheduled', 'failed') and "scheduled_at" >= ${within.from}
      and "scheduled_at" < ${within.to} and "tenant" = ${within.tenant ?? ''} order by "scheduled_at", "id" limit 10000`;
    return (await this.#database.rows<ReleaseRow>(this.#query(select))).map(releaseOf);
  }

  /** The scheduled releases of a tenant that are due until a time, in their order. */
  async dueUntil(at: string, tenant: string | null): Promise<readonly Release[]> {
    const select = sql`select * from recto_releases where "status" = 'scheduled' and "scheduled_at" <= ${at}
      and "tenant" = ${tenant ?? ''} order by "scheduled_at", "id" limit 100`;
    return (await this.#database.rows<ReleaseRow>(this.#query(select))).map(releaseOf);
  }

  async page(filter: ReleaseFilter, { limit, offset }: { readonly limit: number; readonly offset: number }) {
    const where = this.#where(filter);
    const select = sql`select * from recto_releases where ${where} order by "created_at" desc, "id" desc limit ${limit} offset ${offset}`;
    const rows = await this.#database.rows<ReleaseRow>(this.#query(select));
    const count = sql`select count(*) as "total" from recto_releases where ${where}`;
    const found = await this.#database.first<{ total: number | string }>(this.#query(count));
    return { releases: rows.map(releaseOf), total: Number(found?.total ?? 0) };
  }

  #where({ tenant, status, now }: ReleaseFilter): RawBuilder<unknown> {
    const own = sql`"tenant" = ${tenant ?? ''}`;
    if (status === undefined) return own;
    if (status === 'publishing') return sql`${own} and "status" = 'scheduled' and "scheduled_at" <= ${now}`;
    if (status === 'scheduled') return sql`${own} and "status" = 'scheduled' and "scheduled_at" > ${now}`;
    return sql`${own} and "status" = ${status}`;
  }

  async get(id: string, executor: Pick<Executor, 'first'> = this.#database): Promise<Release | undefined> {
    const row = await executor.first<ReleaseRow>(this.#query(sql`select * from recto_releases where "id" = ${id}`));
    return row === undefined ? undefined : releaseOf(row);
  }

  async insert(transaction: Transaction, release: Release): Promise<void> {
    await transaction.run(this.#insertion('recto_releases', rowOf(release)));
    transaction.touch(releasesGeneration);
  }

  /** Stores the next state of a release, if nobody has changed it since it was read. */
  async update(transaction: Transaction, before: Release, changes: Partial<Release>): Promise<Release | undefined> {
    const after: Release = { ...before, ...changes, version: before.version + 1 };
    const { id, ...row } = rowOf(after);
    const sets = sql.join(
      Object.entries(row).map(([name, value]: [string, SqlValue]) => sql`${sql.ref(name)} = ${value}`),
    );
    const update = sql`update recto_releases set ${sets} where "id" = ${id} and "version" = ${before.version}`;
    transaction.touch(releasesGeneration);
    return (await transaction.run(this.#query(update))) === 1 ? after : undefined;
  }

  async remove(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from recto_release_items where "release" = ${id}`));
    await transaction.run(this.#query(sql`delete from recto_releases where "id" = ${id}`));
    transaction.touch(releasesGeneration);
  }

  /** The items of a release, in the order in which they were added. */
  async items(release: string, executor: Pick<Executor, 'rows'> = this.#database): Promise<readonly ReleaseItem[]> {
    const select = sql`select * from recto_release_items where "release" = ${release} order by "id"`;
    return (await executor.rows<ReleaseItemRow>(this.#query(select))).map(itemOf);
  }

  /** The item of a record in a language, or of one that begins with the release, by the item's own id. */
  async item(
    transaction: Pick<Executor, 'first'>,
    { release, type, id, language }: StoredPlace,
  ): Promise<ReleaseItem | undefined> {
    const select = sql`select * from recto_release_items where "release" = ${release} and "type" = ${type}
      and ("record" = ${id} or ("record" is null and "id" = ${id})) and coalesce("language", '') = ${language ?? ''}`;
    const row = await transaction.first<ReleaseItemRow>(this.#query(select));
    return row === undefined ? undefined : itemOf(row);
  }

  async countItems(transaction: Pick<Executor, 'first'>, release: string): Promise<number> {
    const select = sql`select count(*) as "total" from recto_release_items where "release" = ${release}`;
    return Number((await transaction.first<{ total: number | string }>(this.#query(select)))?.total ?? 0);
  }

  async insertItem(transaction: Transaction, item: ReleaseItem): Promise<void> {
    await transaction.run(this.#insertion('recto_release_items', itemRowOf(item)));
  }

  async insertItems(transaction: Transaction, items: readonly ReleaseItem[]): Promise<void> {
    if (items.length === 0) return;
    await transaction.runAll(items.map((item) => this.#insertion('recto_release_items', itemRowOf(item))));
  }

  async replaceItem(transaction: Transaction, item: ReleaseItem): Promise<void> {
    const { id, release: _, ...row } = itemRowOf(item);
    const sets = sql.join(
      Object.entries(row).map(([name, value]: [string, SqlValue]) => sql`${sql.ref(name)} = ${value}`),
    );
    await transaction.run(this.#query(sql`update recto_release_items set ${sets} where "id" = ${id}`));
  }

  async removeItem(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from recto_release_items where "id" = ${id}`));
  }

  /** Keeps what became of the records. */
  async keepMade(
    transaction: Transaction,
    items: readonly Pick<ReleaseItem, 'id' | 'record' | 'made'>[],
  ): Promise<void> {
    const updates = items.map(({ id, record, made }) => {
      const text = made === null ? null : JSON.stringify(made);
      return this.#query(sql`update recto_release_items set "record" = ${record}, "made" = ${text} where "id" = ${id}`);
    });
    if (updates.length > 0) await transaction.runAll(updates);
  }

  #insertion(table: string, row: object): Query {
    const entries: readonly [string, SqlValue][] = Object.entries(row);
    const names = sql.join(entries.map(([name]) => sql.ref(name)));
    const values = sql.join(entries.map(([, value]) => value));
    return this.#query(sql`insert into ${sql.table(table)} (${names}) values (${values})`);
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#database.dialect);
  }
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));
const parsedOrNull = (text: string | null) => (text === null ? null : JSON.parse(text));
const textOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

const releaseOf = (row: ReleaseRow): Release => ({
  id: row.id,
  name: row.name,
  description: row.description,
  // Written by `rowOf`.
  status: row.status as Release['status'],
  scheduledAt: row.scheduled_at,
  timeZone: row.time_zone,
  scheduledBy: parsedOrNull(row.scheduled_by),
  failure: parsedOrNull(row.problems),
  reverts: row.reverts,
  tenant: row.tenant === '' ? null : row.tenant,
  version: Number(row.version),
  createdBy: row.created_by,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
  publishedAt: numberOrNull(row.published_at),
  publishedBy: row.published_by,
});

const rowOf = (release: Release): ReleaseRow => ({
  id: release.id,
  name: release.name,
  description: release.description,
  status: release.status,
  scheduled_at: release.scheduledAt,
  time_zone: release.timeZone,
  scheduled_by: textOrNull(release.scheduledBy),
  problems: textOrNull(release.failure),
  reverts: release.reverts,
  tenant: release.tenant ?? '',
  version: release.version,
  created_by: release.createdBy,
  created_at: release.createdAt,
  updated_at: release.updatedAt,
  published_at: release.publishedAt,
  published_by: release.publishedBy,
});

const itemOf = (row: ReleaseItemRow): ReleaseItem => ({
  id: row.id,
  release: row.release,
  type: row.type,
  record: row.record,
  language: row.language,
  // Written by `itemRowOf`.
  action: row.action as ItemAction,
  changes: JSON.parse(row.changes),
  base: JSON.parse(row.base),
  kept: parsedOrNull(row.kept),
  made: parsedOrNull(row.made),
  addedBy: row.added_by,
  addedAt: Number(row.added_at),
});

const itemRowOf = (item: ReleaseItem): ReleaseItemRow => ({
  id: item.id,
  release: item.release,
  type: item.type,
  record: item.record,
  language: item.language,
  action: item.action,
  changes: JSON.stringify(item.changes),
  base: JSON.stringify(item.base),
  kept: textOrNull(item.kept),
  made: textOrNull(item.made),
  added_by: item.addedBy,
  added_at: item.addedAt,
});
