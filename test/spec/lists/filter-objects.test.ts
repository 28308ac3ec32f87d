// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { EventSource } from '../../support/event-source.ts';
import { OpenApiReader } from '../../support/openapi/openapi-reader.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Wherever the service takes a filter, it takes an expression and a JSON object alike, and an error has its place in either.

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'views', field_type: 'integer' },
  ],
};

let service: TestService;
/** The record that the filters of a route ask for, by the name of its type. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await TestService.open([note], { builtIn: true, commentsAutoApprove: 'all' });
  await service.account('ada', 'admin');
  await service.account('mia');
  for (const title of ['One', 'Two']) {
    ids.note = (await service.seed('notes', { title, views: 5 })).id;
    ids.post = (await service.seed('posts', { title, status: 'Published' })).id;
    ids.page = (await service.seed('pages', { title, status: 'Published' })).id;
    ids.category = (await send('POST /api/v1/cms/categories', { name: title })).json.id;
    ids.comment = (await send('POST /api/v1/posts/one/comments/authed', { content: title })).json.id;
    const uploaded = await service.send(`POST /api/v1/media?name=${title}`, {
      ...{ as: 'ada', headers: { 'Content-Type': 'text/plain' }, body: new TextEncoder().encode(title) },
    });
    ids.media = uploaded.json.id;
  }
  ids.user = service.idOf('ada');
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (line: string, body: object): Promise<Reply> => service.send(line, { as: 'ada', body });
const read = (path: string, filter: string): Promise<Reply> =>
  service.send(`GET ${path}?filter=${encodeURIComponent(filter)}`, { as: 'ada' });

/** By the path of a route that takes the parameter: what its records are. */
const reads: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ['note', 'notes'],
      ['category', 'categories'],
    ].flatMap(([singular = '', plural]) =>
      ['', '/admin'].flatMap((admin) => [
        [`/api/v1${admin}/cms/${plural}`, singular],
        [`/api/v1${admin}/cms/${plural}/aggregate`, singular],
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      ['post', 'posts'],
      ['page', 'pages'],
      ['media', 'media'],
      ['comment', 'comments'],
    ].flatMap(([singular = '', plural]) =>
      ['', '/admin'].flatMap((admin) => [
        [`/api/v1${admin}/${plural}`, singular],
        ...(plural === 'comments' && admin === '' ? [] : [[`/api/v1${admin}/${plural}/aggregate`, singular]]),
      ]),
    ),
  ),
  '/api/v1/posts/{slug}/comments': 'comment',
  '/api/v1/admin/users': 'user',
};

/** Routes that take a filter in their body. */
const writes = [
  ...['cms/notes', 'cms/categories', 'posts', 'pages', 'comments', 'media'].map(
    (path) => `/api/v1/admin/${path}/batch`,
  ),
  ...['/api/v1/admin/views', '/api/v1/admin/views/{id}', '/api/v1/admin/webhooks', '/api/v1/admin/webhooks/{id}'],
];

const stream = '/api/v1/events';

test('these are all the routes that take a filter', async () => {
  const reader = new OpenApiReader((await service.send('GET /api/v1/openapi.json')).json);
  const { operations } = reader;
  const query = operations.filter(({ queryNames }) => queryNames.includes('filter'));
  expect(new Set(query.map(({ path }) => path))).toEqual(new Set([...Object.keys(reads), stream]));
  const body = operations.filter(({ bodySchema = {} }) => {
    const { properties = {} } = bodySchema.$ref === undefined ? bodySchema : reader.resolve(bodySchema.$ref);
    return Object.hasOwn(properties, 'filter');
  });
  expect(new Set(body.map(({ path }) => path))).toEqual(new Set(writes));
});

/** The number of records that were found, which are not all. */
const found = ({ json }: Reply): unknown => (json.truncated === undefined ? json.total : json.items[0]?.count);

/** Filters that are none, and where the error is. */
const wrong: readonly (readonly [filter: string, place: object])[] = [
  ['{"nothing":"x"}', { path: 'nothing' }],
  ['{"id":{"above":"x"}}', { path: 'id.above' }],
  ['{"$or":[{"id:isset":true},{"id":5}]}', { path: '$or[1].id' }],
  ['{"id":"no id"}', { path: 'id' }],
  ['{"id"', { position: 1 }],
  ['{"id":"a","id":"b"}', { position: 1 }],
  ['{"id:isset":true} && true', { position: 1 }],
  ['id:isset && nothing = "x"', { position: 13 }],
  ['id = 5', { position: 6 }],
];

const placeOf = ({ json: { path, position } }: Reply): object => ({
  ...(path === undefined ? {} : { path }),
  ...(position === undefined ? {} : { position }),
});

describe.each(Object.entries(reads))('GET %s', (route, singular) => {
  const path = route.replace('{slug}', 'one');

  test('takes both forms', async () => {
    const id = ids[singular] ?? '';
    const [text, object, several] = [
      await read(path, `id = "${id}"`),
      await read(path, JSON.stringify({ id })),
      await read(path, JSON.stringify({ $or: [{ id: [id] }, { 'id:isset': false }] })),
    ];
    expect([text.status, found(text)]).toEqual([200, 1]);
    for (const other of [object, several]) expect([other.status, other.json]).toEqual([200, text.json]);
  });

  test('takes an object without conditions as no filter', async () => {
    const [none, empty] = [await read(path, ''), await read(path, '{}')];
    expect([empty.status, empty.json]).toEqual([200, none.json]);
    expect(Number(found(none))).toBeGreaterThan(1);
  });

  test.each(wrong)('refuses %s with its place', async (filter, place) => {
    const reply = await read(path, filter);
    expect([reply.status, reply.json.code, reply.headers.get('content-type')]).toEqual([
      400,
      'invalid_filter',
      'application/problem+json',
    ]);
    expect(placeOf(reply)).toEqual(place);
    expect(reply.json.detail).not.toBe('');
  });
});

describe.each(writes.filter((path) => path.endsWith('/batch')))('POST %s', (path) => {
  const singular =
    { categories: 'category', media: 'media' }[path.split('/').at(-2) ?? ''] ?? path.split('/').at(-2)?.slice(0, -1);
  const set = singular === 'note' ? { views: 5 } : { slug: 'x' };

  test.each(wrong)('refuses %s with its place', async (filter, place) => {
    const reply = await send(`POST ${path}`, { action: 'delete', filter });
    expect([reply.status, reply.json.code, placeOf(reply)]).toEqual([400, 'invalid_filter', place]);
  });

  test('refuses an object without conditions', async () => {
    const { status, json } = await send(`POST ${path}`, { action: 'delete', filter: '{}' });
    expect([status, json.code]).toEqual([400, 'invalid_filter']);
  });

  test('takes both forms', async () => {
    const id = ids[singular ?? ''] ?? '';
    for (const filter of [`id = "${id}" && id:isset = false`, JSON.stringify({ id, 'id:isset': false })]) {
      const { status, json } = await send(`POST ${path}`, { action: 'delete', filter });
      expect([status, json.affected]).toEqual([200, 0]);
    }
    if (singular !== 'note') return;
    for (const filter of [`id = "${id}"`, JSON.stringify({ id })]) {
      const { status, json } = await send(`POST ${path}`, { action: 'update', filter, set });
      expect([status, json.affected]).toEqual([200, 1]);
    }
  });
});

describe.each([
  ['/api/v1/admin/views', { type: 'notes', name: 'Both' }],
  ['/api/v1/admin/webhooks', { url: 'http://127.0.0.1:9/', types: ['notes'] }],
])('%s', (path, rest) => {
  test('keeps both forms as they are, and checks a change too', async () => {
    for (const [index, filter] of ['views > 1', JSON.stringify({ views: { gt: 1 } })].entries()) {
      const own = 'name' in rest ? { ...rest, name: `${rest.name} ${index}` } : rest;
      const made = await send(`POST ${path}`, { ...own, filter });
      expect([made.status, made.json.filter]).toEqual([201, filter]);
      const one = `${path}/${made.json.id}`;
      const changed = await send(`PUT ${one}`, { filter: '{"views":{"lt":1}}' });
      expect([changed.status, changed.json.filter]).toEqual([200, '{"views":{"lt":1}}']);
      const refused = await send(`PUT ${one}`, { filter: '{"views":{"lt":"x"}}' });
      expect(refused.json.errors).toMatchObject([{ field: 'filter', code: 'invalid_filter' }]);
      expect(refused.json.errors[0].message).toContain('views.lt: ');
    }
  });

  test.each(wrong)('refuses %s with its place', async (filter, place) => {
    const { status, json } = await send(`POST ${path}`, { ...rest, filter });
    expect([status, json.errors?.length, json.errors?.[0].field, json.errors?.[0].code]).toEqual([
      422,
      1,
      'filter',
      'invalid_filter',
    ]);
    const [[kind, where] = []] = Object.entries(place);
    expect(json.errors[0].message).toContain(kind === 'path' ? `${where}: ` : `haracter ${where}: `);
  });
});

test('a saved view takes an object without conditions, as its list does', async () => {
  const { status, json } = await send('POST /api/v1/admin/views', { type: 'notes', name: 'All', filter: '{}' });
  expect([status, json.filter]).toEqual([201, '{}']);
});

describe('a stream', () => {
  const open = (filter: string) =>
    EventSource.open(service.app, `${stream}?types=notes&filter=${encodeURIComponent(filter)}`);

  test('takes both forms', async () => {
    const sources = [
      await open('views > 10 || title = "End"'),
      await open(JSON.stringify({ $or: [{ views: { gt: 10 } }, { title: 'End' }] })),
      await open('{}'),
    ];
    const few = await service.seed('notes', { title: 'Few', views: 1 });
    const many = await service.seed('notes', { title: 'Many', views: 11 });
    const end = await service.seed('notes', { title: 'End' });
    const heard = [];
    for (const source of sources) {
      const events = await source.until((all) => all.some(({ data }) => data.id === end.id));
      heard.push(events.map(({ data }) => data.id));
      await source[Symbol.asyncDispose]();
    }
    expect(heard).toEqual([
      [many.id, end.id],
      [many.id, end.id],
      [few.id, many.id, end.id],
    ]);
  });

  test.each(wrong)('refuses %s with its place', async (filter, place) => {
    const reply = await service.send(`GET ${stream}?types=notes&filter=${encodeURIComponent(filter)}`);
    expect([reply.status, reply.json.code, placeOf(reply)]).toEqual([400, 'invalid_filter', place]);
  });
});
