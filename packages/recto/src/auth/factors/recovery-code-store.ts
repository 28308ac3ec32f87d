import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type AuthSql, authSql, toQuery } from '../auth-tables.ts';
import { tokenHash } from '../opaque-token.ts';

/** How many an account gets at once. */
const codesAtOnce = 10;

/** 80 bits: too many to guess, also for who has the hashes. */
const codeBytes = 10;

// RFC 4648, in small letters.
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Codes on paper, each of which stands in for a second factor once. They do not depend on any key. */
export class RecoveryCodeStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  /** Makes new codes, and ends the earlier ones. Nothing else knows the codes than what is returned. */
  async replace(transaction: Transaction, account: string): Promise<readonly string[]> {
    const { builder } = this.#sql;
    await transaction.run(toQuery(builder.deleteFrom('recto_recovery_codes').where('account_id', '=', account)));
    const codes = Array.from({ length: codesAtOnce }, newCode);
    const rows = codes.map((code) => ({ account_id: account, hash: recoveryCodeHash(account, code), used_at: null }));
    await transaction.run(toQuery(builder.insertInto('recto_recovery_codes').values(rows)));
    return codes;
  }

  /** Uses a code up; false for one that is unknown or used. */
  async use(transaction: Transaction, account: string, code: string, now: number): Promise<boolean> {
    const statement = this.#sql.builder
      .updateTable('recto_recovery_codes')
      .set({ used_at: this.#sql.time(now) })
      .where('account_id', '=', account)
      .where('hash', '=', recoveryCodeHash(account, code))
      .where('used_at', 'is', null);
    return (await transaction.run(toQuery(statement))) === 1;
  }
}

/** `abcd-efgh-ijkl-mnop`. */
function newCode(): string {
  const bits = Array.from(crypto.getRandomValues(new Uint8Array(codeBytes)), (byte) =>
    byte.toString(2).padStart(8, '0'),
  ).join('');
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}

/** People type them: case, spaces and hyphens do not count. */
const recoveryCodeHash = (account: string, code: string): string =>
  tokenHash(`${account}:${code.toLowerCase().replace(/[\s-]/g, '')}`);
