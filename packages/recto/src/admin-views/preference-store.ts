import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor, Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { PreferenceRow } from './admin-view-tables.ts';

/** A choice of one person in the admin. */
export interface Preference {
  readonly name: string;
  readonly value: JsonValue;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The statements on preferences: each belongs to one account or API token, and nobody else reads it. */
export class PreferenceStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** All of one owner, by name. */
  async of(executor: Executor, owner: string): Promise<readonly Preference[]> {
    const rows = await executor.rows<PreferenceRow>(
      this.#query(sql`select * from recto_preferences where "owner" = ${owner} order by "name"`),
    );
    return rows.map(({ name, value, updated_at }) => ({
      name,
      value: JSON.parse(value),
      updatedAt: Number(updated_at),
    }));
  }

  /** How many others the owner has. */
  async countBesides(executor: Executor, owner: string, name: string): Promise<number> {
    const row = await executor.first<{ readonly others: number | string }>(
      this.#query(sql`select count(*) as "others" from recto_preferences
        where "owner" = ${owner} and "name" <> ${name}`),
    );
    return Number(row?.others ?? 0);
  }

  async set(transaction: Transaction, owner: string, { name, value, updatedAt }: Preference): Promise<void> {
    await transaction.run(
      this.#query(sql`insert into recto_preferences ("owner", "name", "value", "updated_at")
        values (${owner}, ${name}, ${JSON.stringify(value)}, ${updatedAt})
        on conflict ("owner", "name") do update set "value" = excluded."value", "updated_at" = excluded."updated_at"`),
    );
  }

  async remove(transaction: Transaction, owner: string, name: string): Promise<void> {
    await transaction.run(
      this.#query(sql`delete from recto_preferences where "owner" = ${owner} and "name" = ${name}`),
    );
  }

  /** Removes those of accounts and API tokens that there are no more. */
  async prune(transaction: Transaction): Promise<number> {
    return transaction.run(
      this.#query(sql`delete from recto_preferences
        where not exists (select 1 from recto_accounts where recto_accounts."id" = recto_preferences."owner")
        and not exists (select 1 from recto_api_tokens where recto_api_tokens."id" = recto_preferences."owner")`),
    );
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}
