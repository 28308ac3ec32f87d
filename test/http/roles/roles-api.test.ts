// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: ['ownable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'fee', field_type: 'integer', private: true },
  ],
};

const writer = {
  name: 'writer',
  label: 'Writer',
  types: { article: { list: true, get: true, update: 'created_by = @request.auth.id', write: { only: ['title'] } } },
};

async function open(roles: readonly unknown[] = [], definitions: readonly unknown[] = [article]) {
  const service = await TestService.open(definitions, { roles });
  await service.account('ada', 'admin');
  return service;
}

const root = '/api/v1/admin/roles';

describe('roles through the API', () => {
  test('are created, replaced and deleted, and hold from the next request on', async () => {
    await using service = await open();
    const other = await service.anotherApp();
    const created = await service.send(`POST ${root}`, { as: 'ada', body: writer });
    expect(created).toMatchObject({
      status: 201,
      json: {
        name: 'writer',
        label: 'Writer',
        base: 'member',
        source: 'api',
        file: null,
        revision: 1,
        definition: writer,
      },
    });
    expect(created.headers.get('location')).toBe(`${root}/writer`);
    const id = await service.account('ben');
    const given = await service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { role: 'writer' } });
    expect(given).toMatchObject({ status: 200, json: { role: 'writer' } });
    const allowed = async () =>
      (await service.send('GET /api/v1/auth/me/permissions', { as: 'ben', through: other })).json.types.article?.update;
    expect(await allowed()).toBe('some');
    const types = { article: { list: true, update: true } };
    const replaced = await service.send(`PUT ${root}/writer`, { as: 'ada', body: { types } });
    expect(replaced).toMatchObject({ status: 200, json: { revision: 2, definition: { name: 'writer', types } } });
    expect(await allowed()).toBe('all');
    expect(await service.send(`GET ${root}`, { as: 'ada', through: other })).toMatchObject({
      json: { total: 1, items: [{ name: 'writer', label: 'writer', revision: 2 }] },
    });
  });

  test('that somebody has cannot be deleted', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { as: 'ada', body: writer });
    const id = await service.account('ben', 'writer');
    const token = await service.send('POST /api/v1/admin/api-tokens', {
      as: 'ada',
      body: { name: 'site', role: 'writer' },
    });
    expect(token).toMatchObject({ status: 201, json: { role: 'writer' } });
    const refused = await service.send(`DELETE ${root}/writer`, { as: 'ada' });
    expect(refused).toMatchObject({ status: 409, json: { code: 'role_in_use' } });
    expect(refused.json.detail).toContain('1 account; 1 API token');
    await service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { role: 'member' } });
    await service.send(`DELETE /api/v1/admin/api-tokens/${token.json.id}`, { as: 'ada' });
    expect((await service.send(`DELETE ${root}/writer`, { as: 'ada' })).status).toBe(204);
    expect((await service.send(`GET ${root}/writer`, { as: 'ada' })).status).toBe(404);
  });

  test('that a rule names cannot be deleted', async () => {
    await using service = await open([], [article]);
    await service.send(`POST ${root}`, { as: 'ada', body: writer });
    const note = {
      singular: 'note',
      plural: 'notes',
      fields: [],
      api: { list: { access: 'member', filter: '@request.auth.role = "writer"' } },
    };
    const made = await service.send('POST /api/v1/admin/content-types', { as: 'ada', body: note });
    expect(made.status).toBe(201);
    const refused = await service.send(`DELETE ${root}/writer`, { as: 'ada' });
    expect(refused).toMatchObject({ status: 409, json: { code: 'role_in_use' } });
    expect(refused.json.detail).toContain('api.list.filter');
  });

  test('with errors are refused, all of them at once', async () => {
    await using service = await open();
    const body = {
      name: 'Writer',
      types: { articel: {}, article: { get: 'titel = "x"', read: { only: ['nothing'] } } },
    };
    const { status, json } = await service.send(`POST ${root}`, { as: 'ada', body });
    expect(status).toBe(422);
    expect(json.errors.map(({ field }: { field: string }) => field)).toEqual([
      'name',
      'types.articel',
      'types.article.get',
      'types.article.read.only[0]',
    ]);
    for (const name of ['admin', 'editor', 'member'])
      expect((await service.send(`POST ${root}`, { as: 'ada', body: { name } })).status).toBe(422);
    expect((await service.send(`GET ${root}`, { as: 'ada' })).json.total).toBe(0);
  });

  test('are limited to languages where there are some, and can have releases', async () => {
    await using service = await open();
    const body = { name: 'writer', types: { article: { get: true, languages: ['de'] } }, may: { releases: true } };
    const { status, json } = await service.send(`POST ${root}`, { as: 'ada', body });
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [
        {
          field: 'types.article.languages',
          code: 'invalid',
          message: expect.stringContaining('has no values by language'),
        },
      ],
    });
    const made = await service.send(`POST ${root}`, { as: 'ada', body: { name: 'writer', may: { releases: true } } });
    expect([made.status, made.json.definition?.may]).toEqual([201, { releases: true }]);
  });

  test('of files are read, and changed there', async () => {
    await using service = await open([writer]);
    expect(await service.send(`GET ${root}/writer`, { as: 'ada' })).toMatchObject({
      json: { source: 'file', file: 'roles/1', revision: null },
    });
    const problem = { status: 409, json: { code: 'belongs_to_deployment' } };
    expect(await service.send(`PUT ${root}/writer`, { as: 'ada', body: {} })).toMatchObject(problem);
    expect(await service.send(`DELETE ${root}/writer`, { as: 'ada' })).toMatchObject(problem);
    expect(await service.send(`POST ${root}`, { as: 'ada', body: { name: 'writer' } })).toMatchObject({ status: 422 });
  });

  test('are for admins without a tenant', async () => {
    await using service = await open([writer]);
    await service.account('eve', 'editor');
    await service.account('wim', 'writer');
    await service.account('tom', 'admin', 'acme');
    for (const as of ['eve', 'wim', 'tom'])
      for (const line of [`GET ${root}`, `POST ${root}`, `PUT ${root}/writer`, `DELETE ${root}/writer`])
        expect(
          (await service.send(line, { as, ...(line.startsWith('GET') ? {} : { body: { name: 'x' } }) })).status,
        ).toBe(403);
  });

  test('are in the event log', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { as: 'ada', body: writer });
    await service.send(`DELETE ${root}/writer`, { as: 'ada' });
    const { json } = await service.send('GET /api/v1/admin/events?type=role', { as: 'ada' });
    expect(json.items).toMatchObject([
      { type: 'recto:role', record: 'writer', action: 'delete', actor: { id: service.idOf('ada') } },
      { type: 'recto:role', record: 'writer', action: 'create' },
    ]);
  });
});

describe('content types and the roles that name them', () => {
  test('a field or type that a role names cannot be taken away', async () => {
    await using service = await open([], []);
    await service.send('POST /api/v1/admin/content-types', { as: 'ada', body: article });
    await service.send(`POST ${root}`, { as: 'ada', body: writer });
    const fields = [{ name: 'name', field_type: 'text' }];
    const changed = await service.send('PUT /api/v1/admin/content-types/article', {
      as: 'ada',
      body: { ...article, fields },
    });
    expect(changed).toMatchObject({ status: 422, json: { errors: [{ code: 'breaks_other_type' }] } });
    expect(changed.json.errors[0].message).toContain('the role "writer"');
    const removed = await service.send('DELETE /api/v1/admin/content-types/article', { as: 'ada' });
    expect(removed).toMatchObject({ status: 422, json: { errors: [{ code: 'breaks_other_type' }] } });
    expect((await service.send('GET /api/v1/admin/cms/articles', { as: 'ada' })).status).toBe(200);
  });
});

describe('a role that is gone', () => {
  test('gives no rights at all', async () => {
    await using service = await open();
    await service.account('ben', 'ghost');
    const refused = { status: 403, json: { code: 'unknown_role' } };
    for (const line of [
      'GET /api/v1/cms/articles',
      'GET /api/v1/auth/me/permissions',
      'GET /api/v1/admin/cms/articles',
    ])
      expect(await service.send(line, { as: 'ben' })).toMatchObject(refused);
    expect((await service.send('GET /api/v1/auth/me', { as: 'ben' })).json.role).toBe('ghost');
  });

  test('is not given to anybody', async () => {
    await using service = await open([writer]);
    const id = await service.account('ben');
    const given = await service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { role: 'writr' } });
    expect(given).toMatchObject({ status: 422, json: { errors: [{ field: 'role', code: 'not_allowed' }] } });
    const token = await service.send('POST /api/v1/admin/api-tokens', {
      as: 'ada',
      body: { name: 't', role: 'writr' },
    });
    expect(token).toMatchObject({ status: 422, json: { errors: [{ field: 'role' }] } });
    expect(
      (await service.send(`GET /api/v1/admin/users?filter=${encodeURIComponent('role = "writer"')}`, { as: 'ada' }))
        .status,
    ).toBe(200);
    expect(
      (await service.send(`GET /api/v1/admin/users?filter=${encodeURIComponent('role = "writr"')}`, { as: 'ada' }))
        .status,
    ).toBe(400);
  });
});

describe('permissions', () => {
  test('are those of the role', async () => {
    await using service = await open([writer]);
    await service.account('wim', 'writer');
    await service.account('eve', 'editor');
    await service.account('mia');
    const of = async (as: string) => (await service.send('GET /api/v1/auth/me/permissions', { as })).json;
    expect(await of('wim')).toEqual({
      role: 'writer',
      label: 'Writer',
      types: {
        article: {
          ...{ list: 'all', get: 'all', create: 'none', update: 'some', delete: 'none', publish: 'none' },
          read: ['id', 'title', 'created_by', 'updated_by'],
          write: ['title'],
        },
      },
      may: {
        media: 'none',
        comments: 'none',
        users: false,
        import: false,
        events: false,
        releases: false,
        share: true,
      },
    });
    expect(await of('mia')).toMatchObject({ role: 'member', types: {} });
    const editor = await of('eve');
    expect(editor).toMatchObject({
      may: { media: 'all', users: false, events: true },
      types: { article: { publish: 'all' } },
    });
    expect(editor.types.article.read).toContain('fee');
    expect(await of('ada')).toMatchObject({ may: { users: true, import: true } });
  });

  test('need an account or an API token', async () => {
    await using service = await open();
    expect((await service.send('GET /api/v1/auth/me/permissions')).status).toBe(401);
  });
});

describe('accounts managed by a role of one’s own', () => {
  const desk = { name: 'desk', may: { users: true } };

  test('are members and those of the role, and none above', async () => {
    await using service = await open([desk, writer]);
    await service.account('dee', 'desk');
    const member = await service.account('mia');
    const editor = await service.account('eve', 'editor');
    const send = (line: string, body?: object) => service.send(line, { as: 'dee', ...(body && { body }) });
    const user = (name: string, role?: string) => ({ email: `${name}@example.org`, password: 'correct horse', role });
    expect((await send('GET /api/v1/admin/users')).status).toBe(200);
    expect((await send('POST /api/v1/admin/users', user('new'))).status).toBe(201);
    expect((await send('POST /api/v1/admin/users', user('desk', 'desk'))).status).toBe(201);
    for (const role of ['admin', 'editor', 'writer'])
      expect(await send('POST /api/v1/admin/users', user(role, role))).toMatchObject({
        status: 422,
        json: { errors: [{ field: 'role', code: 'not_allowed' }] },
      });
    expect((await send(`PUT /api/v1/admin/users/${member}`, { display_name: 'Mia' })).status).toBe(200);
    expect((await send(`PUT /api/v1/admin/users/${member}`, { role: 'admin' })).status).toBe(422);
    for (const id of [editor, service.idOf('ada')]) {
      expect((await send(`PUT /api/v1/admin/users/${id}`, { password: 'another horse' })).status).toBe(403);
      expect((await send(`DELETE /api/v1/admin/users/${id}`)).status).toBe(403);
    }
    expect((await send(`DELETE /api/v1/admin/users/${member}`)).status).toBe(204);
    for (const line of [
      'GET /api/v1/admin/api-tokens',
      `DELETE /api/v1/admin/users/${editor}/second-factors`,
      `GET /api/v1/admin/users/${editor}/sessions`,
      'GET /api/v1/admin/webhooks',
      'GET /api/v1/admin/content-types',
      'GET /api/v1/admin/cms/articles',
      'GET /api/v1/admin/events',
    ])
      expect((await send(line)).status).toBe(403);
  });
});
