import { type Selectable, sql } from 'kysely';
import type { CacheStats } from '../base/cache.ts';
import type { Role } from '../base/caller.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Executor, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { Account, AccountValues, NewAccount, Profile } from './account.ts';
import { type AccountFilter, AccountList, type Slice } from './account-list.ts';
import { type AuthSql, type AuthTables, adminsLock, authGeneration, authSql, toQuery } from './auth-tables.ts';

const noProfile: Profile = { display_name: null, avatar: null, bio: null, website: null };

/** What is kept for an account elsewhere, and goes with it. */
const tablesOfAccounts = ['recto_notifications', 'recto_notification_settings', 'recto_account_pictures'];

type AccountRow = Selectable<AuthTables['recto_accounts']>;

/** The statements on accounts. The rules for changing accounts are in `accounts.ts`. */
export class AccountStore {
  readonly #sql: AuthSql;
  readonly #list: AccountList;
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#list = new AccountList(dialect);
    this.#sql = authSql(dialect);
  }

  /** What is remembered of lists. */
  get stats(): CacheStats {
    return this.#list.stats;
  }

  byId(executor: Executor, id: string): Promise<Account | undefined> {
    return this.#find(executor, 'id', id);
  }

  byEmailKey(executor: Executor, key: string): Promise<Account | undefined> {
    return this.#find(executor, 'email_key', key);
  }

  async #find(executor: Executor, column: 'id' | 'email_key', value: string): Promise<Account | undefined> {
    const statement = this.#sql.builder.selectFrom('recto_accounts').selectAll().where(column, '=', value);
    const row = await executor.first<AccountRow>(toQuery(statement));
    return row === undefined ? undefined : this.#account(row);
  }

  /** Which of these keys another account already has. */
  async taken(
    executor: Executor,
    keys: { readonly email?: string | undefined; readonly username?: string | undefined },
    except: string | undefined,
  ): Promise<{ readonly email: boolean; readonly username: boolean }> {
    const statement = this.#sql.builder
      .selectFrom('recto_accounts')
      .select(['id', 'email_key', 'username_key'])
      .where((where) =>
        where.or([where('email_key', '=', keys.email ?? ''), where('username_key', '=', keys.username ?? '')]),
      );
    const rows = await executor.rows<Pick<AccountRow, 'id' | 'email_key' | 'username_key'>>(toQuery(statement));
    const others = rows.filter((row) => row.id !== except);
    return {
      email: keys.email !== undefined && others.some((row) => row.email_key === keys.email),
      username: keys.username !== undefined && others.some((row) => row.username_key === keys.username),
    };
  }

  /** One page of matching accounts in order of creation, and their total. */
  async list(
    database: Database,
    filter: AccountFilter,
    slice: Slice,
  ): Promise<{ readonly accounts: readonly Account[]; readonly total: number }> {
    const { page, total } = this.#list.statements(filter, slice);
    const rows = await database.rows<AccountRow>(page);
    const count = await database.first<{ total: number | bigint }>(total);
    return { accounts: rows.map((row) => this.#account(row)), total: Number(count?.total ?? 0) };
  }

  /** The accounts of roles that are not disabled, of a tenant or of all, in the order of their creation. */
  async ofRoles(
    executor: Executor,
    {
      roles,
      within,
      most,
    }: { readonly roles: readonly Role[]; readonly within?: string | undefined; readonly most: number },
  ): Promise<readonly Account[]> {
    let statement = this.#sql.builder
      .selectFrom('recto_accounts')
      .selectAll()
      .where('role', 'in', roles)
      .where('disabled', '=', this.#sql.flag(false));
    if (within !== undefined) statement = statement.where('tenant_id', '=', within);
    const rows = await executor.rows<AccountRow>(toQuery(statement.orderBy('id').limit(most)));
    return rows.map((row) => this.#account(row));
  }

  async insert(transaction: Transaction, account: NewAccount, now: number): Promise<Account> {
    const at = this.#sql.time(now);
    const row: AccountRow = {
      id: account.id,
      email: account.email.address,
      email_key: account.email.key,
      username: account.username?.name ?? null,
      username_key: account.username?.key ?? null,
      password_hash: account.passwordHash,
      role: account.role,
      disabled: this.#sql.flag(account.disabled ?? false),
      created_at: at,
      updated_at: at,
      last_login_at: null,
      tenant_id: account.tenant,
      ...noProfile,
      ...account.profile,
      profile_public: this.#sql.flag(account.profilePublic ?? false),
      verified: this.#sql.flag(account.verified ?? false),
      pending_email: null,
      invited_at: this.#timeOrNull(account.invitedAt ?? null),
      second_factor: this.#sql.flag(false),
      second_factor_asked_at: null,
    };
    await transaction.run(toQuery(this.#sql.builder.insertInto('recto_accounts').values(row)));
    return this.#account(row);
  }

  async update(transaction: Transaction, id: string, values: AccountValues, now: number): Promise<void> {
    const { email, username, passwordHash, role, disabled, verified, tenant, profile, profilePublic } = values;
    // A new password ends what waits: a mail that is still to be sent must not open the account to whoever asked for it before.
    const ends = passwordHash === undefined ? {} : { pendingEmail: null, invitedAt: null };
    const { pendingEmail, invitedAt } = { ...ends, ...values };
    const statement = this.#sql.builder
      .updateTable('recto_accounts')
      .set({
        updated_at: this.#sql.time(now),
        ...(email === undefined ? {} : { email: email.address, email_key: email.key }),
        ...(username === undefined ? {} : { username: username?.name ?? null, username_key: username?.key ?? null }),
        ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
        ...(role === undefined ? {} : { role }),
        ...(disabled === undefined ? {} : { disabled: this.#sql.flag(disabled) }),
        ...(verified === undefined ? {} : { verified: this.#sql.flag(verified) }),
        ...(tenant === undefined ? {} : { tenant_id: tenant }),
        ...profile,
        ...(profilePublic === undefined ? {} : { profile_public: this.#sql.flag(profilePublic) }),
        ...(pendingEmail === undefined ? {} : { pending_email: pendingEmail }),
        ...(invitedAt === undefined ? {} : { invited_at: this.#timeOrNull(invitedAt) }),
      })
      .where('id', '=', id);
    await transaction.run(toQuery(statement));
  }

  /** Replaces the hash of a password that stays the same: an invitation or a new address that waits to be confirmed stays valid. */
  async renewHash(transaction: Transaction, id: string, passwordHash: string): Promise<void> {
    const statement = this.#sql.builder
      .updateTable('recto_accounts')
      .set({ password_hash: passwordHash })
      .where('id', '=', id);
    await transaction.run(toQuery(statement));
  }

  async recordLogin(transaction: Transaction, id: string, now: number): Promise<void> {
    const statement = this.#sql.builder
      .updateTable('recto_accounts')
      .set({ last_login_at: this.#sql.time(now) })
      .where('id', '=', id);
    await transaction.run(toQuery(statement));
  }

  /** Has the days of grace for a second factor begin. */
  async recordFactorAsked(transaction: Transaction, id: string, now: number): Promise<void> {
    const statement = this.#sql.builder
      .updateTable('recto_accounts')
      .set({ second_factor_asked_at: this.#sql.time(now) })
      .where('id', '=', id)
      .where('second_factor_asked_at', 'is', null);
    await transaction.run(toQuery(statement));
    transaction.touch(authGeneration);
  }

  /** Keeps whether an account has a second factor, as its tables say. */
  async recordFactor(transaction: Transaction, id: string, secondFactor: boolean): Promise<void> {
    const statement = this.#sql.builder
      .updateTable('recto_accounts')
      .set({ second_factor: this.#sql.flag(secondFactor) })
      .where('id', '=', id);
    await transaction.run(toQuery(statement));
  }

  async remove(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(toQuery(this.#sql.builder.deleteFrom('recto_accounts').where('id', '=', id)));
    for (const table of tablesOfAccounts) {
      const rows = sql`delete from ${sql.table(table)} where "account" = ${id}`;
      const count = await transaction.run(compiledQuery(rows, this.#dialect));
      // The job that removes files which nothing has any more looks when media have changed.
      if (table === 'recto_account_pictures' && count > 0) transaction.touch('media');
    }
  }

  /** Whether an enabled global admin exists besides the account with this id. */
  async hasAdmin(executor: Executor, besides?: string): Promise<boolean> {
    const admins = this.#sql.builder
      .selectFrom('recto_accounts')
      .select('id')
      .where('role', '=', 'admin')
      .where('tenant_id', 'is', null)
      .where('disabled', '=', this.#sql.flag(false))
      .limit(1);
    const others = besides === undefined ? admins : admins.where('id', '!=', besides);
    return (await executor.first(toQuery(others))) !== undefined;
  }

  /** The roles that accounts have. */
  async rolesInUse(executor: Executor): Promise<readonly string[]> {
    const roles = this.#sql.builder.selectFrom('recto_accounts').select('role').distinct().orderBy('role');
    const rows = await executor.rows<{ role: string }>(toQuery(roles));
    return rows.map(({ role }) => role);
  }

  /** How many accounts have a role, disabled ones included. */
  async countOfRole(executor: Executor, role: string): Promise<number> {
    const count = this.#sql.builder
      .selectFrom('recto_accounts')
      .select((select) => select.fn.countAll().as('total'))
      .where('role', '=', role);
    return Number((await executor.first<{ total: unknown }>(toQuery(count)))?.total ?? 0);
  }

  /**
   * Waits until no other transaction is deciding about admins. Otherwise two concurrent transactions, each seeing the
   * other's admin, could remove both.
   */
  async lockAdmins(transaction: Transaction): Promise<void> {
    const statement = this.#sql.builder
      .updateTable('recto_auth_locks')
      .set({ taken: 0 })
      .where('name', '=', adminsLock);
    await transaction.run(toQuery(statement));
  }

  #timeOrNull(milliseconds: number | null) {
    return milliseconds === null ? null : this.#sql.time(milliseconds);
  }

  #account(row: AccountRow): Account {
    return {
      id: row.id,
      email: row.email,
      emailKey: row.email_key,
      username: row.username,
      passwordHash: row.password_hash,
      role: row.role,
      disabled: this.#sql.readFlag(row.disabled),
      verified: this.#sql.readFlag(row.verified),
      tenant: row.tenant_id,
      profile: { display_name: row.display_name, avatar: row.avatar, bio: row.bio, website: row.website },
      profilePublic: this.#sql.readFlag(row.profile_public),
      pendingEmail: row.pending_email,
      invitedAt: this.#sql.readTime(row.invited_at),
      secondFactor: this.#sql.readFlag(row.second_factor),
      secondFactorAskedAt: this.#sql.readTime(row.second_factor_asked_at),
      createdAt: this.#sql.readTime(row.created_at) ?? '',
      updatedAt: this.#sql.readTime(row.updated_at) ?? '',
    };
  }
}
