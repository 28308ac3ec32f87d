import { describe, expect, test } from 'bun:test';
import { testPassword } from '../../../auth/auth.fixture.ts';
import { type AuthApi, openAuthApi } from '../auth-api.fixture.ts';

const own = '/api/v1/auth/me/sessions';

async function signIn(api: AuthApi, email: string): Promise<string> {
  const { body } = await api.call('POST /api/v1/auth/login', { body: { email, password: testPassword } });
  return body.access_token;
}

const idsOf = async (api: AuthApi, token: string): Promise<readonly string[]> =>
  (await api.call(`GET ${own}`, { token })).body.items.map(({ id }: { id: string }) => id);

describe('the own sessions', () => {
  test('are listed, the one that was used last first, and the asking one is marked', async () => {
    await using api = await openAuthApi();
    const { email, token: first } = await api.signedIn('member');
    api.auth.clock.now += 60_000;
    const login = await api.call('POST /api/v1/auth/login', {
      body: { email, password: testPassword },
      agent: 'Firefox <b>\u00e9\t 145',
    });
    const { body } = await api.call(`GET ${own}`, { token: first });
    expect(body.items).toMatchObject([
      {
        current: false,
        agent: 'Firefox <b> 145',
        created_at: '2026-11-21T10:01:00.000Z',
        used_at: '2026-11-21T10:01:00.000Z',
        expires_at: '2026-12-21T10:01:00.000Z',
      },
      { current: true, agent: null, created_at: '2026-11-21T10:00:00.000Z' },
    ]);
    api.auth.clock.now += 60_000;
    const { refresh_token } = login.body;
    await api.call('POST /api/v1/auth/refresh', { body: { refresh_token } });
    const renewed = (await api.call(`GET ${own}`, { token: first })).body.items[0];
    expect(renewed).toMatchObject({ created_at: '2026-11-21T10:01:00.000Z', used_at: '2026-11-21T10:02:00.000Z' });
  });

  test('end one by one, or all but the asking one, at once', async () => {
    await using api = await openAuthApi();
    const { email, token } = await api.signedIn('member');
    const [second, third] = [await signIn(api, email), await signIn(api, email)];
    const [id] = await idsOf(api, third);
    expect((await api.call(`DELETE ${own}/${id}`, { token })).status).toBe(204);
    const states = async () =>
      Promise.all([token, second, third].map(async (each) => (await api.call(`GET ${own}`, { token: each })).status));
    expect((await states()).toSorted()).toEqual([200, 200, 401]);
    expect((await api.call(`DELETE ${own}`, { token })).status).toBe(204);
    expect((await states()).toSorted()).toEqual([200, 401, 401]);
    expect(await idsOf(api, token)).toHaveLength(1);
    expect((await api.call(`DELETE ${own}/${id}`, { token })).status).toBe(404);
  });

  test('are those of nobody else', async () => {
    await using api = await openAuthApi();
    const [ann, ben] = [await api.signedIn('admin'), await api.signedIn('member')];
    const [id] = await idsOf(api, ann.token);
    expect((await api.call(`DELETE ${own}/${id}`, { token: ben.token })).status).toBe(404);
    expect((await api.call(`GET ${own}`)).status).toBe(401);
    expect((await api.call(`GET ${own}`, { token: ann.token })).body.items).toHaveLength(1);
  });

  test('are none of an API token', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    const made = await api.call('POST /api/v1/admin/api-tokens', { token, body: { name: 'x', role: 'admin' } });
    for (const line of [`GET ${own}`, `DELETE ${own}`]) {
      expect(await api.call(line, { token: made.body.token })).toMatchObject({
        status: 403,
        body: { code: 'not_an_account' },
      });
    }
  });
});

describe('the sessions of a user', () => {
  const path = (id: string) => `/api/v1/admin/users/${id}/sessions`;

  test('are listed and ended by admins', async () => {
    await using api = await openAuthApi();
    const [ann, ben] = [await api.signedIn('admin'), await api.signedIn('member')];
    await signIn(api, ben.email);
    const { body } = await api.call(`GET ${path(ben.id)}`, { token: ann.token });
    expect(body.items).toHaveLength(2);
    expect(body.items.map(({ current }: { current: boolean }) => current)).toEqual([false, false]);
    const foreign = (await idsOf(api, ann.token))[0];
    expect((await api.call(`DELETE ${path(ben.id)}/${foreign}`, { token: ann.token })).status).toBe(404);
    expect((await api.call(`DELETE ${path(ben.id)}/${body.items[0].id}`, { token: ann.token })).status).toBe(204);
    expect((await api.call(`GET ${path(ben.id)}`, { token: ann.token })).body.items).toHaveLength(1);
    expect((await api.call(`DELETE ${path(ben.id)}`, { token: ann.token })).status).toBe(204);
    expect((await api.call('GET /api/v1/auth/me', { token: ben.token })).status).toBe(401);
    expect((await api.call('GET /api/v1/auth/me', { token: ann.token })).status).toBe(200);
  });

  test('are for admins, and for those of a tenant its own alone', async () => {
    await using api = await openAuthApi();
    const { id, email } = await api.auth.account({ role: 'admin', tenant_id: 'north' });
    const north = await signIn(api, email);
    const [editor, other] = [await api.signedIn('editor'), await api.signedIn('member')];
    for (const line of ['GET', 'DELETE']) {
      expect((await api.call(`${line} ${path(other.id)}`, { token: editor.token })).status).toBe(403);
      expect((await api.call(`${line} ${path(other.id)}`, { token: north })).status).toBe(404);
    }
    expect((await api.call(`GET ${path(id)}`, { token: north })).body.items).toMatchObject([{ current: true }]);
    expect((await api.call('GET /api/v1/auth/me', { token: other.token })).status).toBe(200);
  });
});
