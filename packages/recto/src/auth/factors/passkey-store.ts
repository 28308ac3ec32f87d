import type { Selectable } from 'kysely';
import { newId } from '../../base/ids.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type AuthSql, authSql, toQuery } from '../auth-tables.ts';
import type { PasskeysTable } from './factor-tables.ts';
import type { NewPasskey, Passkey } from './passkey.ts';

/** The passkeys of accounts. */
export class PasskeyStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  /** Those of an account, the oldest first. */
  async of(executor: Executor, account: string): Promise<readonly Passkey[]> {
    const statement = this.#sql.builder
      .selectFrom('recto_passkeys')
      .selectAll()
      .where('account_id', '=', account)
      .orderBy('id');
    const rows = await executor.rows<Selectable<PasskeysTable>>(toQuery(statement));
    return rows.map((row) => this.#passkey(row));
  }

  /** The passkey that an authenticator knows by this id, whoever it belongs to. */
  async byCredential(executor: Executor, credentialId: string): Promise<Passkey | undefined> {
    const statement = this.#sql.builder
      .selectFrom('recto_passkeys')
      .selectAll()
      .where('credential_id', '=', credentialId);
    const row = await executor.first<Selectable<PasskeysTable>>(toQuery(statement));
    return row === undefined ? undefined : this.#passkey(row);
  }

  async add(transaction: Transaction, passkey: NewPasskey, now: number): Promise<Passkey> {
    const row: Selectable<PasskeysTable> = {
      id: newId(),
      account_id: passkey.account,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports.join(' '),
      backed_up: this.#sql.flag(passkey.backedUp),
      aaguid: passkey.aaguid,
      name: passkey.name,
      created_at: this.#sql.time(now),
      last_used_at: null,
    };
    await transaction.run(toQuery(this.#sql.builder.insertInto('recto_passkeys').values(row)));
    return this.#passkey(row);
  }

  /**
   * Keeps the use of a passkey. False where it is gone, or where its counter has not gone up since: two authenticators have the same key
   * then, and one of them is a copy. Authenticators that do not count always say 0.
   */
  async recordUse(
    transaction: Transaction,
    id: string,
    { counter, backedUp, now }: { readonly counter: number; readonly backedUp: boolean; readonly now: number },
  ): Promise<boolean> {
    const statement = this.#sql.builder
      .updateTable('recto_passkeys')
      .set({ counter, backed_up: this.#sql.flag(backedUp), last_used_at: this.#sql.time(now) })
      .where('id', '=', id)
      .where((where) => (counter === 0 ? where('counter', '=', 0) : where('counter', '<', counter)));
    return (await transaction.run(toQuery(statement))) === 1;
  }

  /** False where the account has no such passkey. */
  async rename(transaction: Transaction, account: string, id: string, name: string): Promise<boolean> {
    const statement = this.#sql.builder
      .updateTable('recto_passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('account_id', '=', account);
    return (await transaction.run(toQuery(statement))) === 1;
  }

  /** False where the account has no such passkey. */
  async remove(transaction: Transaction, account: string, id: string): Promise<boolean> {
    const statement = this.#sql.builder
      .deleteFrom('recto_passkeys')
      .where('id', '=', id)
      .where('account_id', '=', account);
    return (await transaction.run(toQuery(statement))) === 1;
  }

  #passkey(row: Selectable<PasskeysTable>): Passkey {
    return {
      id: row.id,
      account: row.account_id,
      credentialId: row.credential_id,
      publicKey: row.public_key,
      counter: Number(row.counter),
      transports: row.transports === '' ? [] : row.transports.split(' '),
      backedUp: this.#sql.readFlag(row.backed_up),
      aaguid: row.aaguid,
      name: row.name,
      createdAt: this.#sql.readTime(row.created_at) ?? '',
      lastUsedAt: this.#sql.readTime(row.last_used_at),
    };
  }
}
