import { describe, expect, test } from 'bun:test';
import { becomes } from '../../../../../test/support/database/database.ts';
import { faultsOf, openAuthApi } from './auth-api.fixture.ts';

const root = '/api/v1/admin/api-tokens';

describe('/admin/api-tokens', () => {
  test('the token is shown once, works, and is rejected once it is deleted', async () => {
    await using api = await openAuthApi();
    const { token, id } = await api.signedIn('admin');
    const body = { name: ' deploy ', role: 'admin', expires_at: '2026-11-22T12:00:00+02:00' };
    const created = await api.call(`POST ${root}`, { token, body });
    expect(created.status).toBe(201);
    expect(created.headers.get('Cache-Control')).toBe('no-store');
    const { token: secret, ...shown } = created.body;
    expect(secret).toMatch(/^recto_[\w-]{43}$/);
    expect(shown).toEqual({
      scopes: null,
      id: expect.any(String),
      name: 'deploy',
      role: 'admin',
      tenant_id: null,
      created_by: id,
      created_at: '2026-11-21T10:00:00.000Z',
      expires_at: '2026-11-22T10:00:00.000Z',
      last_used_at: null,
    });
    const path = `${root}/${shown.id}`;
    expect(created.headers.get('Location')).toBe(path);
    expect(await api.call(`GET ${path}`, { token })).toMatchObject({ status: 200, body: shown });

    expect((await api.call(`GET ${root}`, { token: secret })).status).toBe(200);
    // Nobody waits for the note of the use.
    const used = async () => (await api.call(`GET ${path}`, { token })).body;
    await becomes(used, { ...shown, last_used_at: '2026-11-21T10:00:00.000Z' });

    expect(await api.call(`DELETE ${path}`, { token: secret })).toMatchObject({ status: 204, body: null });
    expect(await api.call(`GET ${root}`, { token: secret })).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    });
    for (const method of ['GET', 'DELETE']) expect((await api.call(`${method} ${path}`, { token })).status).toBe(404);
  });

  test('is a member that never expires unless it is said', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    const { body } = await api.call(`POST ${root}`, { token, body: { name: 'x' } });
    expect(body).toMatchObject({ role: 'member', expires_at: null });
    expect((await api.call(`GET ${root}`, { token: body.token })).status).toBe(403);
  });

  test('lists tokens by page, without secrets', async () => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    for (const name of ['a', 'b', 'c']) await api.call(`POST ${root}`, { token, body: { name } });
    const { status, body } = await api.call(`GET ${root}?page=2&page_size=2`, { token });
    expect([status, body.total, body.page, body.page_size]).toEqual([200, 3, 2, 2]);
    expect(body.items.map((item: { name: string }) => item.name)).toEqual(['c']);
    expect(JSON.stringify(body)).not.toContain('recto_');
  });

  test.each([
    ['nothing', {}, ['name: required']],
    ['an empty name', { name: '' }, ['name: too_short']],
    ['a blank name', { name: '  ' }, ['name: bad_format']],
    ['a name with a control character', { name: 'a\u0000' }, ['name: bad_format']],
    ['a name that is no Unicode', { name: 'a\ud800' }, ['name: bad_format']],
    ['an unknown role', { name: 'x', role: 'root' }, ['role: not_allowed']],
    ['an unknown field', { name: 'x', token: 'recto_mine' }, ['token: unknown_field']],
    ['no time', { name: 'x', expires_at: 'tomorrow' }, ['expires_at: bad_format']],
    ['a time without offset', { name: 'x', expires_at: '2030-01-01T00:00:00' }, ['expires_at: bad_format']],
    ['now', { name: '\n', expires_at: '2026-11-21T10:00:00Z' }, ['name: bad_format', 'expires_at: in_the_past']],
  ])('%s: 422', async (_, body, faults) => {
    await using api = await openAuthApi();
    const { token } = await api.signedIn('admin');
    const answer = await api.call(`POST ${root}`, { token, body });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual(faults);
  });
});
