import { type RawBuilder, sql } from 'kysely';
import { tokenHash } from '../auth/opaque-token.ts';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Executor, Query, Transaction } from '../database/database.ts';
import { type Preview, previewScopes } from './preview.ts';
import type { PreviewRow } from './preview-table.ts';

/** Which shared links are listed. */
export interface LinkFilter {
  /** Milliseconds since 1970: those that have expired are left out. */
  readonly now: number;
  /** Only those of this account or API token. */
  readonly by?: string;
  /** Only those of this tenant; null: of none. Absent: of all. */
  readonly tenant?: string | null;
  /** Only those to this record. */
  readonly record?: { readonly type: string; readonly id: string };
}

/** Preview tokens, as they are stored. */
export class PreviewStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(transaction: Transaction, preview: Preview, token: string): Promise<void> {
    const row = rowOf(preview, tokenHash(token));
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    const values = sql.join(Object.values(row));
    await transaction.run(this.#query(sql`insert into recto_previews (${columns}) values (${values})`));
  }

  /** The preview of a token, whether it has expired or not. */
  async byToken(token: string): Promise<Preview | undefined> {
    return this.#first(sql`select * from recto_previews where "hash" = ${tokenHash(token)}`, this.#database);
  }

  async byId(id: string, executor: Pick<Executor, 'first'> = this.#database): Promise<Preview | undefined> {
    return this.#first(sql`select * from recto_previews where "id" = ${id}`, executor);
  }

  /** Links that are shared, the newest first. */
  async links(filter: LinkFilter, { limit, offset }: { readonly limit: number; readonly offset: number }) {
    const where = linksWhere(filter);
    const select = sql`select * from recto_previews where ${where} order by "created_at" desc, "id" desc limit ${limit} offset ${offset}`;
    const rows = await this.#database.rows<PreviewRow>(this.#query(select));
    const count = sql`select count(*) as "total" from recto_previews where ${where}`;
    const found = await this.#database.first<{ total: number | string }>(this.#query(count));
    return { previews: rows.map(previewOf), total: Number(found?.total ?? 0) };
  }

  async remove(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from recto_previews where "id" = ${id}`));
  }

  /** Removes tokens that expired before a time; returns how many there were. */
  prune(transaction: Transaction, before: number) {
    return transaction.run(this.#query(sql`delete from recto_previews where "expires_at" < ${before}`));
  }

  async #first(select: RawBuilder<unknown>, executor: Pick<Executor, 'first'>): Promise<Preview | undefined> {
    const row = await executor.first<PreviewRow>(this.#query(select));
    return row === undefined ? undefined : previewOf(row);
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#database.dialect);
  }
}

function linksWhere({ now, by, tenant, record }: LinkFilter): RawBuilder<unknown> {
  const conditions = [
    sql`"label" is not null`,
    sql`"expires_at" > ${now}`,
    ...(by === undefined ? [] : [sql`"by_id" = ${by}`]),
    ...(tenant === undefined ? [] : [sql`"tenant" = ${tenant ?? ''}`]),
    ...(record === undefined ? [] : [sql`"type" = ${record.type}`, sql`"record" = ${record.id}`]),
  ];
  return sql.join(conditions, sql` and `);
}

const rowOf = (preview: Preview, hash: string): Record<keyof PreviewRow, SqlValue> => ({
  id: preview.id,
  hash,
  by_kind: preview.by.kind,
  by_id: preview.by.id,
  session: preview.session,
  type: preview.type,
  record: preview.record,
  scope: preview.scope,
  language: preview.language,
  release: preview.release,
  at: preview.at,
  tenant: preview.tenant ?? '',
  label: preview.label,
  created_at: preview.createdAt,
  expires_at: preview.expiresAt,
});

const previewOf = (row: PreviewRow): Preview => ({
  id: row.id,
  by: { kind: row.by_kind === 'api_token' ? 'api_token' : 'account', id: row.by_id },
  session: row.session,
  type: row.type,
  record: row.record,
  // What is none of them shows the least.
  scope: previewScopes.find((scope) => scope === row.scope) ?? 'record',
  language: row.language,
  release: row.release,
  at: row.at,
  tenant: row.tenant === '' ? null : row.tenant,
  label: row.label,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
});
