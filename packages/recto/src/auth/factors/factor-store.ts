import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { FactorMethod } from '../admission.ts';
import { type AuthSql, authSql, toQuery } from '../auth-tables.ts';

/** What an account has to prove itself with, besides its password. */
export interface OwnFactors {
  readonly totp: boolean;
  readonly passkeys: number;
  /** How many have not been used. They are no factor by themselves: they stand in for one. */
  readonly recoveryCodes: number;
}

/** Whether an account with these is asked for a second factor. */
export const hasFactor = ({ totp, passkeys }: OwnFactors): boolean => totp || passkeys > 0;

/** The methods that they give. Passkeys work where the service knows its own address. */
export const methodsOf = (
  { totp, passkeys, recoveryCodes }: OwnFactors,
  takesPasskeys: boolean,
): readonly FactorMethod[] => [
  ...(passkeys > 0 && takesPasskeys ? (['passkey'] as const) : []),
  ...(totp ? (['totp'] as const) : []),
  ...(recoveryCodes > 0 ? (['recovery_code'] as const) : []),
];

/** The second factors of accounts as a whole. */
export class FactorStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  /** What an account has, in one statement. */
  async of(executor: Executor, account: string): Promise<OwnFactors> {
    const { builder } = this.#sql;
    const count = builder.fn.countAll<number>().as('count');
    const statement = builder.selectNoFrom([
      builder.selectFrom('recto_passkeys').select(count).where('account_id', '=', account).as('passkeys'),
      builder
        .selectFrom('recto_totp')
        .select(count)
        .where('account_id', '=', account)
        .where('confirmed_at', 'is not', null)
        .as('totp'),
      builder
        .selectFrom('recto_recovery_codes')
        .select(count)
        .where('account_id', '=', account)
        .where('used_at', 'is', null)
        .as('codes'),
    ]);
    const row = await executor.first<Readonly<Record<'passkeys' | 'totp' | 'codes', number | bigint>>>(
      toQuery(statement),
    );
    return {
      totp: Number(row?.totp ?? 0) > 0,
      passkeys: Number(row?.passkeys ?? 0),
      recoveryCodes: Number(row?.codes ?? 0),
    };
  }

  /** Removes all that an account has. */
  async remove(transaction: Transaction, account: string): Promise<void> {
    await transaction.run(toQuery(this.#sql.builder.deleteFrom('recto_passkeys').where('account_id', '=', account)));
    await transaction.run(toQuery(this.#sql.builder.deleteFrom('recto_totp').where('account_id', '=', account)));
    await this.removeStandIns(transaction, account);
  }

  /** Removes what is good for nothing without a factor: recovery codes, and challenges that wait for one. */
  async removeStandIns(transaction: Transaction, account: string): Promise<void> {
    const { builder } = this.#sql;
    await transaction.run(toQuery(builder.deleteFrom('recto_recovery_codes').where('account_id', '=', account)));
    await transaction.run(toQuery(builder.deleteFrom('recto_challenges').where('account_id', '=', account)));
  }
}
