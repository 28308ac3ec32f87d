import type { CompiledQuery, Kysely } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { Role } from '../base/caller.ts';
import { queryOf } from '../database/compiled-query.ts';
import type { Query } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { defineEngineTable, type EngineMigration, type EngineTable } from '../database/engine/engine-table.ts';
import { profileNames } from '../definition/profile/profile-fields.ts';
import { accountsTable } from '../definition/profile/profile-type.ts';
import { type FactorTables, factorTables } from './factors/factor-tables.ts';

/** The name whose generation increases whenever a right is revoked or changed: see `Generations`. */
export const authGeneration = 'recto:auth';

/** A time or a flag as this database stores it: written and read by `AuthSql`. */
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
  readonly display_name: string | null;
  readonly avatar: string | null;
  readonly bio: string | null;
  readonly website: string | null;
  /** Null, as in accounts from before there were profiles: no. */
  readonly profile_public: Stored;
  /** Null, as in accounts that were copied from before this was kept: no. */
  readonly verified: Stored;
  /** The address that the account gets once it is confirmed; null: none. */
  readonly pending_email: string | null;
  /** When it was invited, until the invitation is accepted; null: it was not, or has accepted. */
  readonly invited_at: Stored;
  /** Whether it has a second factor; null, as in accounts from before there were any: no. Follows from the tables of factors. */
  readonly second_factor: Stored;
  /** When it was first asked for the second factor that the settings demand: its days of grace count from then; null: not yet. */
  readonly second_factor_asked_at: Stored;
}

/** One row a link or code that was mailed. */
export interface AccountTokensTable {
  readonly id: string;
  readonly hash: string;
  readonly kind: string;
  /** Empty for a code of an address that no account has. */
  readonly account_id: string;
  /** The address that it proves. */
  readonly address: string;
  /** Changes with the password, which ends the token. */
  readonly password_generation: string;
  readonly created_at: Stored;
  readonly expires_at: Stored;
  readonly used_at: Stored;
  /** How many codes were tried. */
  readonly tries: number;
}

/** One row a login; its refresh tokens are one family. */
export interface SessionsTable {
  readonly id: string;
  readonly account_id: string;
  readonly created_at: Stored;
  readonly expires_at: Stored;
  readonly revoked_at: Stored;
  /** The `User-Agent` of the login; null where it sent none, and in sessions from before it was kept. */
  readonly agent: string | null;
  /** How it was signed in, separated by commas; null in sessions from before it was kept. */
  readonly methods: string | null;
  /** Whether a second factor was given or enrolled in it; null: no. */
  readonly second_factor: Stored;
  /** When its owner last proved to be there; null: not yet. */
  readonly stepped_up_at: Stored;
}

/** The current token of a session has no `used_at`; used ones are kept until they expire, to detect reuse. */
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
  /** JSON, in order; null: all that its role may. */
  readonly scopes: string | null;
}

/** One row, written by a transaction that must be alone while it counts admins. */
interface LocksTable {
  readonly name: string;
  readonly taken: number;
}

export interface AuthTables extends FactorTables {
  readonly recto_accounts: AccountsTable;
  readonly recto_sessions: SessionsTable;
  readonly recto_refresh_tokens: RefreshTokensTable;
  readonly recto_api_tokens: ApiTokensTable;
  readonly recto_auth_locks: LocksTable;
  readonly recto_account_tokens: AccountTokensTable;
}

/** What the stores of this module need from a dialect. */
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
    // The builder only compiles; the tables it may name are known only here.
    builder: dialect.builder as unknown as Kysely<AuthTables>,
    time: (milliseconds) => dialect.encode('datetime', new Date(milliseconds).toISOString()),
    readTime: (stored) => (stored === null ? null : String(dialect.decode('datetime', stored))),
    flag: (value) => dialect.encode('boolean', value),
    readFlag: (stored) => dialect.decode('boolean', stored) === true,
  };
}

/** A built statement, ready for an `Executor`. */
export const toQuery = (statement: { compile(): CompiledQuery }): Query => queryOf(statement.compile());

/** The row of `recto_auth_locks` that guards "at least one admin". */
export const adminsLock = 'admins';

const text = { kind: 'text' } as const;
const time = { kind: 'datetime' } as const;
const textOrNull = { ...text, nullable: true } as const;
const timeOrNull = { ...time, nullable: true } as const;

/** The tenant column is added to databases from before tenants existed. */
const addTenant = (number: number): EngineMigration => ({
  number,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('tenant_id'))) await change.addColumn('tenant_id');
  },
});

/** Accounts from before there were profiles have none. */
const addProfile: EngineMigration = {
  number: 3,
  additive: true,
  up: async (change) => {
    for (const name of [...profileNames, 'profile_public']) {
      if (!(await change.hasColumn(name))) await change.addColumn(name);
    }
  },
};

/** Sessions from before this was kept have none. */
const addAgent: EngineMigration = {
  number: 4,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('agent'))) await change.addColumn('agent');
  },
};

/** Nobody has yet confirmed the addresses of accounts from before this was kept. */
const addVerified: EngineMigration = {
  number: 5,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('verified'))) await change.addColumn('verified');
  },
};

/** Accounts from before there were mails wait for none. */
const addPending: EngineMigration = {
  number: 6,
  additive: true,
  up: async (change) => {
    for (const name of ['pending_email', 'invited_at']) {
      if (!(await change.hasColumn(name))) await change.addColumn(name);
    }
  },
};

/** Accounts from before there were second factors have none. */
const addSecondFactor: EngineMigration = {
  number: 7,
  additive: true,
  up: async (change) => {
    for (const name of ['second_factor', 'second_factor_asked_at']) {
      if (!(await change.hasColumn(name))) await change.addColumn(name);
    }
  },
};

/** Nobody knows how sessions from before this was kept were signed in: with a password, but a while ago. */
const addProof: EngineMigration = {
  number: 8,
  additive: true,
  up: async (change) => {
    for (const name of ['methods', 'second_factor', 'stepped_up_at']) {
      if (!(await change.hasColumn(name))) await change.addColumn(name);
    }
  },
};

/** Filters find what is false, and not what was never stored. */
const storeFlags: EngineMigration = {
  number: 9,
  additive: true,
  up: async ({ dialect, executor }) => {
    const { builder, flag } = authSql(dialect);
    for (const name of ['verified', 'profile_public', 'second_factor'] as const) {
      const unset = builder.updateTable('recto_accounts').set({ [name]: flag(false) });
      await executor.run(toQuery(unset.where(name, 'is', null)));
    }
  },
};

/** API tokens from before there were scopes may do all that their roles may. */
const addScopes: EngineMigration = {
  number: 11,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('scopes'))) await change.addColumn('scopes');
  },
};

export const authTables: readonly EngineTable[] = [
  defineEngineTable<AccountsTable>({
    name: accountsTable,
    key: ['id'],
    columns: {
      id: text,
      email: text,
      email_key: { ...text, unique: true },
      username: textOrNull,
      username_key: { ...textOrNull, unique: true },
      password_hash: text,
      role: text,
      disabled: { kind: 'boolean' },
      created_at: time,
      updated_at: time,
      last_login_at: timeOrNull,
      tenant_id: textOrNull,
      display_name: textOrNull,
      avatar: textOrNull,
      bio: textOrNull,
      website: textOrNull,
      profile_public: { kind: 'boolean', nullable: true },
      verified: { kind: 'boolean', nullable: true },
      pending_email: textOrNull,
      invited_at: timeOrNull,
      second_factor: { kind: 'boolean', nullable: true },
      second_factor_asked_at: timeOrNull,
    },
    migrations: [addTenant(1), addProfile, addVerified, addPending, addSecondFactor, storeFlags],
  }),
  defineEngineTable<SessionsTable>({
    name: 'recto_sessions',
    key: ['id'],
    columns: {
      id: text,
      account_id: text,
      created_at: time,
      expires_at: time,
      revoked_at: timeOrNull,
      agent: textOrNull,
      methods: textOrNull,
      second_factor: { kind: 'boolean', nullable: true },
      stepped_up_at: timeOrNull,
    },
    indexes: [{ name: 'recto_sessions_account', columns: ['account_id'] }],
    migrations: [addAgent, addProof],
  }),
  defineEngineTable<RefreshTokensTable>({
    name: 'recto_refresh_tokens',
    key: ['token_hash'],
    columns: { token_hash: text, session_id: text, expires_at: time, used_at: timeOrNull },
    indexes: [{ name: 'recto_refresh_tokens_session', columns: ['session_id'] }],
    migrations: [],
  }),
  defineEngineTable<ApiTokensTable>({
    name: 'recto_api_tokens',
    key: ['id'],
    columns: {
      id: text,
      name: text,
      token_hash: { ...text, unique: true },
      role: text,
      created_by: textOrNull,
      created_at: time,
      expires_at: timeOrNull,
      last_used_at: timeOrNull,
      tenant_id: textOrNull,
      scopes: textOrNull,
    },
    migrations: [addTenant(2), addScopes],
  }),
  defineEngineTable<LocksTable>({
    name: 'recto_auth_locks',
    key: ['name'],
    columns: { name: text, taken: { kind: 'integer' } },
    copy: false,
    rows: [{ name: adminsLock, taken: 0 }],
    migrations: [],
  }),
  defineEngineTable<AccountTokensTable>({
    name: 'recto_account_tokens',
    key: ['id'],
    columns: {
      id: text,
      hash: { ...text, unique: true },
      kind: text,
      account_id: text,
      address: text,
      password_generation: text,
      created_at: time,
      expires_at: time,
      used_at: timeOrNull,
      tries: { kind: 'integer' },
    },
    indexes: [
      { name: 'recto_account_tokens_account', columns: ['account_id', 'kind'] },
      { name: 'recto_account_tokens_expires', columns: ['expires_at'] },
    ],
    migrations: [],
  }),
  ...factorTables,
];
