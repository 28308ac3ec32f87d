import { describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: ['ownable'],
  fields: [{ name: 'title', field_type: 'text' }],
  api: {
    list: { filter: 'title = "open"', filter_auth: '@request.auth.role = "editor"' },
    create: { access: 'member' },
  },
};

const vault = {
  singular: 'vault',
  plural: 'vaults',
  fields: [{ name: 'key', field_type: 'text' }],
  api: { get: { access: 'admin' }, list: { access: 'admin' } },
};

async function open() {
  const service = await TestService.open([article, vault], {
    roles: [{ name: 'desk', may: { users: true, events: true } }],
  });
  await service.account('ada', 'admin');
  const token = async (role: string, scopes: readonly string[] | null) => {
    const body = { name: 'a program', role, scopes };
    const made = await service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body });
    expect(made.status).toBe(201);
    return made.json;
  };
  const send = (secret: string, line: string, body?: object) =>
    service.send(line, { headers: { Authorization: `Bearer ${secret}` }, ...(body && { body }) });
  return { service, token, send, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const outOfScope = { status: 403, json: { code: 'insufficient_scope' } };

describe('the scopes of API tokens', () => {
  test('are shown as they were sent, in order', async () => {
    await using world = await open();
    const made = await world.token('editor', ['events:read', 'articles:write', 'articles:write'].slice(0, 2));
    expect(made.scopes).toEqual(['articles:write', 'events:read']);
    const read = await world.service.send(`GET /api/v1/admin/api-tokens/${made.id}`, { as: 'ada' });
    expect(read.json.scopes).toEqual(['articles:write', 'events:read']);
    expect((await world.token('editor', null)).scopes).toBeNull();
  });

  test('leave a token its name, for those who may know it', async () => {
    await using world = await open();
    const { service } = world;
    await service.account('edith', 'editor');
    await service.account('tess', 'editor', 'acme');
    await service.account('mia');
    const { id } = await world.token('editor', ['articles:write']);
    const name = async (as: string) => {
      const { status, json } = await service.send(`GET /api/v1/admin/people/${id}`, { as });
      return status === 200 ? json : status;
    };
    expect(await name('edith')).toEqual({ id, kind: 'token', name: 'a program' });
    expect([await name('tess'), await name('mia')]).toEqual([404, 403]);
    const account = await service.send(`GET /api/v1/admin/people/${service.idOf('mia')}`, { as: 'edith' });
    expect(account.json.kind).toBe('account');
  });

  test('that there are not are refused', async () => {
    await using world = await open();
    const scopes = ['articels:read', 'articles:delete', 'articles'];
    const body = { name: 'x', role: 'editor', scopes };
    const refused = await world.service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body });
    expect(refused.status).toBe(422);
    expect(refused.json.errors.map(({ field }: { field: string }) => field)).toEqual([
      'scopes[0]',
      'scopes[1]',
      'scopes[2]',
    ]);
    expect(refused.json.errors[0].message).toContain('Did you mean "articles"?');
    const none = await world.service.send('POST /api/v1/admin/api-tokens', {
      as: 'ada',
      body: { ...body, scopes: [] },
    });
    expect(none).toMatchObject({ status: 422, json: { errors: [{ field: 'scopes' }] } });
  });

  test('narrow rights that belong to no type', async () => {
    await using world = await open();
    const reader = (await world.token('admin', ['users:read'])).token;
    const writer = (await world.token('desk', ['users:write'])).token;
    const user = { email: 'new@example.org', password: 'correct horse' };
    expect((await world.send(reader, 'GET /api/v1/admin/users')).status).toBe(200);
    expect(await world.send(reader, 'POST /api/v1/admin/users', user)).toMatchObject(outOfScope);
    expect((await world.send(writer, 'POST /api/v1/admin/users', user)).status).toBe(201);
    for (const secret of [reader, writer])
      for (const line of [
        'GET /api/v1/admin/events',
        'GET /api/v1/admin/api-tokens',
        'POST /api/v1/admin/api-tokens',
        'GET /api/v1/admin/webhooks',
        'GET /api/v1/admin/roles',
        'GET /api/v1/admin/cms/articles',
        'POST /api/v1/events/ticket',
      ])
        expect(await world.send(secret, line)).toMatchObject(outOfScope);
  });

  test('leave what everyone sees, and nothing more, on other routes', async () => {
    await using world = await open();
    for (const title of ['open', 'closed'])
      await world.service.send('POST /api/v1/admin/cms/articles', { as: 'ada', body: { title } });
    const total = async (secret: string) => (await world.send(secret, 'GET /api/v1/cms/articles')).json.total;
    expect(await total((await world.token('editor', null)).token)).toBe(2);
    const narrow = (await world.token('editor', ['articles:read'])).token;
    expect(await total(narrow)).toBe(1);
    expect(await world.send(narrow, 'POST /api/v1/cms/articles', { title: 'x' })).toMatchObject(outOfScope);
  });

  test('leave no rights to streams of what everyone does not see', async () => {
    await using world = await open();
    const [whole, narrow] = [await world.token('admin', null), await world.token('admin', ['*:write', 'events:read'])];
    const stream = 'GET /api/v1/events?types=vaults';
    expect((await world.send(whole.token, stream)).status).toBe(200);
    expect((await world.send(narrow.token, stream)).status).toBe(401);
  });

  test('end at the rules and the history of content types, and at types that they do not name', async () => {
    await using world = await open();
    const { token } = await world.token('admin', ['articles:read']);
    const { json } = await world.send(token, 'GET /api/v1/admin/content-types');
    expect(json.items.map(({ singular }: { singular: string }) => singular)).toEqual(['article']);
    expect(json.items[0].definition).not.toHaveProperty('api');
    expect(json.items[0].may).toMatchObject({ create: false, update: false, delete: false, define: false });
    expect((await world.send(token, 'GET /api/v1/admin/content-types/vault')).status).toBe(404);
  });

  test('give no account more rights than they leave', async () => {
    await using world = await open();
    const { token } = await world.token('admin', ['users:write']);
    const edith = await world.service.account('edith', 'editor');
    const user = { email: 'new@example.org', password: 'correct horse' };
    for (const role of ['admin', 'editor', 'desk'])
      expect(await world.send(token, 'POST /api/v1/admin/users', { ...user, role })).toMatchObject({
        status: 422,
        json: { errors: [{ field: 'role', code: 'not_allowed' }] },
      });
    for (const change of [{ password: 'another horse' }, { role: 'member' }])
      expect(await world.send(token, `PUT /api/v1/admin/users/${edith}`, change)).toMatchObject({ status: 403 });
    expect(await world.send(token, `DELETE /api/v1/admin/users/${edith}`)).toMatchObject({ status: 403 });
    expect((await world.send(token, 'POST /api/v1/admin/users', { ...user, role: 'member' })).status).toBe(201);
  });

  test('narrow permissions', async () => {
    await using world = await open();
    const { token } = await world.token('admin', ['articles:read']);
    const { json } = await world.send(token, 'GET /api/v1/auth/me/permissions');
    expect(json.may).toEqual({
      media: 'none',
      comments: 'none',
      users: false,
      import: false,
      events: false,
      releases: false,
      share: false,
    });
    expect(json.types).toEqual({
      article: {
        ...{ list: 'all', get: 'all', create: 'none', update: 'none', delete: 'none', publish: 'none' },
        read: ['id', 'title', 'created_by', 'updated_by'],
        write: [],
      },
    });
  });
});
