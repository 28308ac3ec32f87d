// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'open', field_type: 'boolean' },
    { name: 'fee', field_type: 'integer' },
  ],
};
const note = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'text', field_type: 'text' }],
  api: { get: { access: 'admin' } },
};
const writer = {
  name: 'writer',
  types: { article: { list: 'open = true', get: 'open = true', create: true, read: { except: ['fee'] } } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([article, note], { roles: [writer], builtIn: true });
  await service.account('ada', 'admin');
  await service.account('edith', 'editor');
  await service.account('will', 'writer');
  await service.seed('articles', { title: 'Shown', open: true, fee: 5 });
  await service.seed('articles', { title: 'Hidden', open: false, fee: 7 });
});
afterAll(() => service[Symbol.asyncDispose]());

const articles = '/api/v1/admin/cms/articles';
const as = (role: string) => ({ 'Recto-View-As': role });

test('an admin reads what a role reads', async () => {
  const own = await service.send(`GET ${articles}`, { as: 'will' });
  const viewed = await service.send(`GET ${articles}`, { as: 'ada', headers: as('writer') });
  expect(own.json).toMatchObject({ total: 1, items: [{ title: 'Shown' }] });
  expect(own.json.items[0]).not.toHaveProperty('fee');
  expect(viewed.json).toEqual(own.json);
  for (const path of ['/api/v1/auth/me/permissions', '/api/v1/admin/content-types']) {
    const [mine, seen] = [
      await service.send(`GET ${path}`, { as: 'will' }),
      await service.send(`GET ${path}`, { as: 'ada', headers: as('writer') }),
    ];
    expect([path, seen.status, seen.json]).toEqual([path, mine.status, mine.json]);
  }
  expect(await service.send('GET /api/v1/admin/cms/notes', { as: 'ada', headers: as('writer') })).toMatchObject({
    status: 403,
  });
});

test('nothing is changed as another role', async () => {
  const sent = await service.send(`POST ${articles}`, { as: 'ada', headers: as('writer'), body: { title: 'New' } });
  expect(sent).toMatchObject({ status: 403, json: { code: 'read_only' } });
  expect((await service.send(`GET ${articles}`, { as: 'ada' })).json.total).toBe(2);
});

test('a stream is that of the role', async () => {
  const stream = 'GET /api/v1/events?types=notes';
  expect((await service.send(stream, { as: 'ada' })).status).toBe(200);
  expect((await service.send(stream, { as: 'ada', headers: as('writer') })).status).toBe(403);
  expect((await service.send(stream, { as: 'will' })).status).toBe(403);
});

test('no upload is completed as another role', async () => {
  const headers = { ...as('writer'), 'Tus-Resumable': '1.0.0' };
  expect((await service.send('HEAD /api/v1/media/uploads/one', { as: 'ada', headers })).status).toBe(403);
  const { status } = await service.send('HEAD /api/v1/media/uploads/one', {
    as: 'ada',
    headers: { 'Tus-Resumable': '1.0.0' },
  });
  expect(status).toBe(404);
});

test('only admins do that, and a role that there is not sees nothing', async () => {
  for (const name of ['edith', 'will']) {
    const reply = await service.send(`GET ${articles}`, { as: name, headers: as('admin') });
    expect([name, reply.status, reply.json.code]).toEqual([name, 403, 'insufficient_role']);
  }
  expect(await service.send(`GET ${articles}`, { headers: as('editor') })).toMatchObject({ status: 403 });
  expect(await service.send(`GET ${articles}`, { as: 'ada', headers: as('nobody') })).toMatchObject({ status: 403 });
  expect(await service.send(`GET ${articles}`, { as: 'ada', headers: as('../x') })).toMatchObject({
    status: 400,
    json: { code: 'invalid_role' },
  });
});
