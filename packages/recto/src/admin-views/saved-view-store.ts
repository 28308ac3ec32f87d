import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor, Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { SavedViewRow } from './admin-view-tables.ts';
import type { SavedView } from './saved-view.ts';

/** Whose eyes views are read with. */
export interface ViewReader {
  readonly id: string;
  readonly tenant: string | null;
}

/** What views are sorted by. */
export type NamedView = Pick<SavedView, 'id' | 'name'>;

/** The statements on saved views. Who may do what is in `saved-views.ts`. */
export class SavedViewStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The reader's own and the shared ones of the tenant; of one type or of all. */
  async visible(executor: Executor, reader: ViewReader, type?: string): Promise<readonly NamedView[]> {
    return executor.rows<NamedView>(this.#query(visibleTo(sql`"id", "name"`, reader, type)));
  }

  /** The same, whole. */
  async visibleWhole(executor: Executor, reader: ViewReader, type?: string): Promise<readonly SavedView[]> {
    return (await executor.rows<SavedViewRow>(this.#query(visibleTo(sql`*`, reader, type)))).map(viewOf);
  }

  /** Those of the ids that there are, in the order of the ids. */
  async several(executor: Executor, ids: readonly string[]): Promise<readonly SavedView[]> {
    if (ids.length === 0) return [];
    const rows = await executor.rows<SavedViewRow>(
      this.#query(sql`select * from recto_saved_views where "id" in (${sql.join(ids.map((id) => sql`${id}`))})`),
    );
    const byId = new Map(rows.map((row) => [row.id, viewOf(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async get(executor: Executor, id: string): Promise<SavedView | undefined> {
    const row = await executor.first<SavedViewRow>(
      this.#query(sql`select * from recto_saved_views where "id" = ${id}`),
    );
    return row === undefined ? undefined : viewOf(row);
  }

  async countOf(executor: Executor, owner: string): Promise<number> {
    const row = await executor.first<{ readonly views: number | string }>(
      this.#query(sql`select count(*) as "views" from recto_saved_views where "owner" = ${owner}`),
    );
    return Number(row?.views ?? 0);
  }

  async insert(transaction: Transaction, view: SavedView): Promise<void> {
    const entries = Object.entries(rowOf(view));
    const names = sql.join(entries.map(([name]) => sql.ref(name)));
    const values = sql.join(entries.map(([, value]: [string, SqlValue]) => value));
    await transaction.run(this.#query(sql`insert into recto_saved_views (${names}) values (${values})`));
  }

  async update(transaction: Transaction, view: SavedView): Promise<void> {
    const { id, ...row } = rowOf(view);
    const sets = sql.join(
      Object.entries(row).map(([name, value]: [string, SqlValue]) => sql`${sql.ref(name)} = ${value}`),
    );
    await transaction.run(this.#query(sql`update recto_saved_views set ${sets} where "id" = ${id}`));
  }

  async remove(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from recto_saved_views where "id" = ${id}`));
  }

  /** Removes the own views of accounts and API tokens that there are no more. What they shared stays. */
  async prune(transaction: Transaction): Promise<number> {
    return transaction.run(
      this.#query(sql`delete from recto_saved_views where "shared" = 0
        and not exists (select 1 from recto_accounts where recto_accounts."id" = recto_saved_views."owner")
        and not exists (select 1 from recto_api_tokens where recto_api_tokens."id" = recto_saved_views."owner")`),
    );
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}

const visibleTo = (columns: RawBuilder<unknown>, { id, tenant }: ViewReader, type: string | undefined) =>
  sql`select ${columns} from recto_saved_views
    where "tenant" = ${tenant ?? ''} and ("owner" = ${id} or "shared" = 1)
    ${type === undefined ? sql`` : sql`and "type" = ${type}`}`;

const viewOf = (row: SavedViewRow): SavedView => ({
  id: row.id,
  type: row.type,
  name: row.name,
  shared: row.shared === 1,
  filter: row.filter,
  search: row.search,
  sort: row.sort,
  columns: JSON.parse(row.columns),
  owner: row.owner,
  tenant: row.tenant === '' ? null : row.tenant,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
});

const rowOf = (view: SavedView): SavedViewRow => ({
  id: view.id,
  type: view.type,
  name: view.name,
  shared: view.shared ? 1 : 0,
  filter: view.filter,
  search: view.search,
  sort: view.sort,
  columns: JSON.stringify(view.columns),
  owner: view.owner,
  tenant: view.tenant ?? '',
  created_at: view.createdAt,
  updated_at: view.updatedAt,
});
