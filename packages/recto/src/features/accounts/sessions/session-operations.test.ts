// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { testPassword } from '../../../auth/auth.fixture.ts';
import { faultsOf, openAuthApi } from '../auth-api.fixture.ts';

const email = 'ann@example.org';
const password = testPassword;
const registration = { email, password };

describe('POST /auth/register', () => {
  test('makes a member and signs it in', async () => {
    await using api = await openAuthApi();
    const answer = await api.call('POST /api/v1/auth/register', { body: { ...registration, username: 'Ann' } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('Location')).toBe('/api/v1/auth/me');
    const time = '2026-11-21T10:00:00.000Z';
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^rrt_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 900,
      user: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email,
        username: 'Ann',
        role: 'member',
        disabled: false,
        verified: false,
        second_factor: false,
        tenant_id: null,
        display_name: null,
        avatar: null,
        bio: null,
        website: null,
        profile_public: false,
        created_at: time,
        updated_at: time,
      },
    });
    const me = await api.call('GET /api/v1/auth/me', { token: answer.body.access_token });
    expect(me.body).toEqual(answer.body.user);
  });

  test.each([
    ['nothing', {}, ['email: required', 'password: required']],
    ['a role', { ...registration, role: 'admin' }, ['role: unknown_field']],
    [
      'fields of an account',
      { ...registration, id: 'x', disabled: false },
      ['id: unknown_field', 'disabled: unknown_field'],
    ],
    ['no address', { email: 'ann', password }, ['email: bad_format']],
    ['a short password', { email, password: 'seven77' }, ['password: too_short']],
    ['a password of too many bytes', { email, password: 'é'.repeat(513) }, ['password: too_long']],
    ['a bad username', { ...registration, username: 'a b' }, ['username: bad_format']],
    [
      'an account that looks like another',
      { email: 'ta\u034fken@example.org', password, username: 'an\u{e0101}n' },
      ['email: bad_format', 'username: bad_format'],
    ],
    ['values of other types', { email: 7, password: null }, ['email: wrong_type', 'password: wrong_type']],
    [
      'many errors of all kinds',
      { email: 'TAKEN@example.org', password: 'short', username: 'a b', role: 'admin' },
      ['password: too_short', 'role: unknown_field', 'username: bad_format', 'email: taken'],
    ],
  ])('%s: 422', async (_, body, faults) => {
    await using api = await openAuthApi();
    await api.auth.account({ email: 'taken@example.org' });
    const answer = await api.call('POST /api/v1/auth/register', { body });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer).toSorted()).toEqual(faults.toSorted());
  });

  test('closed: 403, whatever the body', async () => {
    await using api = await openAuthApi({ registrationOpen: false });
    for (const body of [registration, {}]) {
      const answer = await api.call('POST /api/v1/auth/register', { body });
      expect(answer).toMatchObject({ status: 403, body: { code: 'registration_closed' } });
    }
  });

  test('is limited in rate for each address, errors included', async () => {
    await using api = await openAuthApi({ rateLimit: true });
    for (let attempt = 0; attempt < 20; attempt++) {
      const answer = await api.call('POST /api/v1/auth/register', { body: {} });
      expect(answer.status).toBe(422);
    }
    const limited = await api.call('POST /api/v1/auth/register', { body: registration });
    expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
    const elsewhere = await api.call('POST /api/v1/auth/register', { body: registration, address: '192.0.2.2' });
    expect(elsewhere.status).toBe(201);
  });
});

describe('POST /auth/login', () => {
  test('signs in, and is not stored', async () => {
    await using api = await openAuthApi();
    const { id } = await api.auth.account({ email });
    const answer = await api.call('POST /api/v1/auth/login', { body: { email: 'ANN@example.org', password } });
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', user: { id } } });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(JSON.stringify(answer.body)).not.toContain('argon2');
  });

  test.each([
    ['a wrong password', { email, password: 'wrong horse' }],
    ['an unknown address', { email: 'nobody@example.org', password }],
    ['no address at all', { email: "' OR 1=1 --", password }],
    ['no password', { email, password: '' }],
  ])('%s: the same 401', async (_, body) => {
    await using api = await openAuthApi();
    await api.auth.account({ email });
    const answer = await api.call('POST /api/v1/auth/login', { body });
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials', detail: 'The email address or the password is wrong.' },
    });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  test('what is missing: 422; too many attempts: 429', async () => {
    await using api = await openAuthApi({ rateLimit: true });
    expect(faultsOf(await api.call('POST /api/v1/auth/login', { body: { email } }))).toEqual(['password: required']);
    const attempt = () => api.call('POST /api/v1/auth/login', { body: { email, password } });
    const statuses = [];
    for (let number = 0; number < 12; number++) statuses.push((await attempt()).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await attempt()).headers.get('Retry-After')).toMatch(/^\d+$/);
  });
});

describe('POST /auth/refresh', () => {
  test('gives the next pair; the used token ends the session', async () => {
    await using api = await openAuthApi();
    const { refreshToken, token } = await api.signedIn('member');
    const refresh = (refresh_token: string) => api.call('POST /api/v1/auth/refresh', { body: { refresh_token } });
    const next = await refresh(refreshToken);
    expect(next).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900 } });
    expect(next.headers.get('Cache-Control')).toBe('no-store');
    expect((await api.call('GET /api/v1/auth/me', { token })).status).toBe(200);
    const again = await refresh(refreshToken);
    expect(again).toMatchObject({ status: 401, body: { code: 'refresh_token_reused' } });
    expect(JSON.stringify(again.body)).not.toContain(refreshToken);
    for (const accessToken of [token, next.body.access_token])
      expect((await api.call('GET /api/v1/auth/me', { token: accessToken })).status).toBe(401);
    expect(await refresh(next.body.refresh_token)).toMatchObject({
      status: 401,
      body: { code: 'invalid_refresh_token' },
    });
  });

  test('returns the role that the account has now', async () => {
    await using api = await openAuthApi();
    const admin = await api.signedIn('admin');
    const ann = await api.signedIn('member');
    await api.call(`PUT /api/v1/admin/users/${ann.id}`, { token: admin.token, body: { role: 'editor' } });
    const next = await api.call('POST /api/v1/auth/refresh', { body: { refresh_token: ann.refreshToken } });
    expect(next).toMatchObject({ status: 200, body: { user: { role: 'editor' } } });
  });
});

describe('POST /auth/logout', () => {
  test('ends this session, at once', async () => {
    await using api = await openAuthApi();
    const { token, refreshToken, email: mine } = await api.signedIn('member');
    const other = await api.call('POST /api/v1/auth/login', { body: { email: mine, password } });
    expect(await api.call('POST /api/v1/auth/logout', { token })).toMatchObject({ status: 204, body: null });
    expect((await api.call('GET /api/v1/auth/me', { token })).status).toBe(401);
    expect((await api.call('POST /api/v1/auth/logout', { token })).status).toBe(401);
    expect((await api.call('POST /api/v1/auth/refresh', { body: { refresh_token: refreshToken } })).status).toBe(401);
    expect((await api.call('GET /api/v1/auth/me', { token: other.body.access_token })).status).toBe(200);
  });

  test('takes a token', async () => {
    await using api = await openAuthApi();
    expect((await api.call('POST /api/v1/auth/logout')).status).toBe(401);
  });
});

describe('a session in a cookie', () => {
  const session = 'cookie';
  const attributes = 'Max-Age=2592000; Path=/api/v1/auth/refresh; HttpOnly; SameSite=Strict';
  const cookieOf = (answer: { readonly headers: Headers }): string => answer.headers.get('set-cookie') ?? '';
  const sent = (answer: { readonly headers: Headers }): string => `other=1; ${cookieOf(answer).split(';')[0]}`;

  test('keeps the refresh token from scripts, from signing in to signing out', async () => {
    await using api = await openAuthApi();
    const { email: mine } = await api.signedIn('member');
    const login = await api.call('POST /api/v1/auth/login', { body: { email: mine, password, session } });
    expect(cookieOf(login)).toMatch(new RegExp(`^recto_refresh=rrt_[\\w-]{43}; ${attributes}$`));
    expect(login.body).not.toHaveProperty('refresh_token');
    const next = await api.call('POST /api/v1/auth/refresh', { body: { session }, cookie: sent(login) });
    expect(next).toMatchObject({ status: 200, body: { user: { email: mine } } });
    expect(next.body).not.toHaveProperty('refresh_token');
    expect(cookieOf(next)).not.toBe(cookieOf(login));
    const token = next.body.access_token;
    const changed = await api.call('PUT /api/v1/auth/me/password', {
      token,
      body: { current_password: password, new_password: 'another one', session },
    });
    expect(changed.body).not.toHaveProperty('refresh_token');
    const again = await api.call('POST /api/v1/auth/refresh', { body: { session }, cookie: sent(changed) });
    const left = await api.call('POST /api/v1/auth/logout', { token: again.body.access_token });
    expect(cookieOf(left)).toBe('recto_refresh=; Max-Age=0; Path=/api/v1/auth/refresh; HttpOnly; SameSite=Strict');
    expect((await api.call('POST /api/v1/auth/refresh', { body: { session }, cookie: sent(again) })).status).toBe(401);
  });

  test('is sent over HTTPS alone where the service is reached over HTTPS', async () => {
    await using api = await openAuthApi();
    const body = { email: 'new@example.org', password, session };
    const registered = await api.call('POST /api/v1/auth/register', { body, origin: 'https://recto.test' });
    expect(registered.status).toBe(201);
    expect(cookieOf(registered)).toEndWith('; HttpOnly; Secure; SameSite=Strict');
    // Behind a proxy that speaks HTTPS and is not trusted.
    const signedIn = await api.call('POST /api/v1/auth/login', { body, page: 'https://recto.test' });
    expect(cookieOf(signedIn)).toEndWith('; HttpOnly; Secure; SameSite=Strict');
    const plain = await api.call('POST /api/v1/auth/login', { body, page: 'http://recto.test' });
    expect(cookieOf(plain)).toEndWith('; HttpOnly; SameSite=Strict');
  });

  test('is read only where it is asked for, and never made for those who did not', async () => {
    await using api = await openAuthApi();
    const { email: mine } = await api.signedIn('member');
    const login = await api.call('POST /api/v1/auth/login', { body: { email: mine, password, session } });
    const refresh = (body: object, cookie?: string) =>
      api.call('POST /api/v1/auth/refresh', { body, ...(cookie === undefined ? {} : { cookie }) });
    expect(faultsOf(await refresh({}, sent(login)))).toEqual(['refresh_token: required']);
    expect(await refresh({ session })).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
    expect(faultsOf(await refresh({ session: 'storage' }))).toEqual(['session: not_allowed']);
    const plain = await api.call('POST /api/v1/auth/login', { body: { email: mine, password } });
    expect(plain.headers.has('set-cookie')).toBe(false);
  });
});
