import type { Selectable } from 'kysely';
import { newId } from '../../base/ids.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type AccountTokensTable, type AuthSql, authSql, toQuery } from '../auth-tables.ts';
import { accountTokenPrefix, newToken, tokenHash } from '../opaque-token.ts';

/** What a link or code is good for. */
export type AccountTokenKind =
  | 'verification'
  | 'password_reset'
  | 'email_change'
  | 'email_revert'
  | 'invitation'
  | 'sign_in_code';

const hour = 60 * 60 * 1000;

/** How long each is good, in milliseconds. */
export const tokenLifetime: Readonly<Record<AccountTokenKind, number>> = {
  verification: 24 * hour,
  password_reset: hour,
  email_change: 24 * hour,
  email_revert: 7 * 24 * hour,
  invitation: 7 * 24 * hour,
  sign_in_code: 10 * 60 * 1000,
};

/** How often a code may be tried. */
export const mostTries = 5;

/** The account that a token is for, as it is now. */
export interface TokenOwner {
  readonly id: string;
  readonly passwordHash: string;
}

export interface AccountToken {
  readonly id: string;
  readonly hash: string;
  readonly account: string;
  /** The address that it proves. */
  readonly address: string;
  readonly passwordGeneration: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Differs for any two passwords, and reveals nothing of either: stored hashes are salted. */
export const generationOf = (passwordHash: string): string => tokenHash(passwordHash).slice(0, 16);

type Row = Selectable<AccountTokensTable>;

/** Links and codes that were mailed, as hashes. */
export class AccountTokenStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  /** Makes a link's token, and ends others of its kind and account. Nothing else knows the token than what is returned. */
  async issue(
    transaction: Transaction,
    kind: Exclude<AccountTokenKind, 'sign_in_code'>,
    { id: account, passwordHash, address }: TokenOwner & { readonly address: string },
    now: number,
  ): Promise<string> {
    const token = newToken(accountTokenPrefix);
    await this.#prune(transaction, now);
    // A way back for an earlier address stays, whatever the address is changed to later.
    if (kind !== 'email_revert') await this.end(transaction, account, [kind]);
    const generation = generationOf(passwordHash);
    await this.#insert(transaction, { id: newId(), hash: tokenHash(token), kind, account, address, generation }, now);
    return token;
  }

  /** Stores a code of a challenge, in place of one from an earlier attempt. `owner` is null where no account has the address. */
  async issueCode(
    transaction: Transaction,
    { challenge, code }: { readonly challenge: string; readonly code: string },
    owner: (TokenOwner & { readonly address: string }) | null,
    now: number,
  ): Promise<void> {
    await this.#prune(transaction, now);
    await transaction.run(toQuery(this.#sql.builder.deleteFrom('recto_account_tokens').where('id', '=', challenge)));
    const { id: account, address } = owner ?? { id: '', address: '' };
    const generation = generationOf(owner?.passwordHash ?? '');
    const hash = codeHash(challenge, code);
    await this.#insert(transaction, { id: challenge, hash, kind: 'sign_in_code', account, address, generation }, now);
  }

  async #insert(
    transaction: Transaction,
    token: Pick<Row, 'id' | 'hash' | 'address'> & { kind: AccountTokenKind; account: string; generation: string },
    now: number,
  ): Promise<void> {
    const { id, hash, kind, account, address, generation } = token;
    const row: Row = {
      ...{ id, hash, kind, address, account_id: account, password_generation: generation, used_at: null, tries: 0 },
      created_at: this.#sql.time(now),
      expires_at: this.#sql.time(now + tokenLifetime[kind]),
    };
    await transaction.run(toQuery(this.#sql.builder.insertInto('recto_account_tokens').values(row)));
  }

  /** The token, if it is one of this kind that can still be used. */
  async find(
    executor: Executor,
    kind: AccountTokenKind,
    token: string,
    now: number,
  ): Promise<AccountToken | undefined> {
    const statement = this.#sql.builder
      .selectFrom('recto_account_tokens')
      .selectAll()
      .where('hash', '=', tokenHash(token))
      .where('kind', '=', kind)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#sql.time(now));
    const row = await executor.first<Row>(toQuery(statement));
    return row === undefined ? undefined : this.#token(row);
  }

  /** Uses a token up; false where another request was faster. */
  async use(transaction: Transaction, { id }: AccountToken, now: number): Promise<boolean> {
    const statement = this.#sql.builder
      .updateTable('recto_account_tokens')
      .set({ used_at: this.#sql.time(now) })
      .where('id', '=', id)
      .where('used_at', 'is', null);
    return (await transaction.run(toQuery(statement))) === 1;
  }

  /** Counts a try of a code, and returns what it is for while there are tries left. The transaction is committed in every case. */
  async countTry(transaction: Transaction, challenge: string, now: number): Promise<AccountToken | undefined> {
    const statement = this.#sql.builder
      .updateTable('recto_account_tokens')
      .set((set) => ({ tries: set('tries', '+', 1) }))
      .where('id', '=', challenge)
      .where('kind', '=', 'sign_in_code')
      .where('used_at', 'is', null)
      .where('tries', '<', mostTries)
      .where('expires_at', '>', this.#sql.time(now))
      .returningAll();
    const row = await transaction.first<Row>(toQuery(statement));
    return row === undefined ? undefined : this.#token(row);
  }

  /** Ends the tokens of an account; of some kinds alone where these are given. */
  async end(transaction: Transaction, account: string, kinds?: readonly AccountTokenKind[]): Promise<void> {
    const all = this.#sql.builder.deleteFrom('recto_account_tokens').where('account_id', '=', account);
    await transaction.run(toQuery(kinds === undefined ? all : all.where('kind', 'in', [...kinds])));
  }

  async #prune(transaction: Transaction, now: number): Promise<void> {
    const over = this.#sql.builder.deleteFrom('recto_account_tokens').where('expires_at', '<=', this.#sql.time(now));
    await transaction.run(toQuery(over));
  }

  #token(row: Row): AccountToken {
    return {
      ...{ id: row.id, hash: row.hash, account: row.account_id, address: row.address },
      passwordGeneration: row.password_generation,
      createdAt: Date.parse(this.#sql.readTime(row.created_at) ?? ''),
    };
  }
}

/** The stored form of a code. Who reads it can find the code, but not the challenge that goes with it. */
export const codeHash = (challenge: string, code: string): string => tokenHash(`${challenge}:${code}`);
