import type { Selectable } from 'kysely';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type AuthSql, authSql, toQuery } from '../auth-tables.ts';
import { newToken, tokenHash } from '../opaque-token.ts';
import { identityBuilder, type ProviderCodesTable } from './identity-tables.ts';

/** The prefix of the codes that a page exchanges for tokens. */
export const providerCodePrefix = 'rac_';

/** How long a code can be used, in milliseconds. */
export const providerCodeMs = 60_000;

/** What a code stands for. */
export interface ProviderCode {
  /** `sign_in`: it is exchanged for tokens; `link`: an account that is signed in adds the identity. */
  readonly purpose: 'sign_in' | 'link';
  /** Base64url of the SHA-256 of a text that the page alone knows (RFC 7636, section 4.2). */
  readonly challenge: string;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly mfa: boolean;
}

type Row = Selectable<ProviderCodesTable>;

/** Codes that stand in the addresses of pages, as hashes: for a minute, once, and only with the verifier of their page. */
export class ProviderCodeStore {
  readonly #sql: AuthSql;
  readonly #builder: ReturnType<typeof identityBuilder>;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
    this.#builder = identityBuilder(dialect);
  }

  async issue(transaction: Transaction, code: ProviderCode, now: number): Promise<string> {
    const over = this.#builder.deleteFrom('recto_provider_codes').where('expires_at', '<=', this.#sql.time(now));
    await transaction.run(toQuery(over));
    const token = newToken(providerCodePrefix);
    const row: Row = {
      ...{ ...code, hash: tokenHash(token), mfa: this.#sql.flag(code.mfa) },
      expires_at: this.#sql.time(now + providerCodeMs),
    };
    await transaction.run(toQuery(this.#builder.insertInto('recto_provider_codes').values(row)));
    return token;
  }

  /** Uses a code up, with a right verifier or a wrong one: commit the transaction in every case. Returns what it stood for. */
  async take(
    transaction: Transaction,
    {
      code,
      verifier,
      purpose,
    }: { readonly code: string; readonly verifier: string; readonly purpose: ProviderCode['purpose'] },
    now: number,
  ): Promise<ProviderCode | undefined> {
    const statement = this.#builder
      .deleteFrom('recto_provider_codes')
      .where('hash', '=', tokenHash(code))
      .where('expires_at', '>', this.#sql.time(now))
      .returningAll();
    const row = await transaction.first<Row>(toQuery(statement));
    if (row?.purpose !== purpose || row.challenge !== challengeOf(verifier)) return undefined;
    const { challenge, provider, issuer, subject, email } = row;
    return { ...{ purpose, challenge, provider, issuer, subject, email }, mfa: this.#sql.readFlag(row.mfa) };
  }
}

/** The challenge of a verifier (S256). */
export const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher('sha256').update(verifier).digest('base64url');
