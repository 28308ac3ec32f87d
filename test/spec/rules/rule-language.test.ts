// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Rules that look at what a payload changes, and at days, in whole requests.

const definitions = [
  {
    singular: 'task',
    plural: 'tasks',
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'state', field_type: 'enum', enum_values: ['open', 'done'] },
      { name: 'due', field_type: 'date' },
      { name: 'owner', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'tasks' } },
    ],
    api: {
      list: { filter: 'due = null || due >= @today - 7d // not long overdue\n' },
      create: { access: 'public', filter: 'state in ["open"] && @request.body.title:isset' },
      update: {
        access: 'public',
        filter: '@request.body.state:changed = false && @request.body.owner:changed != true || title:lower = "free"',
      },
    },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

test.each<[object, number]>([
  [{ title: 'New', state: 'open' }, 201],
  [{ title: null, state: 'open' }, 201],
  [{ state: 'open' }, 403],
  [{ title: 'New', state: 'done' }, 403],
  [{ title: 'New' }, 403],
])('a create with %p gets %p', async (body, status) => {
  expect((await service.send('POST /api/v1/cms/tasks', { body })).status).toBe(status);
});

test.each<[object, number]>([
  [{ title: 'Other' }, 200],
  [{ title: 'Other', state: 'open' }, 200],
  [{ state: 'done' }, 403],
  [{ state: null }, 403],
  [{ owner: null }, 200],
  [{ owner: 'SELF' }, 403],
])('an update with %p gets %p', async (change, status) => {
  for (const [title, expected] of [
    ['Tied', status],
    ['FREE', 200],
  ] as const) {
    const { id } = await service.seed('tasks', { title, state: 'open' });
    const body = 'owner' in change && change.owner === 'SELF' ? { owner: id } : change;
    expect((await service.send(`PUT /api/v1/cms/tasks/${id}`, { body })).status).toBe(expected);
  }
});

test('a list is of the days that its rule names', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  for (const days of [-30, -3, 30])
    await service.seed('tasks', { title: `day ${days}`, state: 'open', due: day(days) });
  const { json } = await service.send(
    'GET /api/v1/cms/tasks?filter=due%20!=%20null%20%26%26%20title:lower%20~%20%22day%25%22',
  );
  expect(json.items.map(({ title }: { title: string }) => title)).toEqual(['day -3', 'day 30']);
});

test('a rule by whether an address is verified follows its changes, cached answers too', async () => {
  await using named = await TestService.open(
    [
      {
        singular: 'note',
        plural: 'notes',
        fields: [{ name: 'nick', field_type: 'text' }],
        api: { list: { filter: '@request.auth.verified = true', cache: true } },
      },
    ],
    { cacheSeconds: 30 },
  );
  await named.account('ada', 'admin');
  const id = await named.account('mia');
  await named.account('max');
  await named.seed('notes', { nick: 'x' });
  const seen = async (as?: string) =>
    (await named.send('GET /api/v1/cms/notes', as === undefined ? {} : { as })).json.total;
  const change = (body: object) => named.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body });
  expect([await seen('mia'), await seen('max'), await seen()]).toEqual([0, 0, 0]);
  expect((await change({ verified: true })).json.verified).toBe(true);
  expect([await seen('mia'), await seen('max'), await seen()]).toEqual([1, 0, 0]);
  // Letter case does not make another address.
  expect((await change({ email: 'MIA@example.com' })).json.verified).toBe(true);
  expect((await change({ email: 'other@example.org' })).json.verified).toBe(false);
  expect([await seen('mia'), await seen('max')]).toEqual([0, 0]);
  expect((await change({ email: 'third@example.org', verified: true })).json.verified).toBe(true);
  expect([await seen('mia'), await seen('max')]).toEqual([1, 0]);
});

test('a rule of a related type by whether an address is verified sets cached answers apart', async () => {
  const book = {
    singular: 'book',
    plural: 'books',
    fields: [{ name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } }],
    api: { get: { filter: '@request.auth.verified = true' } },
  };
  const author = {
    singular: 'author',
    plural: 'authors',
    fields: [{ name: 'books', field_type: 'relation', relation: { relation_type: 'one_to_many', target: 'books' } }],
    api: { list: { cache: true }, get: { cache: true } },
  };
  await using related = await TestService.open([book, author]);
  await related.account('ada', 'admin');
  const mia = await related.account('mia');
  await related.account('max');
  await related.send(`PUT /api/v1/admin/users/${mia}`, { as: 'ada', body: { verified: true } });
  const { id } = await related.seed('authors', {});
  await related.seed('books', { author: id });
  for (const path of ['', '?include=books', '?fields=books']) {
    const lists = async (as: string) =>
      (await related.send(`GET /api/v1/cms/authors${path}`, { as })).json.items[0].books.length;
    const gets = async (as: string) =>
      (await related.send(`GET /api/v1/cms/authors/${id}${path}`, { as })).json.books.length;
    expect([await lists('mia'), await lists('max'), await lists('mia')]).toEqual([1, 0, 1]);
    expect([await gets('mia'), await gets('max'), await gets('mia')]).toEqual([1, 0, 1]);
  }
});

test('a rule by the caller’s email address or username follows their changes, cached answers too', async () => {
  await using named = await TestService.open(
    [
      {
        singular: 'note',
        plural: 'notes',
        fields: [
          { name: 'reader', field_type: 'text' },
          { name: 'nick', field_type: 'text' },
        ],
        api: {
          list: { filter: 'reader = @request.auth.email:lower || nick = @request.auth.username', cache: true },
        },
      },
    ],
    { cacheSeconds: 30 },
  );
  await named.account('ada', 'admin');
  const id = await named.account('mia');
  await named.account('max');
  await named.seed('notes', { reader: 'new@example.org', nick: 'x' });
  await named.seed('notes', { reader: 'x', nick: 'minnie' });
  const seen = async (as: string) =>
    (await named.send('GET /api/v1/cms/notes', { as })).json.items.map(({ nick }: { nick: string }) => nick);
  const change = (body: object) => named.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body });
  expect(await seen('mia')).toEqual([]);
  expect((await change({ email: 'New@example.org' })).status).toBe(200);
  expect([await seen('mia'), await seen('max')]).toEqual([['x'], []]);
  expect((await change({ username: 'minnie' })).status).toBe(200);
  expect([await seen('mia'), await seen('max')]).toEqual([['x', 'minnie'], []]);
  expect((await change({ email: 'other@example.org', username: null })).status).toBe(200);
  expect([await seen('mia'), await seen('max')]).toEqual([[], []]);
});
