import { describe, expect, test } from 'bun:test';
import { becomes, query } from '../../../../test/support/database/database.ts';
import { isBuiltInRole } from '../base/caller.ts';
import { accessTokenSeconds, createAccessTokens } from './access-tokens.ts';
import { changeAccount, removeAccount } from './accounts.ts';
import { openTestAuth, type TestAuth, testPassword, testSecret } from './auth.fixture.ts';
import { type AuthServices, openAuth } from './auth-services.ts';
import { authGeneration } from './auth-tables.ts';
import { BearerAuthenticator } from './bearer-authenticator.ts';
import { changePassword, login, logout, refresh } from './sign-in.ts';

const minute = 60_000;

const signIn = (auth: TestAuth, email: string) => login(auth, { email, password: testPassword }, '192.0.2.1');

const identify = async (services: Pick<AuthServices, 'authenticator'>, token: string) =>
  services.authenticator.identify(`Bearer ${token}`);

/** Another process on the same database. */
async function openOther(auth: TestAuth): Promise<AuthServices & AsyncDisposable> {
  const database = await auth.database.again();
  const now = auth.now;
  const services = openAuth({ database, secret: testSecret, registrationOpen: true, rateLimit: false, now });
  return { ...services, [Symbol.asyncDispose]: () => database.close() };
}

async function openWithAnn(role: 'admin' | 'member' = 'member') {
  const auth = await openTestAuth();
  const ann = await auth.account({ email: 'ann@example.org', role });
  const signedIn = await signIn(auth, ann.email);
  const caller = await identify(auth, signedIn.accessToken);
  if (caller.kind !== 'account') throw new Error('Ann is not identified as an account.');
  return { auth, ann, signedIn, session: caller.session };
}

describe('headers', () => {
  test('no header is an anonymous caller', async () => {
    await using auth = await openTestAuth();
    expect(auth.authenticator.identify(null)).toEqual({ kind: 'anonymous' });
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YW5uOnBhc3N3b3Jk',
    'Token abc',
    'Bearer a b',
    'Bearer recto_',
    'Bearer recto_unknown',
    'Bearer ä',
    'Bearer \u0000',
    `Bearer ${'a'.repeat(100_000)}`,
  ])('%j is rejected', async (header) => {
    await using auth = await openTestAuth();
    const refusal = await Promise.resolve(auth.authenticator.identify(header)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 401, code: 'invalid_token', headers: { 'WWW-Authenticate': 'Bearer' } });
  });

  test('the scheme is recognized in any case', async () => {
    const { auth, ann, signedIn } = await openWithAnn();
    await using _ = auth;
    expect(await auth.authenticator.identify(`bearer ${signedIn.accessToken}`)).toMatchObject({ id: ann.id });
  });
});

describe('accounts', () => {
  test('a token identifies its account, session, and the role of the account', async () => {
    const { auth, ann, signedIn, session } = await openWithAnn('admin');
    await using _ = auth;
    const { id, email } = ann;
    const caller = { kind: 'account', id, role: 'admin', session, email } as const;
    expect(await identify(auth, signedIn.accessToken)).toEqual(caller);
  });

  test('a cached caller is returned without waiting', async () => {
    const { auth, ann, signedIn } = await openWithAnn();
    await using _ = auth;
    const caller = auth.authenticator.identify(`Bearer ${signedIn.accessToken}`);
    expect(caller).not.toBeInstanceOf(Promise);
    expect(caller).toMatchObject({ id: ann.id });
  });

  test('the signature is verified once, also when rights have changed since', async () => {
    const { auth, ann, signedIn } = await openWithAnn();
    await using _ = auth;
    let verified = 0;
    const verify = (token: string) => {
      verified++;
      return auth.accessTokens.verify(token);
    };
    const counting = { ...auth.accessTokens, verify };
    const onError = () => undefined;
    const authenticator = new BearerAuthenticator({
      ...auth,
      accessTokens: counting,
      knowsRole: isBuiltInRole,
      onError,
    });
    for (const role of ['editor', 'member', 'editor'] as const) {
      await changeAccount(auth, ann.id, { role });
      expect(await authenticator.identify(`Bearer ${signedIn.accessToken}`)).toMatchObject({ role });
    }
    expect(verified).toBe(1);
  });

  test('an expired token is rejected, cached or not', async () => {
    const { auth, signedIn } = await openWithAnn();
    await using _ = auth;
    auth.clock.now += accessTokenSeconds * 1000;
    const expired = { status: 401, code: 'token_expired' };
    await expect(identify(auth, signedIn.accessToken)).rejects.toMatchObject(expired);
    await expect(identify(auth, signedIn.accessToken)).rejects.toMatchObject(expired);
  });

  test('a signed token without a session, or with the wrong account, is rejected', async () => {
    const { auth, ann, session } = await openWithAnn();
    await using _ = auth;
    const other = await auth.account();
    const tokens = createAccessTokens(testSecret, auth.now);
    for (const token of [await tokens.issue(ann.id, 'no-such-session'), await tokens.issue(other.id, session)])
      await expect(identify(auth, token)).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
  });

  const ends: readonly (readonly [string, (auth: AuthServices, id: string, session: string) => Promise<unknown>])[] = [
    ['disabling the account', (auth, id) => changeAccount(auth, id, { disabled: true })],
    ['deleting the account', (auth, id) => removeAccount(auth, id)],
    ['setting another password', (auth, id) => changeAccount(auth, id, { password: 'another horse' })],
    [
      'changing the password',
      (auth, id, session) => changePassword(auth, { id, session }, { current: testPassword, next: 'another horse' }),
    ],
    ['signing out', (auth, _, session) => logout(auth, session)],
  ];

  test.each(ends)('%s rejects the token at the next request', async (_, end) => {
    const { auth, ann, signedIn, session } = await openWithAnn();
    await using _auth = auth;
    await end(auth, ann.id, session);
    await expect(identify(auth, signedIn.accessToken)).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
    await expect(refresh(auth, signedIn.refreshToken)).rejects.toMatchObject({ status: 401 });
  });

  test.each(ends)('%s in another process rejects the token at the next request', async (_, end) => {
    const { auth, ann, signedIn, session } = await openWithAnn();
    await using _auth = auth;
    await using other = await openOther(auth);
    expect(await identify(other, signedIn.accessToken)).toMatchObject({ id: ann.id });
    await end(other, ann.id, session);
    await expect(identify(auth, signedIn.accessToken)).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
  });

  test('an account that is enabled again does not get its old sessions back', async () => {
    const { auth, ann, signedIn } = await openWithAnn();
    await using _ = auth;
    await changeAccount(auth, ann.id, { disabled: true });
    await changeAccount(auth, ann.id, { disabled: false });
    await expect(identify(auth, signedIn.accessToken)).rejects.toMatchObject({ status: 401 });
    expect(await identify(auth, (await signIn(auth, ann.email)).accessToken)).toMatchObject({ id: ann.id });
  });

  test('an account that is disabled directly in the database is rejected', async () => {
    const { auth, ann, signedIn } = await openWithAnn();
    await using _ = auth;
    await auth.database.transaction(async (transaction) => {
      const disabled = auth.database.dialect.encode('boolean', true);
      await transaction.run(query('UPDATE recto_accounts SET disabled = ? WHERE id = ?', disabled, ann.id));
      transaction.touch(authGeneration);
    });
    await expect(identify(auth, signedIn.accessToken)).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
    await expect(refresh(auth, signedIn.refreshToken)).rejects.toMatchObject({ status: 401 });
  });

  test('a changed role, also by another process, holds from the next request on', async () => {
    const { auth, ann, signedIn } = await openWithAnn();
    await using _ = auth;
    await using other = await openOther(auth);
    await changeAccount(auth, ann.id, { role: 'editor' });
    expect(await identify(auth, signedIn.accessToken)).toMatchObject({ role: 'editor' });
    await changeAccount(other, ann.id, { role: 'admin' });
    expect(await identify(auth, signedIn.accessToken)).toMatchObject({ role: 'admin' });
  });

  test('what ends one session leaves the others', async () => {
    const { auth, ann, session } = await openWithAnn();
    await using _ = auth;
    const second = await signIn(auth, ann.email);
    await logout(auth, session);
    expect(await identify(auth, second.accessToken)).toMatchObject({ id: ann.id });
  });
});

describe('API tokens', () => {
  async function openWithToken(lifetime: number | null = null) {
    const auth = await openTestAuth();
    const expiresAt = lifetime === null ? null : auth.clock.now + lifetime;
    const made = { name: 'deploy', role: 'editor', createdBy: null, expiresAt } as const;
    return { auth, ...(await auth.apiTokens.create(auth.database, made, auth.clock.now)) };
  }

  const lastUsed = async (auth: TestAuth, id: string): Promise<string | null | undefined> => {
    // The background write was queued before this transaction.
    await auth.database.transaction(async () => undefined);
    return (await auth.apiTokens.byId(auth.database, id))?.lastUsedAt;
  };

  test('identify their id and role', async () => {
    const { auth, apiToken, secret } = await openWithToken();
    await using _ = auth;
    expect(secret).toMatch(/^recto_[\w-]{43}$/);
    for (let round = 0; round < 2; round++)
      expect(await identify(auth, secret)).toEqual({ kind: 'api_token', id: apiToken.id, role: 'editor' });
  });

  test('are stored by their hash alone', async () => {
    const { auth, secret } = await openWithToken();
    await using _ = auth;
    const rows = await auth.database.rows({ sql: 'SELECT * FROM recto_api_tokens', parameters: [] });
    expect(JSON.stringify(rows)).not.toContain(secret.slice('recto_'.length));
  });

  test('are rejected at once when they are deleted, by another process too', async () => {
    for (const elsewhere of [false, true]) {
      const { auth, apiToken, secret } = await openWithToken();
      await using _ = auth;
      await identify(auth, secret);
      await using other = await openOther(auth);
      await auth.apiTokens.remove(elsewhere ? other.database : auth.database, apiToken.id, { now: Date.now() });
      await expect(identify(auth, secret)).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
    }
  });

  test('run out', async () => {
    const { auth, secret } = await openWithToken(minute);
    await using _ = auth;
    auth.clock.now += minute - 1;
    expect(await identify(auth, secret)).toMatchObject({ role: 'editor' });
    auth.clock.now += 1;
    await expect(identify(auth, secret)).rejects.toMatchObject({ status: 401, code: 'token_expired' });
  });

  test('note their use once a minute', async () => {
    const { auth, apiToken, secret } = await openWithToken();
    await using _ = auth;
    const start = auth.clock.now;
    const at = (milliseconds: number) => new Date(start + milliseconds).toISOString();
    expect(await lastUsed(auth, apiToken.id)).toBeNull();
    for (const [milliseconds, noted] of [
      [0, at(0)],
      [minute - 1, at(0)],
      [minute, at(minute)],
      [2 * minute - 1, at(minute)],
      [3 * minute, at(3 * minute)],
    ] as const) {
      auth.clock.now = start + milliseconds;
      await identify(auth, secret);
      await becomes(() => lastUsed(auth, apiToken.id), noted);
    }
  });

  test('a process does not note a use that another has noted within the minute', async () => {
    const { auth, apiToken, secret } = await openWithToken();
    await using _ = auth;
    await using other = await openOther(auth);
    await identify(auth, secret);
    await becomes(() => lastUsed(auth, apiToken.id), '2026-11-21T10:00:00.000Z');
    await identify(other, secret);
    auth.clock.now += minute;
    await identify(auth, secret);
    const noted = await becomes(() => lastUsed(auth, apiToken.id), '2026-11-21T10:01:00.000Z');
    auth.clock.now += 1000;
    await identify(other, secret);
    await other.database.transaction(async () => undefined);
    expect(await lastUsed(auth, apiToken.id)).toBe(noted);
  });
});
