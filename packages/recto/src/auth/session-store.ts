import type { SqlValue } from '../base/bindings.ts';
import type { Role } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import type { Executor, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
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
}

export type Rotation =
  | { readonly kind: 'rotated'; readonly account: string; readonly grant: SessionGrant }
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

  /** Starts a session. Also deletes the account's expired sessions. */
  async start(
    transaction: Transaction,
    account: string,
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
    return { kind: 'rotated', account: live.account, grant: { session: token.session_id, refreshToken: successor } };
  }

  /** The session with this id, if it is valid now. */
  async live(executor: Executor, session: string, now: number): Promise<LiveSession | undefined> {
    const statement = this.#sql.builder
      .selectFrom('recto_sessions as session')
      .innerJoin('recto_accounts as account', 'account.id', 'session.account_id')
      .select([
        ...(['account.id', 'account.role', 'account.tenant_id'] as const),
        ...(['account.email', 'account.username', 'account.verified', 'session.expires_at'] as const),
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
      expires_at: string | null;
    }>(toQuery(statement));
    if (row === undefined) return undefined;
    const { id: account, role, tenant_id: tenant, email, username } = row;
    const verified = this.#sql.readFlag(row.verified);
    const expiresAt = Date.parse(this.#sql.readTime(row.expires_at) ?? '');
    return { account, role, tenant, email, username, verified, expiresAt };
  }

  /** The sessions of an account that are valid now, the one that was used last first. */
  async list(executor: Executor, account: string, now: number): Promise<readonly ListedSession[]> {
    const statement = this.#sql.builder
      .selectFrom('recto_sessions')
      .select(['id', 'created_at', 'expires_at', 'agent'])
      .where('account_id', '=', account)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', this.#sql.time(now))
      .orderBy('expires_at', 'desc')
      .orderBy('id', 'desc')
      .limit(mostListed);
    const rows = await executor.rows<Pick<SessionsTable, 'id' | 'created_at' | 'expires_at' | 'agent'>>(
      toQuery(statement),
    );
    return rows.map(({ id, created_at, expires_at, agent }) => {
      const expiresAt = this.#sql.readTime(expires_at) ?? '';
      // Each use extends it by the same time.
      const usedAt = new Date(Date.parse(expiresAt) - refreshTokenLifetime).toISOString();
      return { id, createdAt: this.#sql.readTime(created_at) ?? '', usedAt, expiresAt, agent };
    });
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
