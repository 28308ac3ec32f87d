import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor, Query, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type TransferRow, transfersTable } from './transfers-table.ts';

const table = sql.id(transfersTable.name);

/** What changes of a transfer. */
export type TransferChange = Partial<
  Pick<TransferRow, 'name' | 'size' | 'storage_key' | 'stage' | 'job' | 'report' | 'result' | 'expires_at'>
>;

/** Whose transfers, of which kind; without a tenant: those of all. */
export interface TransferFilter {
  readonly kind: TransferRow['kind'];
  readonly tenant?: string | undefined;
}

/** The rows of imports and exports. */
export class TransferStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  async insert(transaction: Transaction, row: TransferRow): Promise<void> {
    const names = Object.keys(transfersTable.columns);
    const values = Object.entries(row);
    const sent = (name: string) => values.find(([one]) => one === name)?.[1] ?? null;
    await transaction.run(
      this.#query(
        sql`insert into ${table} (${sql.join(names.map((name) => sql.id(name)))})
          values (${sql.join(names.map((name) => sql`${sent(name)}`))})`,
      ),
    );
  }

  async find(executor: Executor, id: string): Promise<TransferRow | undefined> {
    const row = await executor.first<TransferRow>(this.#query(sql`select * from ${table} where id = ${id}`));
    return row === undefined ? undefined : rowOf(row);
  }

  /** The newest first, and how many there are. */
  async page(
    executor: Executor,
    filter: TransferFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly TransferRow[]; readonly total: number }> {
    const where = conditions(filter);
    const rows = await executor.rows<TransferRow>(
      this.#query(sql`select * from ${table} where ${where} order by id desc limit ${limit} offset ${offset}`),
    );
    const count = await executor.first<{ total: unknown }>(
      this.#query(sql`select count(*) as total from ${table} where ${where}`),
    );
    return { rows: rows.map(rowOf), total: Number(count?.total ?? 0) };
  }

  /** False where there is no such transfer any more. */
  async change(transaction: Transaction, id: string, change: TransferChange): Promise<boolean> {
    const values = Object.entries(change).map(([name, value]) => sql`${sql.id(name)} = ${value}`);
    return (await transaction.run(this.#query(sql`update ${table} set ${sql.join(values)} where id = ${id}`))) > 0;
  }

  async remove(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from ${table} where id = ${id}`));
  }

  /** Those whose time is over. */
  async expired(executor: Executor, now: number): Promise<readonly TransferRow[]> {
    const rows = await executor.rows<TransferRow>(
      this.#query(sql`select * from ${table} where expires_at <= ${now} order by id limit 1000`),
    );
    return rows.map(rowOf);
  }

  /** The ids of all. */
  async ids(executor: Executor): Promise<ReadonlySet<string>> {
    const rows = await executor.rows<{ id: string }>(this.#query(sql`select id from ${table}`));
    return new Set(rows.map(({ id }) => id));
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}

const conditions = ({ kind, tenant }: TransferFilter) =>
  tenant === undefined ? sql`kind = ${kind}` : sql`kind = ${kind} and tenant = ${tenant}`;

/** Databases return big integers in forms of their own. */
const rowOf = (row: TransferRow): TransferRow => ({
  ...row,
  size: row.size === null ? null : Number(row.size),
  created_at: Number(row.created_at),
  expires_at: Number(row.expires_at),
});
