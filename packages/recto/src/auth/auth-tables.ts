import { type ColumnDefinitionBuilder, type CompiledQuery, type Kysely, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { Role } from '../base/caller.ts';
import { queryOf } from '../database/compiled-query.ts';
import type { Database, Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ValueKind } from '../values/value-kind.ts';

/** The name whose generation goes up whenever a right is taken away or changed: see `Generations`. */
export const authGeneration = 'recto:auth';

/** A time or a flag as this database holds it: written and read by `AuthSql`. */
type Stored = SqlValue;

interface AccountsTable {
  readonly id: string;
  readonly email: string;
  readonly email_key: string;
  readonly username: string | null;
  readonly username_key: string | null;
  readonly password_hash: string;
  readonly role: Role;
  readonly disabled: Stored;
  readonly created_at: Stored;
  readonly updated_at: Stored;
  readonly last_login_at: Stored;
  readonly tenant_id: string | null;
}

/** One row a login; its refresh tokens are one family. */
interface SessionsTable {
  readonly id: string;
  readonly account_id: string;
  readonly created_at: Stored;
  readonly expires_at: Stored;
  readonly revoked_at: Stored;
}

/** The current token of a session has no `used_at`; the used ones are kept until they expire, so that their reuse is seen. */
interface RefreshTokensTable {
  readonly token_hash: string;
  readonly session_id: string;
  readonly expires_at: Stored;
  readonly used_at: Stored;
}

interface ApiTokensTable {
  readonly id: string;
  readonly name: string;
  readonly token_hash: string;
  readonly role: Role;
  readonly created_by: string | null;
  readonly created_at: Stored;
  readonly expires_at: Stored;
  readonly last_used_at: Stored;
  readonly tenant_id: string | null;
}

/** One row, written to by whoever must be alone while counting admins. */
interface LocksTable {
  readonly name: string;
  readonly taken: number;
}

export interface AuthTables {
  readonly recto_accounts: AccountsTable;
  readonly recto_sessions: SessionsTable;
  readonly recto_refresh_tokens: RefreshTokensTable;
  readonly recto_api_tokens: ApiTokensTable;
  readonly recto_auth_locks: LocksTable;
}

/** What the stores of this floor need of a dialect. */
export interface AuthSql {
  readonly builder: Kysely<AuthTables>;
  /** Milliseconds since 1970 as a stored time. */
  time(milliseconds: number): SqlValue;
  /** A stored time as canonical text, null for none. */
  readTime(stored: Stored): string | null;
  flag(value: boolean): SqlValue;
  readFlag(stored: Stored): boolean;
}

export function authSql(dialect: Dialect): AuthSql {
  return {
    // The builder only compiles; which tables it may name is known here and not there.
    builder: dialect.builder as unknown as Kysely<AuthTables>,
    time: (milliseconds) => dialect.encode('datetime', new Date(milliseconds).toISOString()),
    readTime: (stored) => (stored === null ? null : String(dialect.decode('datetime', stored))),
    flag: (value) => dialect.encode('boolean', value),
    readFlag: (stored) => dialect.decode('boolean', stored) === true,
  };
}

/** A built statement, ready for an `Executor`. */
export const toQuery = (statement: { compile(): CompiledQuery }): Query => queryOf(statement.compile());

/** Makes the tables of accounts and tokens where they do not exist yet. */
export async function createAuthTables(database: Database): Promise<void> {
  const statements = tableStatements(database.dialect);
  const { builder } = authSql(database.dialect);
  const lock = builder
    .insertInto('recto_auth_locks')
    .values({ name: adminsLock, taken: 0 })
    .onConflict((conflict) => conflict.doNothing());
  await database.transaction(async (transaction) => {
    for (const statement of statements) await transaction.run(statement);
    for (const table of tenanted) await addTenant(transaction, database.dialect, table);
    await transaction.run(toQuery(lock));
  });
}

/** The tables that databases of earlier versions have without a tenant. */
const tenanted = ['recto_accounts', 'recto_api_tokens'] as const;

async function addTenant(transaction: Transaction, dialect: Dialect, table: (typeof tenanted)[number]): Promise<void> {
  const columns = await transaction.rows<{ name: string }>(dialect.schema.columns(table));
  if (columns.some(({ name }) => name === 'tenant_id')) return;
  const text = sql.raw(dialect.columnType('text'));
  await transaction.run(toQuery(authSql(dialect).builder.schema.alterTable(table).addColumn('tenant_id', text)));
}

/** The row of `recto_auth_locks` that guards "at least one admin". */
export const adminsLock = 'admins';

type Column = readonly [name: string, kind: ValueKind, constraint?: keyof typeof constrain];

const constrain = {
  key: (column: ColumnDefinitionBuilder) => column.primaryKey().notNull(),
  required: (column: ColumnDefinitionBuilder) => column.notNull(),
  nullable: (column: ColumnDefinitionBuilder) => column,
  unique: (column: ColumnDefinitionBuilder) => column.notNull().unique(),
  // Nulls are not equal to each other: many accounts may have no username.
  unique_or_null: (column: ColumnDefinitionBuilder) => column.unique(),
} as const;

/** Those of each table; the first is its key. */
export const authColumns: Readonly<Record<keyof AuthTables, readonly Column[]>> = {
  recto_accounts: [
    ['id', 'text', 'key'],
    ['email', 'text'],
    ['email_key', 'text', 'unique'],
    ['username', 'text', 'nullable'],
    ['username_key', 'text', 'unique_or_null'],
    ['password_hash', 'text'],
    ['role', 'text'],
    ['disabled', 'boolean'],
    ['created_at', 'datetime'],
    ['updated_at', 'datetime'],
    ['last_login_at', 'datetime', 'nullable'],
    ['tenant_id', 'text', 'nullable'],
  ],
  recto_sessions: [
    ['id', 'text', 'key'],
    ['account_id', 'text'],
    ['created_at', 'datetime'],
    ['expires_at', 'datetime'],
    ['revoked_at', 'datetime', 'nullable'],
  ],
  recto_refresh_tokens: [
    ['token_hash', 'text', 'key'],
    ['session_id', 'text'],
    ['expires_at', 'datetime'],
    ['used_at', 'datetime', 'nullable'],
  ],
  recto_api_tokens: [
    ['id', 'text', 'key'],
    ['name', 'text'],
    ['token_hash', 'text', 'unique'],
    ['role', 'text'],
    ['created_by', 'text', 'nullable'],
    ['created_at', 'datetime'],
    ['expires_at', 'datetime', 'nullable'],
    ['last_used_at', 'datetime', 'nullable'],
    ['tenant_id', 'text', 'nullable'],
  ],
  recto_auth_locks: [
    ['name', 'text', 'key'],
    ['taken', 'integer'],
  ],
};

const indexes = [
  { name: 'recto_sessions_account', table: 'recto_sessions', column: 'account_id' },
  { name: 'recto_refresh_tokens_session', table: 'recto_refresh_tokens', column: 'session_id' },
] as const;

function tableStatements(dialect: Dialect): readonly Query[] {
  const { schema } = authSql(dialect).builder;
  const statements: Query[] = [];
  for (const [name, described] of Object.entries(authColumns)) {
    let table = schema.createTable(name).ifNotExists();
    for (const [column, kind, constraint = 'required'] of described)
      table = table.addColumn(column, sql.raw(dialect.columnType(kind)), (definition) =>
        constrain[constraint](definition),
      );
    statements.push(toQuery(table));
  }
  for (const { name, table, column } of indexes)
    statements.push(toQuery(schema.createIndex(name).ifNotExists().on(table).column(column)));
  return statements;
}
