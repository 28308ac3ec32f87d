import type { Selectable } from 'kysely';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type FirstProof, firstProofs } from '../admission.ts';
import { type AuthSql, authSql, toQuery } from '../auth-tables.ts';
import { challengePrefix, newToken, tokenHash } from '../opaque-token.ts';
import type { ChallengesTable } from './factor-tables.ts';

/** How long a challenge can be answered, in milliseconds. */
export const challengeLifetime = 5 * 60 * 1000;

/** How often one may be answered wrongly. */
const mostTries = 5;

/** What a challenge is for. One of a purpose is good for nothing else. */
export type Challenge =
  /** The second step of a sign-in. */
  | {
      readonly purpose: 'second_factor';
      readonly account: string;
      readonly first: FirstProof;
      readonly passwordGeneration: string;
    }
  /** A sign-in with a passkey alone, of any account. */
  | { readonly purpose: 'passkey_sign_in' }
  /** A passkey that is added in a session. */
  | { readonly purpose: 'passkey_registration'; readonly account: string; readonly session: string }
  /** The proof in a session that its owner is there. */
  | { readonly purpose: 'step_up'; readonly account: string; readonly session: string };

export type ChallengePurpose = Challenge['purpose'];

/** Challenges that wait to be answered, as hashes. They open nothing by themselves: a challenge is no token of any route. */
export class ChallengeStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  /** Makes a challenge. Nothing else knows it than what is returned. Also deletes expired ones. */
  async issue(transaction: Transaction, challenge: Challenge, now: number): Promise<string> {
    const token = newToken(challengePrefix);
    const { builder } = this.#sql;
    await transaction.run(
      toQuery(builder.deleteFrom('recto_challenges').where('expires_at', '<=', this.#sql.time(now))),
    );
    const row: ChallengesTable = {
      id: tokenHash(token),
      purpose: challenge.purpose,
      account_id: 'account' in challenge ? challenge.account : null,
      session_id: 'session' in challenge ? challenge.session : null,
      proof: 'first' in challenge ? challenge.first : null,
      password_generation: 'passwordGeneration' in challenge ? challenge.passwordGeneration : null,
      created_at: this.#sql.time(now),
      expires_at: this.#sql.time(now + challengeLifetime),
      tries: 0,
    };
    await transaction.run(toQuery(builder.insertInto('recto_challenges').values(row)));
    return token;
  }

  /**
   * Counts a try, and returns what the challenge is for while there are tries left. Undefined for one that is unknown, of another purpose,
   * expired or used. The transaction is committed in every case.
   */
  async countTry<P extends ChallengePurpose>(
    transaction: Transaction,
    purpose: P,
    token: string,
    now: number,
  ): Promise<Extract<Challenge, { readonly purpose: P }> | undefined> {
    const statement = this.#sql.builder
      .updateTable('recto_challenges')
      .set((set) => ({ tries: set('tries', '+', 1) }))
      .where('id', '=', tokenHash(token))
      .where('purpose', '=', purpose)
      .where('tries', '<', mostTries)
      .where('expires_at', '>', this.#sql.time(now))
      .returningAll();
    const row = await transaction.first<Selectable<ChallengesTable>>(toQuery(statement));
    if (row === undefined) return undefined;
    const challenge = challengeOf(row);
    // The statement has looked for this purpose.
    return challenge?.purpose === purpose ? (challenge as Extract<Challenge, { readonly purpose: P }>) : undefined;
  }

  /** Uses a challenge up; false where another request was faster. */
  async use(transaction: Transaction, token: string, now: number): Promise<boolean> {
    const statement = this.#sql.builder
      .deleteFrom('recto_challenges')
      .where('id', '=', tokenHash(token))
      .where('expires_at', '>', this.#sql.time(now));
    return (await transaction.run(toQuery(statement))) === 1;
  }

  /** Ends the challenges of an account. */
  async end(transaction: Transaction, account: string): Promise<void> {
    const all = this.#sql.builder.deleteFrom('recto_challenges').where('account_id', '=', account);
    await transaction.run(toQuery(all));
  }
}

function challengeOf(row: Selectable<ChallengesTable>): Challenge | undefined {
  const { purpose, account_id: account, session_id: session, password_generation: passwordGeneration } = row;
  if (purpose === 'passkey_sign_in') return { purpose };
  if (account === null) return undefined;
  const first = firstProofs.find((each) => each === row.proof);
  if (purpose === 'second_factor')
    return first === undefined || passwordGeneration === null
      ? undefined
      : { purpose, account, first, passwordGeneration };
  if (session === null) return undefined;
  return purpose === 'passkey_registration' || purpose === 'step_up' ? { purpose, account, session } : undefined;
}
