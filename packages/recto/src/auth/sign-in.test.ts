// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { changeAccount } from './accounts.ts';
import { cheapPasswords, openTestAuth, type TestAuth, testPassword } from './auth.fixture.ts';
import type { SignedIn } from './enter.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { refreshTokenLifetime } from './session-store.ts';
import { login, refresh, register } from './sign-in.ts';

const email = 'ann@example.org';
const signIn = (auth: TestAuth) => login(auth, { email, password: testPassword }, '192.0.2.1');
const works = async (auth: TestAuth, { accessToken }: SignedIn): Promise<boolean> =>
  Promise.resolve(auth.authenticator.identify(`Bearer ${accessToken}`)).then(
    () => true,
    () => false,
  );
const count = async (auth: TestAuth, table: string): Promise<number> =>
  (await auth.database.rows({ sql: `SELECT 1 FROM ${table}`, parameters: [] })).length;

const reused = { status: 401, code: 'refresh_token_reused' };
const invalidRefresh = { status: 401, code: 'invalid_refresh_token' };

describe('login', () => {
  /** The hashes that passwords were compared with. */
  function watched(): PasswordHasher & { readonly compared: (string | undefined)[] } {
    const passwords = cheapPasswords();
    const compared: (string | undefined)[] = [];
    const verify = (password: string, hash: string | undefined) => {
      compared.push(hash);
      return passwords.verify(password, hash);
    };
    return { ...passwords, verify, compared };
  }

  test('takes the address in any case', async () => {
    await using auth = await openTestAuth();
    const { id } = await auth.account({ email: 'Ann@Example.org' });
    const { account } = await login(auth, { email: ' ANN@EXAMPLE.ORG', password: testPassword }, '192.0.2.1');
    expect(account).toMatchObject({ id, email: 'Ann@Example.org' });
  });

  test('a wrong password, an unknown address, a disabled account and no address at all get the same response, after the same work', async () => {
    const passwords = watched();
    await using auth = await openTestAuth({ passwords });
    await auth.account({ email });
    const disabled = await auth.account({ email: 'disabled@example.org' });
    await changeAccount(auth, disabled.id, { disabled: true });
    const attempts = [
      { email, password: 'wrong horse' },
      { email: 'nobody@example.org', password: testPassword },
      { email: 'disabled@example.org', password: testPassword },
      { email: 'not an address \u0000', password: testPassword },
    ];
    const refusals = [];
    for (const attempt of attempts)
      refusals.push(await login(auth, attempt, '192.0.2.1').catch((error: unknown) => error));
    expect(refusals[0]).toMatchObject({ status: 401, code: 'invalid_credentials' });
    for (const refusal of refusals) expect(String(refusal)).toBe(String(refusals[0]));
    expect(passwords.compared.map((hash) => hash !== undefined)).toEqual([true, false, true, false]);
  });

  test('a password that is changed while it is compared does not open a session', async () => {
    const passwords = cheapPasswords();
    let meanwhile: () => Promise<unknown> = async () => undefined;
    const verify = async (password: string, hash: string | undefined) => {
      const matches = await passwords.verify(password, hash);
      await meanwhile();
      return matches;
    };
    await using auth = await openTestAuth({ passwords: { ...passwords, verify } });
    const { id } = await auth.account({ email });
    for (const change of [{ password: 'another horse' }, { password: testPassword }, { disabled: true }]) {
      meanwhile = () => changeAccount(auth, id, change);
      await expect(signIn(auth)).rejects.toMatchObject({ status: 401, code: 'invalid_credentials' });
    }
    expect(await count(auth, 'recto_sessions')).toBe(0);
  });

  test('is limited in rate for each account, right password or not', async () => {
    await using auth = await openTestAuth({ rateLimit: true });
    await auth.account({ email });
    for (let attempt = 0; attempt < 10; attempt++)
      await login(auth, { email, password: 'wrong horse' }, `192.0.2.${attempt}`).catch(() => undefined);
    const spelled = { email: 'ANN@example.org', password: testPassword };
    await expect(login(auth, spelled, '192.0.2.99')).rejects.toMatchObject({ status: 429 });
  });

  test('sweeps the sessions of the account away that have run out', async () => {
    await using auth = await openTestAuth();
    await auth.account({ email });
    await signIn(auth);
    auth.clock.now += refreshTokenLifetime;
    await signIn(auth);
    expect(await count(auth, 'recto_sessions')).toBe(1);
    expect(await count(auth, 'recto_refresh_tokens')).toBe(1);
  });
});

describe('register', () => {
  test('of twenty who register one address at once, one gets it', async () => {
    await using auth = await openTestAuth();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        register(auth, { email: number % 2 === 0 ? email : 'ANN@EXAMPLE.org', password: testPassword }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ status: 422, errors: [{ field: 'email', code: 'taken' }] });
    expect(await count(auth, 'recto_accounts')).toBe(1);
    expect(await count(auth, 'recto_sessions')).toBe(1);
  });

  test('of twenty who register one username at once, one gets it', async () => {
    await using auth = await openTestAuth();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        register(auth, {
          email: `a${number}@example.org`,
          password: testPassword,
          username: number % 2 ? 'ann' : 'Ann',
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ status: 422, errors: [{ field: 'username', code: 'taken' }] });
  });

  test('many without a username do not stand in each other’s way', async () => {
    await using auth = await openTestAuth();
    await register(auth, { email, password: testPassword });
    await register(auth, { email: 'ben@example.org', password: testPassword, username: null });
    expect(await count(auth, 'recto_accounts')).toBe(2);
  });

  test('reports all errors at once', async () => {
    await using auth = await openTestAuth();
    await auth.account({ email, username: 'ann' });
    await expect(register(auth, { email, password: 'short', username: 'ANN' })).rejects.toMatchObject({
      status: 422,
      errors: [
        { field: 'password', code: 'too_short' },
        { field: 'email', code: 'taken' },
        { field: 'username', code: 'taken' },
      ],
    });
  });
});

describe('refresh', () => {
  async function openSignedIn() {
    const auth = await openTestAuth();
    await auth.account({ email });
    return { auth, first: await signIn(auth) };
  }

  test('gives a new pair of the same session, again and again', async () => {
    const { auth, first } = await openSignedIn();
    await using _ = auth;
    let pair = first;
    for (let round = 0; round < 5; round++) {
      const next = await refresh(auth, pair.refreshToken);
      expect(next.refreshToken).not.toBe(pair.refreshToken);
      expect(next.refreshToken).toMatch(/^rrt_[\w-]{43}$/);
      expect(await works(auth, next)).toBe(true);
      pair = next;
    }
    expect(await count(auth, 'recto_sessions')).toBe(1);
  });

  test('a used token ends its entire family, and no other', async () => {
    const { auth, first } = await openSignedIn();
    await using _ = auth;
    const other = await signIn(auth);
    const second = await refresh(auth, first.refreshToken);
    const third = await refresh(auth, second.refreshToken);
    await expect(refresh(auth, first.refreshToken)).rejects.toMatchObject(reused);
    expect(await works(auth, third)).toBe(false);
    expect(await works(auth, first)).toBe(false);
    await expect(refresh(auth, third.refreshToken)).rejects.toMatchObject(invalidRefresh);
    expect(await works(auth, other)).toBe(true);
    expect(await works(auth, await refresh(auth, other.refreshToken))).toBe(true);
  });

  test('of twenty who use one token at once, one wins; the family ends', async () => {
    const { auth, first } = await openSignedIn();
    await using _ = auth;
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => refresh(auth, first.refreshToken)));
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
    expect(won.length).toBe(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(reused);
    expect(await Promise.all(won.map((pair) => works(auth, pair)))).toEqual([false]);
  });

  test('tokens are stored by their hash alone', async () => {
    const { auth, first } = await openSignedIn();
    await using _ = auth;
    const rows = await auth.database.rows({ sql: 'SELECT * FROM recto_refresh_tokens', parameters: [] });
    expect(rows.length).toBe(1);
    expect(JSON.stringify(rows)).not.toContain(first.refreshToken.slice('rrt_'.length));
  });

  test('a token runs out after thirty days without use; each use begins them anew', async () => {
    const { auth, first } = await openSignedIn();
    await using _ = auth;
    auth.clock.now += refreshTokenLifetime - 1;
    const second = await refresh(auth, first.refreshToken);
    expect(await works(auth, second)).toBe(true);
    auth.clock.now += refreshTokenLifetime - 1;
    const third = await refresh(auth, second.refreshToken);
    expect(await count(auth, 'recto_refresh_tokens')).toBe(2);
    auth.clock.now += refreshTokenLifetime;
    await expect(refresh(auth, third.refreshToken)).rejects.toMatchObject(invalidRefresh);
  });

  test.each(['', 'garbage', 'rrt_', `rrt_${'A'.repeat(43)}`, '\u0000', 'a'.repeat(10_000)])(
    'rejects %j',
    async (token) => {
      await using auth = await openTestAuth();
      await expect(refresh(auth, token)).rejects.toMatchObject(invalidRefresh);
    },
  );

  test('an access token is no refresh token', async () => {
    const { auth, first } = await openSignedIn();
    await using _ = auth;
    await expect(refresh(auth, first.accessToken)).rejects.toMatchObject(invalidRefresh);
  });
});
