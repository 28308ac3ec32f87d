import type { Selectable } from 'kysely';
import { newId } from '../../base/ids.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type AuthSql, authSql, toQuery } from '../auth-tables.ts';
import { type IdentitiesTable, identityBuilder } from './identity-tables.ts';

/** An account of a provider that somebody signs in with. */
export interface Identity {
  readonly id: string;
  readonly account: string;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Canonical datetimes. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

type Row = Selectable<IdentitiesTable>;

/** What identifies somebody at a provider. */
export type SubjectKey = Pick<Identity, 'issuer' | 'subject'>;

/** The statements on identities. What may be linked is decided in `link-identity.ts`. */
export class IdentityStore {
  readonly #sql: AuthSql;
  readonly #builder: ReturnType<typeof identityBuilder>;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
    this.#builder = identityBuilder(dialect);
  }

  async find(executor: Executor, { issuer, subject }: SubjectKey): Promise<Identity | undefined> {
    const statement = this.#builder
      .selectFrom('recto_identities')
      .selectAll()
      .where('issuer', '=', issuer)
      .where('subject', '=', subject);
    const row = await executor.first<Row>(toQuery(statement));
    return row === undefined ? undefined : this.#identity(row);
  }

  /** Those of an account, the oldest first. */
  async list(executor: Executor, account: string): Promise<readonly Identity[]> {
    const statement = this.#builder
      .selectFrom('recto_identities')
      .selectAll()
      .where('account_id', '=', account)
      .orderBy('id');
    return (await executor.rows<Row>(toQuery(statement))).map((row) => this.#identity(row));
  }

  /** The tables' key decides between two that add the same one at the same moment. */
  async insert(
    transaction: Transaction,
    identity: Pick<Identity, 'account' | 'provider' | 'issuer' | 'subject' | 'email'>,
    now: number,
  ): Promise<Identity> {
    const { account, ...named } = identity;
    const at = this.#sql.time(now);
    const row: Row = { ...named, id: newId(), account_id: account, created_at: at, last_used_at: null };
    await transaction.run(toQuery(this.#builder.insertInto('recto_identities').values(row)));
    return this.#identity(row);
  }

  async recordUse(transaction: Transaction, id: string, email: string | null, now: number): Promise<void> {
    const values = { last_used_at: this.#sql.time(now), email };
    await transaction.run(toQuery(this.#builder.updateTable('recto_identities').set(values).where('id', '=', id)));
  }

  async remove(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(toQuery(this.#builder.deleteFrom('recto_identities').where('id', '=', id)));
  }

  /** Removes those of an account; with `since`, in milliseconds since 1970, those that were linked from then on. Returns how many. */
  async removeOf(transaction: Transaction, account: string, since?: number): Promise<number> {
    const all = this.#builder.deleteFrom('recto_identities').where('account_id', '=', account);
    return transaction.run(toQuery(since === undefined ? all : all.where('created_at', '>=', this.#sql.time(since))));
  }

  #identity(row: Row): Identity {
    const { id, account_id: account, provider, issuer, subject, email } = row;
    return {
      ...{ id, account, provider, issuer, subject, email },
      createdAt: this.#sql.readTime(row.created_at) ?? '',
      lastUsedAt: this.#sql.readTime(row.last_used_at),
    };
  }
}
