import { describe, expect, test } from 'bun:test';
import { testPassword } from '../../../auth/auth.fixture.ts';
import { faultsOf, openAuthApi } from '../auth-api.fixture.ts';

describe('/auth/me', () => {
  test('takes a token, and not an API token', async () => {
    await using api = await openAuthApi();
    const made = { name: 'deploy', role: 'admin', createdBy: null, expiresAt: null } as const;
    const { secret } = await api.auth.apiTokens.create(api.auth.database, made, api.auth.now());
    for (const [line, body] of [
      ['GET /api/v1/auth/me'],
      ['PUT /api/v1/auth/me', {}],
      ['PUT /api/v1/auth/me/password', { current_password: 'x', new_password: 'long enough' }],
      ['POST /api/v1/auth/logout'],
    ] as const) {
      expect(await api.call(line, { body })).toMatchObject({ status: 401, body: { code: 'authentication_required' } });
      expect(await api.call(line, { body, token: 'garbage' })).toMatchObject({
        status: 401,
        body: { code: 'invalid_token' },
      });
      expect(await api.call(line, { body, token: secret })).toMatchObject({
        status: 403,
        body: { code: 'not_an_account' },
      });
    }
  });

  test('changes the username without, the address with the current password', async () => {
    await using api = await openAuthApi();
    const { token, email } = await api.signedIn('member');
    const put = (body: object) => api.call('PUT /api/v1/auth/me', { token, body });
    expect(await put({ username: 'ann' })).toMatchObject({ status: 200, body: { username: 'ann', email } });
    expect(await put({ email })).toMatchObject({ status: 200, body: { username: 'ann', email } });
    expect(faultsOf(await put({ email: 'new@example.org' }))).toEqual(['current_password: required']);
    expect(faultsOf(await put({ email: 'new@example.org', current_password: 'wrong horse' }))).toEqual([
      'current_password: incorrect',
    ]);
    expect(await put({ email: 'new@example.org', current_password: testPassword, username: null })).toMatchObject({
      status: 200,
      body: { username: null, email: 'new@example.org' },
    });
    const credentials = { email: 'new@example.org', password: testPassword };
    expect((await api.call('POST /api/v1/auth/login', { body: credentials })).status).toBe(200);
    expect((await api.call('PATCH /api/v1/auth/me', { token, body: { username: 'ben' } })).status).toBe(200);
  });

  test('nobody gives themselves anything', async () => {
    await using api = await openAuthApi();
    const { token, id } = await api.signedIn('member');
    for (const gift of [{ role: 'admin' }, { disabled: false }, { id: 'x' }, { password: 'another horse' }]) {
      const answer = await api.call('PUT /api/v1/auth/me', { token, body: { username: 'ann', ...gift } });
      expect(faultsOf(answer)).toEqual([`${Object.keys(gift)[0]}: unknown_field`]);
    }
    expect(await api.auth.accounts.byId(api.auth.database, id)).toMatchObject({ role: 'member', username: null });
  });

  test('whether an address is taken is shown only to those who know the current password', async () => {
    await using api = await openAuthApi();
    await api.auth.account({ email: 'taken@example.org' });
    const { token } = await api.signedIn('member');
    const put = (body: object) =>
      api.call('PUT /api/v1/auth/me', { token, body: { email: 'taken@example.org', ...body } });
    expect(faultsOf(await put({}))).toEqual(['current_password: required']);
    expect(faultsOf(await put({ role: 'admin' }))).toEqual(['role: unknown_field']);
    expect(faultsOf(await put({ current_password: testPassword }))).toEqual(['email: taken']);
  });
});

describe('PUT /auth/me shows whether a username or an address is taken, a few times an hour', () => {
  const path = 'PUT /api/v1/auth/me';
  const name = (number: number) => ({ username: `name${number}` });

  test('to one account, from any address', async () => {
    await using api = await openAuthApi({ rateLimit: true });
    await api.auth.account({ username: 'name3' });
    const { token } = await api.signedIn('member');
    const probe = (number: number) => api.call(path, { token, body: name(number), address: `198.51.100.${number}` });
    const answers = [];
    for (let number = 0; number < 11; number++) answers.push(await probe(number));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 422, ...Array(6).fill(200), 429]);
    expect(Number(answers.at(-1)?.headers.get('Retry-After'))).toBeGreaterThan(0);
    // Answers that reveal nothing about others are not counted.
    expect((await api.call(path, { token, body: name(9) })).status).toBe(200);
    expect((await api.call(path, { token, body: { username: null } })).status).toBe(200);
  });

  test('to one account that changes its address each time', async () => {
    await using api = await openAuthApi({ rateLimit: true });
    const { token } = await api.signedIn('member');
    const statuses = [];
    for (let number = 0; number < 11; number++) {
      const body = { email: `ann${number}@example.org`, current_password: testPassword };
      statuses.push((await api.call(path, { token, body, address: `198.51.100.${number}` })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });

  test('to one address, for all of its accounts', async () => {
    await using api = await openAuthApi({ rateLimit: true });
    const tokens = [await api.signedIn('member'), await api.signedIn('member'), await api.signedIn('member')];
    const probe = (number: number) => {
      const { token } = tokens[number % 3] ?? { token: '' };
      return api.call(path, { token, body: name(number), address: '198.51.100.7' });
    };
    const statuses = [];
    for (let number = 0; number < 21; number++) statuses.push((await probe(number)).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });
});

describe('PUT /auth/me/password', () => {
  const path = 'PUT /api/v1/auth/me/password';

  test('ends all sessions and starts one', async () => {
    await using api = await openAuthApi();
    const ann = await api.signedIn('member');
    const other = await api.call('POST /api/v1/auth/login', { body: { email: ann.email, password: testPassword } });
    const body = { current_password: testPassword, new_password: 'another horse' };
    const answer = await api.call(path, { token: ann.token, body });
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', user: { id: ann.id } } });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    for (const token of [ann.token, other.body.access_token])
      expect((await api.call('GET /api/v1/auth/me', { token })).status).toBe(401);
    expect((await api.call('GET /api/v1/auth/me', { token: answer.body.access_token })).status).toBe(200);
    const signIn = (password: string) => api.call('POST /api/v1/auth/login', { body: { email: ann.email, password } });
    expect((await signIn(testPassword)).status).toBe(401);
    expect((await signIn('another horse')).status).toBe(200);
  });

  test('reports all errors at once, and leaves the sessions', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('member');
    const body = { current_password: 'wrong horse', new_password: 'é'.repeat(600) };
    const answer = await api.call(path, { token, body });
    expect(faultsOf(answer)).toEqual(['current_password: incorrect', 'new_password: too_long']);
    expect((await api.call('GET /api/v1/auth/me', { token })).status).toBe(200);
  });

  test('of two changes at once, one wins', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('member');
    const change = (next: string) =>
      api.call(path, { token, body: { current_password: testPassword, new_password: next } });
    const answers = await Promise.all(['first horse', 'second horse'].map(change));
    // The other one's password is no longer right or, where it came a moment later, its session has ended.
    expect([
      [200, 401],
      [200, 422],
    ]).toContainEqual(answers.map(({ status }) => status).toSorted());
    const won = answers.find(({ status }) => status === 200);
    expect((await api.call('GET /api/v1/auth/me', { token: won?.body.access_token })).status).toBe(200);
  });

  test('trying passwords with a stolen token is limited in rate', async () => {
    await using api = await openAuthApi({ rateLimit: true });
    const { token } = await api.signedIn('member');
    const guess = () =>
      api.call(path, { token, body: { current_password: 'wrong horse', new_password: 'another horse' } });
    const statuses = [];
    for (let number = 0; number < 10; number++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(9).fill(422), 429]);
  });
});
