import type { Selectable } from 'kysely';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type AuthSql, authSql, toQuery } from '../auth-tables.ts';
import type { TotpTable } from './factor-tables.ts';

/** The app of an account. */
export interface StoredTotp {
  readonly sealedSecret: string;
  readonly lastStep: number;
  readonly confirmed: boolean;
}

/** No code of an app has been accepted yet. */
const noStep = -1;

/** Apps that show codes, one an account. */
export class TotpStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  async of(executor: Executor, account: string): Promise<StoredTotp | undefined> {
    const statement = this.#sql.builder.selectFrom('recto_totp').selectAll().where('account_id', '=', account);
    const row = await executor.first<Selectable<TotpTable>>(toQuery(statement));
    return row === undefined
      ? undefined
      : {
          sealedSecret: row.sealed_secret,
          lastStep: Number(row.last_step),
          confirmed: row.confirmed_at !== null,
        };
  }

  /** Keeps the secret of an app that is about to be set up, in place of one that was not confirmed. */
  async begin(transaction: Transaction, account: string, sealedSecret: string, now: number): Promise<void> {
    const { builder } = this.#sql;
    const pending = builder
      .deleteFrom('recto_totp')
      .where('account_id', '=', account)
      .where('confirmed_at', 'is', null);
    await transaction.run(toQuery(pending));
    const row = {
      account_id: account,
      sealed_secret: sealedSecret,
      last_step: noStep,
      created_at: this.#sql.time(now),
      confirmed_at: null,
    };
    await transaction.run(toQuery(builder.insertInto('recto_totp').values(row)));
  }

  /** Confirms an app by its first code. False where another request was faster, or has begun with another secret. */
  async confirm(
    transaction: Transaction,
    account: string,
    { sealedSecret, step, now }: { readonly sealedSecret: string; readonly step: number; readonly now: number },
  ): Promise<boolean> {
    const statement = this.#sql.builder
      .updateTable('recto_totp')
      .set({ confirmed_at: this.#sql.time(now), last_step: step })
      .where('account_id', '=', account)
      .where('sealed_secret', '=', sealedSecret)
      .where('confirmed_at', 'is', null);
    return (await transaction.run(toQuery(statement))) === 1;
  }

  /** Uses the code of a time step up, and all earlier ones. False where it is used up already. */
  async accept(transaction: Transaction, account: string, sealedSecret: string, step: number): Promise<boolean> {
    const statement = this.#sql.builder
      .updateTable('recto_totp')
      .set({ last_step: step })
      .where('account_id', '=', account)
      .where('sealed_secret', '=', sealedSecret)
      .where('confirmed_at', 'is not', null)
      .where('last_step', '<', step);
    return (await transaction.run(toQuery(statement))) === 1;
  }

  /** False where there was none. */
  async remove(transaction: Transaction, account: string): Promise<boolean> {
    const statement = this.#sql.builder
      .deleteFrom('recto_totp')
      .where('account_id', '=', account)
      .where('confirmed_at', 'is not', null);
    return (await transaction.run(toQuery(statement))) === 1;
  }
}
