import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Query } from '../database/database.ts';
import { variantWorkTable } from './media-tables.ts';

const table = sql.id(variantWorkTable.name);

/** How long a process keeps a variant to itself: longer than any takes to make. */
const leaseMs = 120_000;

/** How long the others wait for it: one that makes a variant may have been killed. */
const patienceMs = 10_000;
const pollMs = 50;

/** Which process makes a variant: a row for each that is being made. */
export class VariantLeases {
  readonly #database: Database;
  readonly #patienceMs: number;

  constructor(database: Database, patience = patienceMs) {
    this.#database = database;
    this.#patienceMs = patience;
  }

  /** Whether the variant is this process's to make. A lease that has ended is taken over. */
  async take(key: string): Promise<boolean> {
    const now = Date.now();
    const taken = await this.#database.transaction(async (transaction) =>
      transaction.run(
        this.#query(
          sql`insert into ${table} as l (storage_key, expires_at) values (${key}, ${now + leaseMs})
            on conflict (storage_key) do update set expires_at = excluded.expires_at where l.expires_at <= ${now}`,
        ),
      ),
    );
    return taken > 0;
  }

  async release(key: string): Promise<void> {
    await this.#database.transaction(async (transaction) =>
      transaction.run(this.#query(sql`delete from ${table} where storage_key = ${key}`)),
    );
  }

  /** Resolves when no process makes the variant any more; false where that takes too long. */
  async released(key: string): Promise<boolean> {
    for (const end = Date.now() + this.#patienceMs; Date.now() < end; ) {
      await Bun.sleep(pollMs);
      const row = await this.#database.first(
        this.#query(sql`select storage_key from ${table} where storage_key = ${key} and expires_at > ${Date.now()}`),
      );
      if (row === undefined) return true;
    }
    return false;
  }

  /** Removes the leases of processes that were killed. */
  async removeExpired(now: number): Promise<void> {
    await this.#database.transaction(async (transaction) =>
      transaction.run(this.#query(sql`delete from ${table} where expires_at <= ${now}`)),
    );
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#database.dialect);
  }
}
