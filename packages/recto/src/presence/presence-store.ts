import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { presenceTable } from './presence-table.ts';

/** Who did not say so again for this long has left, in milliseconds: two of three times may get lost. */
export const presenceMs = 75_000;

/** A record that somebody has open. */
export interface OpenRecord {
  readonly type: string;
  readonly record: string;
}

/** Somebody who has a record open. */
export interface Presence {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly displayName: string | null;
  readonly username: string | null;
  readonly email: string;
  readonly tenant: string | null;
}

const table = sql.id(presenceTable.name);

/** The statements on who has which record open. */
export class PresenceStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Notes that an account has a record open. */
  async note(transaction: Transaction, { type, record }: OpenRecord, account: string, now: number): Promise<void> {
    await transaction.run(
      this.#query(sql`insert into ${table} (type, record, account, since, seen_at)
        values (${type}, ${record}, ${account}, ${now}, ${now})
        on conflict (type, record, account) do update set seen_at = excluded.seen_at,
          since = case when ${table}.seen_at < ${now - presenceMs} then excluded.since else ${table}.since end`),
    );
  }

  /** The other accounts that have a record open, who came first at the front. */
  async others(
    transaction: Transaction,
    { type, record }: OpenRecord,
    account: string,
    now: number,
  ): Promise<readonly Presence[]> {
    const rows = await transaction.rows<Presence>(
      this.#query(sql`select p.account as "account", p.since as "since", a.display_name as "displayName",
          a.username as "username", a.email as "email", a.tenant_id as "tenant"
        from ${table} as p join recto_accounts as a on a.id = p.account
        where p.type = ${type} and p.record = ${record} and p.account <> ${account} and p.seen_at >= ${now - presenceMs}
        order by p.since, p.account limit 50`),
    );
    return rows.map((row) => ({ ...row, since: Number(row.since) }));
  }

  async leave(transaction: Transaction, { type, record }: OpenRecord, account: string): Promise<void> {
    await transaction.run(
      this.#query(sql`delete from ${table} where type = ${type} and record = ${record} and account = ${account}`),
    );
  }

  /** Removes those who have left without a word. */
  async prune(transaction: Transaction, now: number): Promise<number> {
    return transaction.run(this.#query(sql`delete from ${table} where seen_at < ${now - presenceMs}`));
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}
