// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { FatalError } from '../base/fatal-error.ts';
import { cheapPasswords, openTestAuth, type TestAuth, testPassword, testSecret } from './auth.fixture.ts';
import type { AuthServices } from './auth-services.ts';
import { openAuth } from './auth-services.ts';
import { draftFirstAdmin, makeFirstAdmin } from './first-admin.ts';
import { login } from './sign-in.ts';

const nothing = { email: undefined, password: undefined };
const configured = { email: 'Root@example.org', password: 'correct horse' };

const admins = async (auth: TestAuth) =>
  (await auth.accounts.list(auth.database, { role: 'admin' }, { limit: 100, offset: 0 })).accounts;

async function ensureFirstAdmin(auth: AuthServices, settings: Parameters<typeof draftFirstAdmin>[1]) {
  const draft = await draftFirstAdmin(auth, settings);
  return draft === undefined ? undefined : makeFirstAdmin(auth, draft);
}

describe('the first admin', () => {
  test('creates one with a generated password, once', async () => {
    await using auth = await openTestAuth();
    const made = await ensureFirstAdmin(auth, nothing);
    expect(made?.email).toBe('admin@recto.local');
    const { account } = await login(
      auth,
      { email: 'admin@recto.local', password: made?.generatedPassword ?? '' },
      '192.0.2.1',
    );
    expect(account.role).toBe('admin');
    expect(await ensureFirstAdmin(auth, nothing)).toBeUndefined();
    expect(await ensureFirstAdmin(auth, configured)).toBeUndefined();
    expect((await admins(auth)).length).toBe(1);
  });

  test('creates the one that the settings name, and repeats no password', async () => {
    await using auth = await openTestAuth();
    await auth.account({ role: 'editor' });
    expect(await ensureFirstAdmin(auth, configured)).toEqual({ email: 'Root@example.org', generatedPassword: null });
    const { account } = await login(auth, configured, '192.0.2.1');
    expect(account.role).toBe('admin');
  });

  test('an account that has the address already becomes the admin; its old password and sessions are good no more', async () => {
    await using auth = await openTestAuth();
    await auth.account({ email: 'root@example.org', password: 'squatters horse' });
    const squatter = await login(auth, { email: 'root@example.org', password: 'squatters horse' }, '192.0.2.1');
    await auth.authenticator.identify(`Bearer ${squatter.accessToken}`);
    await ensureFirstAdmin(auth, configured);
    await expect(Promise.resolve(auth.authenticator.identify(`Bearer ${squatter.accessToken}`))).rejects.toMatchObject({
      status: 401,
    });
    await expect(
      login(auth, { email: 'root@example.org', password: 'squatters horse' }, '192.0.2.1'),
    ).rejects.toMatchObject({ status: 401 });
    expect((await login(auth, configured, '192.0.2.1')).account).toMatchObject({ role: 'admin', disabled: false });
  });

  test('nor do its passkeys and its identities of providers open it any more', async () => {
    await using auth = await openTestAuth();
    const { id } = await auth.account({ email: 'root@example.org', password: 'squatters horse' });
    const passkey = {
      ...{ account: id, credentialId: 'squatters', publicKey: 'AQ', counter: 0, transports: [] },
      ...{ backedUp: false, aaguid: '00000000-0000-0000-0000-000000000000', name: 'Squatter' },
    };
    const identity = { account: id, provider: 'any', issuer: 'https://id.example', subject: 'squatter', email: null };
    await auth.database.transaction(async (transaction) => {
      await auth.passkeys.add(transaction, passkey, auth.now());
      await auth.identities.insert(transaction, identity, auth.now());
    });
    await ensureFirstAdmin(auth, configured);
    expect(await auth.passkeys.of(auth.database, id)).toEqual([]);
    expect(await auth.identities.list(auth.database, id)).toEqual([]);
    expect((await login(auth, configured, '192.0.2.1')).account).toMatchObject({ id, role: 'admin' });
  });

  test.each([
    ['generated', nothing],
    ['configured', configured],
  ])('of four processes that start at once, one creates it (%s)', async (_, settings) => {
    await using auth = await openTestAuth();
    const passwords = cheapPasswords();
    const others = await Promise.all(
      [1, 2, 3].map(async () => {
        const database = await auth.database.again();
        return openAuth({ database, secret: testSecret, registrationOpen: true, rateLimit: false, passwords });
      }),
    );
    const made = await Promise.all([auth, ...others].map((services) => ensureFirstAdmin(services, settings)));
    await Promise.all(others.map(({ database }) => database.close()));
    expect(made.filter((admin) => admin !== undefined).length).toBe(1);
    expect((await admins(auth)).length).toBe(1);
  });

  test('one that was created since the draft stays the only one', async () => {
    await using auth = await openTestAuth();
    const draft = await draftFirstAdmin(auth, configured);
    await auth.account({ role: 'admin' });
    if (draft === undefined) throw new Error('There is an admin.');
    expect(await makeFirstAdmin(auth, draft)).toBeUndefined();
    expect((await admins(auth)).length).toBe(1);
  });

  test.each([
    ['an address alone', { email: 'root@example.org', password: undefined }, 'set together'],
    ['a password alone', { email: undefined, password: testPassword }, 'set together'],
    ['a short password', { email: 'root@example.org', password: 'hunter2' }, 'at least 8 characters'],
    ['no address', { email: 'root', password: testPassword }, 'not an email address'],
  ])('rejects %s', async (_, settings, message) => {
    await using auth = await openTestAuth();
    const refusal = await ensureFirstAdmin(auth, settings).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FatalError);
    expect(String(refusal)).toContain(message);
    expect(String(refusal)).not.toContain('hunter2');
    expect(await admins(auth)).toEqual([]);
  });
});
