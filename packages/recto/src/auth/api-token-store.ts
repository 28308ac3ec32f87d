import type { Selectable } from 'kysely';
import { type Caller, type Role, system } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import type { TokenScopes } from '../base/token-scopes.ts';
import type { Database, Executor, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { Slice } from './account-list.ts';
import { logApiToken } from './api-token-event.ts';
import { type AuthSql, type AuthTables, authGeneration, authSql, toQuery } from './auth-tables.ts';
import { apiTokenPrefix, newToken, tokenHash } from './opaque-token.ts';

/** A token for a program. The token itself is only available at its creation. Times are canonical datetimes. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** What it is narrowed to; null: to nothing. */
  readonly scopes: TokenScopes | null;
  /** The tenant that it belongs to; null: none. */
  readonly tenant: string | null;
  /** The id of the account or API token that created it. */
  readonly createdBy: string | null;
  readonly createdAt: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  /** To the minute; null: not used yet. */
  readonly lastUsedAt: string | null;
}

export interface NewApiToken {
  readonly name: string;
  readonly role: Role;
  readonly scopes?: TokenScopes | null;
  readonly tenant?: string | null;
  readonly createdBy: string | null;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

type ApiTokenRow = Selectable<AuthTables['recto_api_tokens']>;

export class ApiTokenStore {
  readonly #sql: AuthSql;

  constructor(dialect: Dialect) {
    this.#sql = authSql(dialect);
  }

  /** Creates a token; its secret is returned only here. */
  async create(
    database: Database,
    made: NewApiToken,
    now: number,
    by: Caller = system,
  ): Promise<{ readonly apiToken: ApiToken; readonly secret: string }> {
    const secret = newToken(apiTokenPrefix);
    const row: ApiTokenRow = {
      id: newId(),
      name: made.name,
      token_hash: tokenHash(secret),
      role: made.role,
      created_by: made.createdBy,
      created_at: this.#sql.time(now),
      expires_at: made.expiresAt === null ? null : this.#sql.time(made.expiresAt),
      last_used_at: null,
      tenant_id: made.tenant ?? null,
      scopes: made.scopes === undefined || made.scopes === null ? null : JSON.stringify(made.scopes),
    };
    const insert = toQuery(this.#sql.builder.insertInto('recto_api_tokens').values(row));
    await database.transaction(async (transaction) => {
      await transaction.run(insert);
      logApiToken(transaction, { id: row.id, tenant: row.tenant_id, action: 'create', by, now });
    });
    return { apiToken: this.#apiToken(row), secret };
  }

  async bySecret(executor: Executor, secret: string): Promise<ApiToken | undefined> {
    return this.#find(executor, 'token_hash', tokenHash(secret));
  }

  async byId(executor: Executor, id: string): Promise<ApiToken | undefined> {
    return this.#find(executor, 'id', id);
  }

  async #find(executor: Executor, column: 'id' | 'token_hash', value: string): Promise<ApiToken | undefined> {
    const statement = this.#sql.builder.selectFrom('recto_api_tokens').selectAll().where(column, '=', value);
    const row = await executor.first<ApiTokenRow>(toQuery(statement));
    return row === undefined ? undefined : this.#apiToken(row);
  }

  /** All tokens (of a tenant), including expired ones, in order of creation. */
  async list(
    database: Database,
    slice: Slice,
    tenant?: string | undefined,
  ): Promise<{ readonly apiTokens: readonly ApiToken[]; readonly total: number }> {
    const all = this.#sql.builder.selectFrom('recto_api_tokens');
    const tokens = tenant === undefined ? all : all.where('tenant_id', '=', tenant);
    const page = tokens.selectAll().orderBy('id').limit(slice.limit).offset(slice.offset);
    const rows = await database.rows<ApiTokenRow>(toQuery(page));
    const count = await database.first<{ total: number | bigint | string }>(
      toQuery(tokens.select((select) => select.fn.countAll().as('total'))),
    );
    return { apiTokens: rows.map((row) => this.#apiToken(row)), total: Number(count?.total ?? 0) };
  }

  /** The roles that tokens have. */
  async rolesInUse(executor: Executor): Promise<readonly string[]> {
    const roles = this.#sql.builder.selectFrom('recto_api_tokens').select('role').distinct().orderBy('role');
    const rows = await executor.rows<{ role: string }>(toQuery(roles));
    return rows.map(({ role }) => role);
  }

  /** How many tokens have a role, expired ones included. */
  async countOfRole(executor: Executor, role: string): Promise<number> {
    const tokens = this.#sql.builder.selectFrom('recto_api_tokens').where('role', '=', role);
    const count = tokens.select((select) => select.fn.countAll().as('total'));
    return Number((await executor.first<{ total: unknown }>(toQuery(count)))?.total ?? 0);
  }

  /** Revokes a token (of a tenant), at once and everywhere; false when none has this id. */
  async remove(
    database: Database,
    id: string,
    { tenant, by = system, now }: { readonly tenant?: string | undefined; readonly by?: Caller; readonly now: number },
  ): Promise<boolean> {
    const named = this.#sql.builder.deleteFrom('recto_api_tokens').where('id', '=', id).returning('tenant_id');
    const statement = toQuery(tenant === undefined ? named : named.where('tenant_id', '=', tenant));
    return database.transaction(async (transaction) => {
      const removed = await transaction.first<{ tenant_id: string | null }>(statement);
      if (removed === undefined) return false;
      logApiToken(transaction, { id, tenant: removed.tenant_id, action: 'delete', by, now });
      transaction.touch(authGeneration);
      return true;
    });
  }

  /** Revokes the tokens that an account has made (since a time), as part of a transaction. */
  async removeOf(transaction: Transaction, account: string, now: number, since?: number): Promise<void> {
    const made = this.#sql.builder.deleteFrom('recto_api_tokens').where('created_by', '=', account);
    const chosen = since === undefined ? made : made.where('created_at', '>=', this.#sql.time(since));
    const removed = await transaction.rows<{ id: string; tenant_id: string | null }>(
      toQuery(chosen.returning(['id', 'tenant_id'])),
    );
    for (const { id, tenant_id: tenant } of removed)
      logApiToken(transaction, { id, tenant, action: 'delete', by: system, now });
    if (removed.length > 0) transaction.touch(authGeneration);
  }

  /** Records that a token was used, unless a use after `since` is already recorded (for example by another process). */
  async recordUse(database: Database, id: string, now: number, since: number): Promise<void> {
    const statement = this.#sql.builder
      .updateTable('recto_api_tokens')
      .set({ last_used_at: this.#sql.time(now) })
      .where('id', '=', id)
      .where((where) =>
        where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', this.#sql.time(since))]),
      );
    await database.transaction(async (transaction: Transaction) => void (await transaction.run(toQuery(statement))));
  }

  #apiToken(row: ApiTokenRow): ApiToken {
    return {
      id: row.id,
      name: row.name,
      role: row.role,
      scopes: scopesOf(row.scopes),
      tenant: row.tenant_id,
      createdBy: row.created_by,
      createdAt: this.#sql.readTime(row.created_at) ?? '',
      expiresAt: this.#sql.readTime(row.expires_at),
      lastUsedAt: this.#sql.readTime(row.last_used_at),
    };
  }
}

/** What is stored and is no list of texts narrows to nothing at all. */
function scopesOf(stored: string | null): TokenScopes | null {
  // As in tokens that were copied from before this was kept.
  if (stored === null || stored === undefined) return null;
  const read: unknown = JSON.parse(stored);
  return Array.isArray(read) ? read.filter((scope) => typeof scope === 'string') : [];
}
