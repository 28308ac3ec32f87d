// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { testPassword } from '../../auth/auth.fixture.ts';
import { faultsOf, openAuthApi } from './auth-api.fixture.ts';

const root = '/api/v1/admin/users';

describe('/admin/users', () => {
  test.each([
    [`GET ${root}`, undefined],
    [`POST ${root}`, { email: 'x@example.org', password: 'long enough' }],
    [`GET ${root}/{id}`, undefined],
    [`PUT ${root}/{id}`, { role: 'admin' }],
    [`DELETE ${root}/{id}`, undefined],
    ['GET /api/v1/admin/api-tokens', undefined],
    ['POST /api/v1/admin/api-tokens', { name: 'x' }],
    ['GET /api/v1/admin/api-tokens/{id}', undefined],
    ['DELETE /api/v1/admin/api-tokens/{id}', undefined],
  ])('%s takes an admin', async (line, body) => {
    await using api = await openAuthApi();
    const target = await api.signedIn('member');
    const send = (token?: string) => api.call(line.replace('{id}', target.id), { token, body });
    expect((await send()).status).toBe(401);
    for (const role of ['member', 'editor'] as const)
      expect(await send((await api.signedIn(role)).token)).toMatchObject({
        status: 403,
        body: { code: 'insufficient_role' },
      });
  });

  test('an API token with the role admin may too', async () => {
    await using api = await openAuthApi();
    const made = { name: 'deploy', role: 'admin', createdBy: null, expiresAt: null } as const;
    const { secret } = await api.auth.apiTokens.create(api.auth.database, made, api.auth.now());
    expect((await api.call(`GET ${root}`, { token: secret })).status).toBe(200);
  });

  test('create, get, change, delete', async () => {
    await using api = await openAuthApi({ registrationOpen: false });
    const { token } = await api.signedIn('admin');
    const body = { email: 'Ann@example.org', password: 'long enough', role: 'editor' };
    const created = await api.call(`POST ${root}`, { token, body });
    expect(created).toMatchObject({ status: 201, body: { email: 'Ann@example.org', username: null, role: 'editor' } });
    const path = `${root}/${created.body.id}`;
    expect(created.headers.get('Location')).toBe(path);
    expect(await api.call(`GET ${path}`, { token })).toMatchObject({ status: 200, body: created.body });
    const changed = await api.call(`PUT ${path}`, {
      token,
      body: { ...created.body, role: 'member', username: 'ann' },
    });
    expect(changed).toMatchObject({ status: 200, body: { ...created.body, role: 'member', username: 'ann' } });
    expect(await api.call(`PATCH ${path}`, { token, body: { username: null } })).toMatchObject({
      status: 200,
      body: { username: null, role: 'member' },
    });
    expect(await api.call(`DELETE ${path}`, { token })).toMatchObject({ status: 204, body: null });
    for (const method of ['GET', 'DELETE'])
      expect(await api.call(`${method} ${path}`, { token })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    expect((await api.call(`PUT ${path}`, { token, body: { role: 'member' } })).status).toBe(404);
  });

  test('without a role a new user is a member', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    const body = { email: 'ann@example.org', password: 'long enough' };
    expect((await api.call(`POST ${root}`, { token, body })).body.role).toBe('member');
  });

  test.each([
    ['an unknown role', { role: 'root' }, ['role: not_allowed']],
    ['an unknown field', { password_hash: 'x' }, ['password_hash: unknown_field']],
    [
      'many errors',
      { email: 'TAKEN@example.org', disabled: 'yes', password: 'short' },
      ['disabled: wrong_type', 'email: taken', 'password: too_short'],
    ],
    ['null for an address', { email: null }, ['email: wrong_type']],
  ])('%s: 422', async (_, body, faults) => {
    await using api = await openAuthApi();
    await api.auth.account({ email: 'taken@example.org' });
    const { token, id } = await api.signedIn('admin');
    const answer = await api.call(`PUT ${root}/${id}`, { token, body });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer).toSorted()).toEqual(faults);
  });

  test('the last admin cannot be demoted, disabled or deleted', async () => {
    await using api = await openAuthApi();
    const { token, id } = await api.signedIn('admin');
    for (const [line, body] of [
      [`PUT ${root}/${id}`, { role: 'member' }],
      [`PUT ${root}/${id}`, { disabled: true }],
      [`DELETE ${root}/${id}`],
    ] as const)
      expect(await api.call(line, { token, body })).toMatchObject({ status: 409, body: { code: 'last_admin' } });
  });

  test('an admin of a tenant does not verify addresses, and loses the mark with another address', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    const tea = await api.signedIn('admin');
    await api.call(`PUT ${root}/${tea.id}`, { token, body: { tenant_id: 'acme' } });
    const body = { email: 'ann@acme.example', password: 'long enough', verified: true };
    const refused = await api.call(`POST ${root}`, { token: tea.token, body });
    expect([refused.status, faultsOf(refused)]).toEqual([422, ['verified: not_allowed']]);
    const ann = (await api.call(`POST ${root}`, { token, body: { ...body, tenant_id: 'acme' } })).body;
    expect(ann.verified).toBe(true);
    const path = `${root}/${ann.id}`;
    // What was read can be sent back.
    expect((await api.call(`PUT ${path}`, { token: tea.token, body: { ...ann, role: 'editor' } })).body.verified).toBe(
      true,
    );
    const moved = { ...ann, email: 'ceo@elsewhere.example' };
    expect((await api.call(`PUT ${path}`, { token: tea.token, body: moved })).body.verified).toBe(false);
    expect(faultsOf(await api.call(`PUT ${path}`, { token: tea.token, body: { verified: true } }))).toEqual([
      'verified: not_allowed',
    ]);
    expect((await api.call(`GET ${root}?filter=verified = true`, { token })).body.total).toBe(0);
  });

  test('an account that changes its address is not verified any more', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    const ben = await api.signedIn('member');
    await api.call(`PUT ${root}/${ben.id}`, { token, body: { verified: true } });
    const me = (body: object) => api.call('PUT /api/v1/auth/me', { token: ben.token, body });
    expect((await me({ username: 'ben' })).body.verified).toBe(true);
    expect(faultsOf(await me({ verified: true }))).toEqual(['verified: unknown_field']);
    const moved = await me({ email: 'other@example.org', current_password: testPassword });
    expect([moved.status, moved.body.verified]).toEqual([200, false]);
  });

  test('disabling, deleting, a new password and a new role take effect at the next request', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    for (const [method, body] of [
      ['PUT', { disabled: true }],
      ['PUT', { password: 'another horse' }],
      ['DELETE', undefined],
    ] as const) {
      const ann = await api.signedIn('member');
      expect((await api.call('GET /api/v1/auth/me', { token: ann.token })).status).toBe(200);
      await api.call(`${method} ${root}/${ann.id}`, { token, body });
      expect((await api.call('GET /api/v1/auth/me', { token: ann.token })).status).toBe(401);
      const credentials = { email: ann.email, password: testPassword };
      expect((await api.call('POST /api/v1/auth/login', { body: credentials })).status).toBe(401);
    }
    const ben = await api.signedIn('admin');
    await api.call(`PUT ${root}/${ben.id}`, { token, body: { role: 'editor' } });
    expect((await api.call(`GET ${root}`, { token: ben.token })).status).toBe(403);
    expect((await api.call('GET /api/v1/auth/me', { token: ben.token })).body.role).toBe('editor');
  });
});

describe('GET /admin/users', () => {
  async function openWithPeople() {
    const api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    for (let number = 1; number <= 60; number++)
      await api.auth.account({ email: `p${number}@list.example`, role: number % 2 === 0 ? 'editor' : 'member' });
    const list = (query: string) => api.call(`GET ${root}?${query}`, { token });
    return { api, list };
  }

  test('pages, filters and searches', async () => {
    const { api, list } = await openWithPeople();
    await using _ = api;
    for (const [query, total, size, page_size, page] of [
      ['', 61, 20, 20, 1],
      ['page=4', 61, 1, 20, 4],
      ['page=5', 61, 0, 20, 5],
      ['page=999999999999&page_size=50', 61, 0, 50, 999_999_999_999],
      ['page_size=1000', 61, 50, 50, 1],
      ['role=editor&page_size=50', 30, 30, 50, 1],
      ['role=admin', 1, 1, 20, 1],
      ['disabled=true', 0, 0, 20, 1],
      ['disabled=false&search=P6', 2, 2, 20, 1],
      ['search=', 61, 20, 20, 1],
    ] as const) {
      const { status, body } = await list(query);
      expect([query, status, body.total, body.items.length, body.page_size, body.page]).toEqual([
        query,
        200,
        total,
        size,
        page_size,
        page,
      ]);
    }
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`page=${page}`)));
    const emails = pages.flatMap(({ body }) => body.items.map((item: { email: string }) => item.email));
    expect(emails.slice(1)).toEqual(Array.from({ length: 60 }, (_, index) => `p${index + 1}@list.example`));
  });

  test.each([
    'page=0',
    'page=x',
    'page=999999999999999&page_size=50',
    'page_size=-1',
    'role=root',
    'disabled=1',
    'sort=email',
    'page=1&page=2',
    `search=${'a'.repeat(400)}`,
  ])('%s: 400', async (query) => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    expect((await api.call(`GET ${root}?${query}`, { token })).status).toBe(400);
  });

  test('never returns a hash', async () => {
    const { api, list } = await openWithPeople();
    await using _ = api;
    const { body } = await list('');
    expect(Object.keys(body.items[0])).toEqual([
      'id',
      'email',
      'username',
      'role',
      'disabled',
      'verified',
      'second_factor',
      'tenant_id',
      'display_name',
      'avatar',
      'bio',
      'website',
      'profile_public',
      'created_at',
      'updated_at',
    ]);
  });
});
