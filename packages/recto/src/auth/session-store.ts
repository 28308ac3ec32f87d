import type { SqlValue } from '../base/bindings.ts';
import type { Role } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import type { Executor, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { type Admission, factorMethods, firstProofs, type SessionProof, type SignInMethod } from './admission.ts';
import { type AuthSql, authGeneration, authSql, type SessionsTable, toQuery } from './auth-tables.ts';
import { newToken, refreshTokenPrefix, tokenHash } from './opaque-token.ts';

/** How long a refresh token and its session live without being used, in milliseconds. */
export const refreshTokenLifetime = 30 * 24 * 60 * 60 * 1000;

export interface SessionGrant {
  readonly session: string;
  readonly refreshToken: string;
}

/** A valid session: not revoked, not expired, its account enabled. */
export interface LiveSession {
  readonly account: string;
  readonly role: Role;
  readonly tenant: string | null;
  readonly email: string;
  readonly username: string | null;
  readonly verified: boolean;
  /** Whether a second factor was given or enrolled in the session. */
  readonly secondFactor: boolean;
  /** When the account was first asked for a second factor, in milliseconds since 1970; null: not yet. */
  readonly secondFactorAskedAt: number | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A session as its owner and admins see it. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: string;
  /** When its tokens were last renewed. */
  readonly usedAt: string;
  readonly expiresAt: string;
  /** What the browser or program called itself when it signed in; null: unknown. */
  readonly agent: string | null;
  /** How it was signed in; empty: unknown. */
  readonly methods: readonly SignInMethod[];
}

export type Rotation =
  | { readonly kind: 'rotated'; readonly account: string; readonly secondFactor: boolean; readonly grant: SessionGrant }
  | { readonly kind: 'reused' }
  | { readonly kind: 'unknown' };

/** Some sessions of an account; nothing given: all. */
export interface WhichSessions {
  readonly id?: string;
  /** All but this one. */
  readonly except?: string;
}

/** The most sessions that a list has. */
const mostListed = 200;

const longestAgent = 300;

/** What is kept of a `User-Agent`: one line of text that is shown to people. */
const shownAgent = (agent: string): string => agent.replace(/[^\x20-\x7e]/g, '').slice(0, longestAgent);

/** Sessions and the refresh tokens of their families. */
export class SessionStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  /** Starts a session for whom the gate has let in. Also deletes the account's expired sessions. */
  async start(
    transaction: Transaction,
    account: string,
    admission: Admission,
    now: number,
    agent: string | null = null,
  ): Promise<SessionGrant> {
    await this.#sweep(transaction, account, now);
    const session = newId();
    const row = {
      id: session,
      account_id: account,
      created_at: this.#sql.time(now),
      expires_at: this.#sql.time(now + refreshTokenLifetime),
      revoked_at: null,
      agent: agent === null ? null : shownAgent(agent),
      methods: admission.methods.join(','),
      second_factor: this.#sql.flag(admission.secondFactor),
      stepped_up_at: this.#timeOrNull(admission.steppedUpAt),
    };
    await transaction.run(toQuery(this.#sql.builder.insertInto('recto_sessions').values(row)));
    return { session, refreshToken: await this.#addToken(transaction, session, now) };
  }

  /**
   * Consumes a refresh token and returns its successor. Reuse of a token ends its session, because one of its two users
   * has stolen it (RFC 9700, section 4.14.2). The caller must commit the transaction in every case.
   */
  async rotate(transaction: Transaction, refreshToken: string, now: number): Promise<Rotation> {
    const hash = tokenHash(refreshToken);
    const claimed = await transaction.run(
      toQuery(
        this.#sql.builder
          .updateTable('recto_refresh_tokens')
          .set({ used_at: this.#sql.time(now) })
          .where('token_hash', '=', hash)
          .where('used_at', 'is', null)
          .where('expires_at', '>', this.#sql.time(now)),
      ),
    );
    const token = await transaction.first<{ session_id: string; used_at: unknown }>(
      toQuery(
        this.#sql.builder
          .selectFrom('recto_refresh_tokens')
          .select(['session_id', 'used_at'])
          .where('token_hash', '=', hash),
      ),
    );
    if (token === undefined) return { kind: 'unknown' };
    if (claimed === 0) {
      // Not claimed and not used: it has expired, which does not indicate theft.
      if (token.used_at === null) return { kind: 'unknown' };
      await this.end(transaction, token.session_id, now);
      return { kind: 'reused' };
    }
    const live = await this.live(transaction, token.session_id, now);
    if (live === undefined) return { kind: 'unknown' };
    await this.#extend(transaction, token.session_id, now);
    const successor = await this.#addToken(transaction, token.session_id, now);
    const grant = { session: token.session_id, refreshToken: successor };
    return { kind: 'rotated', account: live.account, secondFactor: live.secondFactor, grant };
  }

  /** The session with this id, if it is valid now. */
  async live(executor: Executor, session: string, now: number): Promise<LiveSession | undefined> {
    const statement = this.#sql.builder
      .selectFrom('recto_sessions as session')
      .innerJoin('recto_accounts as account', 'account.id', 'session.account_id')
      .select([
        ...(['account.id', 'account.role', 'account.tenant_id'] as const),
        ...(['account.email', 'account.username', 'account.verified', 'session.expires_at'] as const),
        ...(['session.second_factor', 'account.second_factor_asked_at'] as const),
      ])
      .where('session.id', '=', session)
      .where('session.revoked_at', 'is', null)
      .where('session.expires_at', '>', this.#sql.time(now))
      .where('account.disabled', '=', this.#sql.flag(false));
    const row = await executor.first<{
      id: string;
      role: Role;
      tenant_id: string | null;
      email: string;
      username: string | null;
      verified: SqlValue;
      second_factor: SqlValue;
      second_factor_asked_at: SqlValue;
      expires_at: string | null;
    }>(toQuery(statement));
    if (row === undefined) return undefined;
    const { id: account, role, tenant_id: tenant, email, username } = row;
    const verified = this.#sql.readFlag(row.verified);
    const expiresAt = Date.parse(this.#sql.readTime(row.expires_at) ?? '');
    const secondFactor = this.#sql.readFlag(row.second_factor);
    const secondFactorAskedAt = this.#milliseconds(row.second_factor_asked_at);
    return { account, role, tenant, email, username, verified, secondFactor, secondFactorAskedAt, expiresAt };
  }

  /** The sessions of an account that are valid now, the one that was used last first. */
  async list(executor: Executor, account: string, now: number): Promise<readonly ListedSession[]> {
    const statement = this.#sql.builder
      .selectFrom('recto_sessions')
      .select(['id', 'created_at', 'expires_at', 'agent', 'methods'])
      .where('account_id', '=', account)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', this.#sql.time(now))
      .orderBy('expires_at', 'desc')
      .orderBy('id', 'desc')
      .limit(mostListed);
    const rows = await executor.rows<Pick<SessionsTable, 'id' | 'created_at' | 'expires_at' | 'agent' | 'methods'>>(
      toQuery(statement),
    );
    return rows.map(({ id, created_at, expires_at, agent, methods }) => {
      const expiresAt = this.#sql.readTime(expires_at) ?? '';
      // Each use extends it by the same time.
      const usedAt = new Date(Date.parse(expiresAt) - refreshTokenLifetime).toISOString();
      const createdAt = this.#sql.readTime(created_at) ?? '';
      return { id, createdAt, usedAt, expiresAt, agent, methods: methodsOf(methods) };
    });
  }

  /** How a session of an account was signed in; undefined for one that has ended. */
  async proofOf(executor: Executor, account: string, session: string, now: number): Promise<SessionProof | undefined> {
    const statement = this.#sql.builder
      .selectFrom('recto_sessions')
      .select(['methods', 'second_factor', 'stepped_up_at'])
      .where('id', '=', session)
      .where('account_id', '=', account)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', this.#sql.time(now));
    const row = await executor.first<Pick<SessionsTable, 'methods' | 'second_factor' | 'stepped_up_at'>>(
      toQuery(statement),
    );
    if (row === undefined) return undefined;
    return {
      methods: methodsOf(row.methods),
      secondFactor: this.#sql.readFlag(row.second_factor),
      steppedUpAt: this.#milliseconds(row.stepped_up_at),
    };
  }

  /** Keeps that the owner of a session has just proved to be there; `secondFactor`: with a second factor. */
  async stepUp(
    transaction: Transaction,
    session: string,
    { secondFactor, now }: { readonly secondFactor: boolean; readonly now: number },
  ): Promise<void> {
    const factor = secondFactor ? { second_factor: this.#sql.flag(true) } : {};
    const statement = this.#sql.builder
      .updateTable('recto_sessions')
      .set({ stepped_up_at: this.#sql.time(now), ...factor })
      .where('id', '=', session);
    await transaction.run(toQuery(statement));
    // What a session may do without a second factor is remembered with its tokens.
    if (secondFactor) transaction.touch(authGeneration);
  }

  /** No session of an account has a second factor any more, nor the right to add another one without a new proof. */
  async forgetFactor(transaction: Transaction, account: string): Promise<void> {
    const statement = this.#sql.builder
      .updateTable('recto_sessions')
      .set({ second_factor: this.#sql.flag(false) })
      .where('account_id', '=', account);
    await transaction.run(toQuery(statement));
    transaction.touch(authGeneration);
  }

  /** Ends one session, at once and everywhere. */
  async end(transaction: Transaction, session: string, now: number): Promise<void> {
    await this.#revoke(transaction, now, { id: session });
  }

  /** Ends the sessions of an account that `which` names, at once and everywhere; returns how many there were. */
  endOf(transaction: Transaction, account: string, now: number, which: WhichSessions = {}): Promise<number> {
    return this.#revoke(transaction, now, { account, ...which });
  }

  /** Ends all sessions of an account, at once and everywhere. */
  async endAll(transaction: Transaction, account: string, now: number): Promise<void> {
    await this.endOf(transaction, account, now);
  }

  async #revoke(
    transaction: Transaction,
    now: number,
    { id, account, except }: WhichSessions & { readonly account?: string },
  ): Promise<number> {
    let statement = this.#sql.builder
      .updateTable('recto_sessions')
      .set({ revoked_at: this.#sql.time(now) })
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', this.#sql.time(now));
    if (id !== undefined) statement = statement.where('id', '=', id);
    if (account !== undefined) statement = statement.where('account_id', '=', account);
    if (except !== undefined) statement = statement.where('id', '!=', except);
    const ended = await transaction.run(toQuery(statement));
    if (ended > 0) transaction.touch(authGeneration);
    return ended;
  }

  /** Deletes all data of an account's sessions when the account is deleted. */
  async forget(transaction: Transaction, account: string): Promise<void> {
    const { builder } = this.#sql;
    const sessions = builder.selectFrom('recto_sessions').select('id').where('account_id', '=', account);
    await transaction.run(toQuery(builder.deleteFrom('recto_refresh_tokens').where('session_id', 'in', sessions)));
    await transaction.run(toQuery(builder.deleteFrom('recto_sessions').where('account_id', '=', account)));
    transaction.touch(authGeneration);
  }

  #timeOrNull(milliseconds: number | null): SqlValue {
    return milliseconds === null ? null : this.#sql.time(milliseconds);
  }

  #milliseconds(stored: SqlValue): number | null {
    const time = this.#sql.readTime(stored);
    return time === null ? null : Date.parse(time);
  }

  async #addToken(transaction: Transaction, session: string, now: number): Promise<string> {
    const refreshToken = newToken(refreshTokenPrefix);
    const row = {
      token_hash: tokenHash(refreshToken),
      session_id: session,
      expires_at: this.#sql.time(now + refreshTokenLifetime),
      used_at: null,
    };
    await transaction.run(toQuery(this.#sql.builder.insertInto('recto_refresh_tokens').values(row)));
    return refreshToken;
  }

  /** A session lives as long as its newest refresh token; its expired tokens are deleted. */
  async #extend(transaction: Transaction, session: string, now: number): Promise<void> {
    const { builder } = this.#sql;
    const expires = this.#sql.time(now + refreshTokenLifetime);
    await transaction.run(
      toQuery(builder.updateTable('recto_sessions').set({ expires_at: expires }).where('id', '=', session)),
    );
    const old = builder
      .deleteFrom('recto_refresh_tokens')
      .where('session_id', '=', session)
      .where('expires_at', '<=', this.#sql.time(now));
    await transaction.run(toQuery(old));
  }

  async #sweep(transaction: Transaction, account: string, now: number): Promise<void> {
    const { builder } = this.#sql;
    const over = builder
      .selectFrom('recto_sessions')
      .select('id')
      .where('account_id', '=', account)
      .where('expires_at', '<=', this.#sql.time(now));
    await transaction.run(toQuery(builder.deleteFrom('recto_refresh_tokens').where('session_id', 'in', over)));
    await transaction.run(toQuery(builder.deleteFrom('recto_sessions').where('id', 'in', over)));
  }
}

const allMethods: readonly SignInMethod[] = [...firstProofs, ...factorMethods];

const methodsOf = (stored: string | null): readonly SignInMethod[] =>
  (stored ?? '').split(',').flatMap((name) => allMethods.find((method) => method === name) ?? []);
