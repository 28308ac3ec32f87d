// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { compileFilter } from '../rules/filter-expression.ts';
import { accountScope } from './account-filter.ts';
import type { AccountInput } from './account-input.ts';
import { changeAccount, removeAccount } from './accounts.ts';
import { openTestAuth, testSecret } from './auth.fixture.ts';
import { openAuth } from './auth-services.ts';
import { enter } from './enter.ts';

const lastAdmin = { status: 409, code: 'last_admin' };

describe('the last admin', () => {
  const losses: readonly (readonly [string, AccountInput | null])[] = [
    ['demoted to editor', { role: 'editor' }],
    ['demoted to member', { role: 'member' }],
    ['disabled', { disabled: true }],
    ['both', { role: 'member', disabled: true }],
    ['disabled while keeping the role admin', { role: 'admin', disabled: true }],
    ['deleted', null],
  ];

  const lose = (auth: Parameters<typeof removeAccount>[0], id: string, change: AccountInput | null) =>
    change === null ? removeAccount(auth, id) : changeAccount(auth, id, change);

  test.each(losses)('cannot be %s', async (_, change) => {
    await using auth = await openTestAuth();
    const admin = await auth.account({ role: 'admin' });
    await auth.account({ role: 'editor' });
    const disabled = await auth.account({ role: 'admin' });
    await changeAccount(auth, disabled.id, { disabled: true });
    await expect(lose(auth, admin.id, change)).rejects.toMatchObject(lastAdmin);
    expect(await auth.accounts.byId(auth.database, admin.id)).toEqual(admin);
  });

  test.each(losses)('with another, one can be %s', async (_, change) => {
    await using auth = await openTestAuth();
    const admin = await auth.account({ role: 'admin' });
    await auth.account({ role: 'admin' });
    await lose(auth, admin.id, change);
    const left = await auth.accounts.byId(auth.database, admin.id);
    expect(left?.role !== 'admin' || left.disabled).toBe(true);
  });

  test.each(losses)('of ten that are %s at once, from two processes, one stays', async (_, change) => {
    await using auth = await openTestAuth();
    const database = await auth.database.again();
    const other = openAuth({ database, secret: testSecret, registrationOpen: true, rateLimit: false });
    const admins = [];
    for (let number = 0; number < 10; number++) admins.push(await auth.account({ role: 'admin' }));
    const outcomes = await Promise.allSettled(
      admins.map(({ id }, number) => lose(number % 2 === 0 ? auth : other, id, change)),
    );
    await database.close();
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(9);
    const { accounts } = await auth.accounts.list(
      auth.database,
      { role: 'admin', disabled: false },
      { limit: 10, offset: 0 },
    );
    expect(accounts.length).toBe(1);
  });

  test('may change everything else of itself', async () => {
    await using auth = await openTestAuth();
    const admin = await auth.account({ role: 'admin' });
    const change = { role: 'admin', disabled: false, username: 'root', password: 'another horse' } as const;
    expect(await changeAccount(auth, admin.id, change)).toMatchObject({ role: 'admin', username: 'root' });
  });
});

describe('changeAccount', () => {
  test('leaves what is left out, and counts the time', async () => {
    await using auth = await openTestAuth();
    const before = await auth.account({ username: 'ann', role: 'editor' });
    auth.clock.now += 1000;
    const after = await changeAccount(auth, before.id, { email: 'new@example.org' });
    const updatedAt = '2026-11-21T10:00:01.000Z';
    expect(after).toEqual({ ...before, email: 'new@example.org', emailKey: 'new@example.org', updatedAt });
  });

  test('takes a username away with null', async () => {
    await using auth = await openTestAuth();
    const { id } = await auth.account({ username: 'ann' });
    expect((await changeAccount(auth, id, { username: null })).username).toBeNull();
  });

  test('an account may spell its own keys anew; those of another are taken', async () => {
    await using auth = await openTestAuth();
    const ann = await auth.account({ email: 'ann@example.org', username: 'ann' });
    await auth.account({ email: 'ben@example.org', username: 'ben' });
    const spelled = { email: 'Ann@example.org', username: 'Ann' };
    expect(await changeAccount(auth, ann.id, spelled)).toMatchObject(spelled);
    await expect(changeAccount(auth, ann.id, { email: 'BEN@example.org', username: 'BEN' })).rejects.toMatchObject({
      status: 422,
      errors: [
        { field: 'email', code: 'taken' },
        { field: 'username', code: 'taken' },
      ],
    });
  });

  test('of two who change to one address at once, one gets it', async () => {
    await using auth = await openTestAuth();
    const ids = [(await auth.account()).id, (await auth.account()).id];
    const outcomes = await Promise.allSettled(ids.map((id) => changeAccount(auth, id, { email: 'one@example.org' })));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('there must be such an account', async () => {
    await using auth = await openTestAuth();
    await expect(changeAccount(auth, 'nobody', { role: 'admin' })).rejects.toMatchObject({ status: 404 });
    await expect(removeAccount(auth, 'nobody')).rejects.toMatchObject({ status: 404 });
  });

  test('a deleted account leaves nothing behind, and its address is free', async () => {
    await using auth = await openTestAuth();
    const account = await auth.account();
    const { id, email } = account;
    await auth.database.transaction((transaction) => enter(auth, transaction, account, { kind: 'password' }));
    await removeAccount(auth, id);
    for (const table of ['recto_accounts', 'recto_sessions', 'recto_refresh_tokens'])
      expect(await auth.database.rows({ sql: `SELECT * FROM ${table}`, parameters: [] })).toEqual([]);
    await auth.account({ email });
  });
});

describe('listing', () => {
  test('finds parts of addresses and usernames in any case, and takes wildcards as they are', async () => {
    await using auth = await openTestAuth();
    await auth.account({ email: 'Ann@example.org', username: 'Anna_B' });
    await auth.account({ email: 'ben@example.com', username: 'José' });
    await auth.account({ email: 'c%d@example.com' });
    for (const [search, emails] of [
      ['EXAMPLE.C', ['ben@example.com', 'c%d@example.com']],
      ['anna', ['Ann@example.org']],
      ['JOSÉ', ['ben@example.com']],
      ['a_b', ['Ann@example.org']],
      ['%', ['c%d@example.com']],
      ['n_@', []],
      ['\\', []],
      ["' OR 1=1 --", []],
    ] as const) {
      const { accounts, total } = await auth.accounts.list(auth.database, { search }, { limit: 10, offset: 0 });
      expect([search, accounts.map(({ email }) => email)]).toEqual([search, [...emails]]);
      expect(total).toBe(emails.length);
    }
  });

  test('is planned once for each shape of filter', async () => {
    await using auth = await openTestAuth();
    const admin = await auth.account({ role: 'admin' });
    const caller = { kind: 'account', id: admin.id, role: 'admin', session: 's' } as const;
    const found = async (text: string, role?: 'admin' | 'editor') => {
      const filter = compileFilter(text, accountScope());
      const asked = { role, search: '@', expression: { filter, caller } };
      const { accounts, total } = await auth.accounts.list(auth.database, asked, { limit: 10, offset: 0 });
      expect(accounts.length).toBe(total);
      return total;
    };
    expect(await found(`email = "${admin.email}" && disabled = false`, 'admin')).toBe(1);
    const { entries } = auth.accounts.stats;
    for (let number = 0; number < 20; number++) {
      expect(await found(`email = "${number}@example.com" && disabled = false`, 'editor')).toBe(0);
    }
    expect(auth.accounts.stats.entries).toBe(entries);
    expect(await found('id = @request.auth.id && created_at <= @now && display_name = null', 'admin')).toBe(1);
    expect(await found('email in ["a", "b"]', 'admin')).toBe(0);
    expect(auth.accounts.stats.entries).toBe(entries + 2);
  });
});
