import { sql } from 'kysely';
import { junctionColumns } from '../../definition/content-type.ts';
import { compiledQuery } from '../compiled-query.ts';
import type { Executor } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import type { FieldStorage } from './type-storage.ts';

/** What the tables hold at this moment. Only asked where a definition has changed. */
export class StoredFacts {
  readonly #executor: Executor;
  readonly #dialect: Dialect;

  constructor(executor: Executor, dialect: Dialect) {
    this.#executor = executor;
    this.#dialect = dialect;
  }

  /** Empty when there is no such table. */
  async columns(table: string): Promise<ReadonlySet<string>> {
    const rows = await this.#executor.rows<{ name: string }>(this.#dialect.schema.columns(table));
    return new Set(rows.map(({ name }) => name));
  }

  records(table: string): Promise<number> {
    return this.#number(sql`select count(*) as "value" from ${sql.id(table)}`);
  }

  /** How many records have a value in the field. */
  filled(table: string, storage: FieldStorage): Promise<number> {
    if (storage.shape === 'to_many') {
      const source = sql.id(junctionColumns.source);
      return this.#number(sql`select count(distinct ${source}) as "value" from ${sql.id(storage.junction)}`);
    }
    return this.#number(
      sql`select count(*) as "value" from ${sql.id(table)} where ${sql.id(storage.column)} is not null`,
    );
  }

  /** How many values stand in more than one record. */
  repeated(table: string, column: string): Promise<number> {
    return this.#number(sql`select count(*) as "value" from (
      select 1 as "one" from ${sql.id(table)} where ${sql.id(column)} is not null
      group by ${sql.id(column)} having count(*) > 1) as "repeated"`);
  }

  async #number(statement: ReturnType<typeof sql>): Promise<number> {
    const row = await this.#executor.first<{ value: unknown }>(compiledQuery(statement, this.#dialect));
    return Number(row?.value ?? 0);
  }
}
