// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// Relations of the four kinds (decisions on definitions, section 4, and on generated routes, section 5).

const text = (name: string) => ({ name, field_type: 'text' });
const relation = (
  name: string,
  relation_type: string,
  target: string,
  { mapped_by, ...more }: Record<string, unknown> = {},
) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...(mapped_by === undefined ? {} : { mapped_by }) },
  ...more,
});
const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    fields: [
      text('title'),
      { name: 'open', field_type: 'boolean', default: true },
      relation('author', 'many_to_one', 'authors'),
      relation('cover', 'one_to_one', 'covers'),
      relation('topics', 'many_to_many', 'topics'),
      relation('editor', 'many_to_one', 'authors', { private: true }),
      relation('next', 'many_to_one', 'articles'),
      relation('origin', 'many_to_one', 'authors', { immutable: true }),
      relation('log', 'many_to_one', 'logs'),
    ],
    api: {
      list: { filter: 'open = true' },
      get: { filter: 'open = true', filter_auth: 'title = "mine"' },
      update: { access: 'public' },
    },
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [
      text('name'),
      relation('articles', 'one_to_many', 'articles', { mapped_by: 'author' }),
      relation('edited', 'one_to_many', 'articles', { mapped_by: 'editor', private: true }),
      relation('notes', 'one_to_many', 'notes'),
      relation('unlisted', 'one_to_many', 'secrets'),
    ],
  },
  { singular: 'topic', plural: 'topics', fields: [text('name')] },
  { singular: 'cover', plural: 'covers', fields: [text('name'), relation('article', 'one_to_many', 'articles')] },
  { singular: 'log', plural: 'logs', fields: [text('name')], api: { get: { access: 'admin' } } },
  // One that cannot be without its author, and its topics.
  {
    singular: 'note',
    plural: 'notes',
    fields: [
      text('name'),
      relation('author', 'many_to_one', 'authors', { required: true }),
      relation('topics', 'many_to_many', 'topics', { required: true }),
    ],
    api: { get: { access: 'member' } },
  },
  {
    singular: 'secret',
    plural: 'secrets',
    fields: [text('name'), relation('owner', 'many_to_one', 'authors')],
    api: { get: { fields: ['name'] } },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('mia');
  await service.account('eve', 'editor');
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const make = async (plural: string, body: object = {}): Promise<string> => (await service.seed(plural, { ...body })).id;
const several = (plural: string, count: number) => Promise.all(Array.from({ length: count }, () => make(plural)));
const get = async (path: string, as?: string) =>
  (await service.send(`GET /api/v1/cms/${path}`, as === undefined ? {} : { as })).json;
const put = (id: string, body: object): Promise<Reply> => service.send(`PUT /api/v1/cms/articles/${id}`, { body });
const remove = async (path: string) => (await service.send(`DELETE /api/v1/admin/cms/${path}`, { as: 'ada' })).status;
const faultsOf = ({ status, json }: Reply) => [
  status,
  ...(json.errors ?? []).map((fault: Record<string, string>) => `${fault.field} ${fault.code}`),
];

describe.each([
  ['many_to_one', 'author', 'authors'],
  ['one_to_one', 'cover', 'covers'],
])('%s', (_, field, plural) => {
  test('is written and read as an id, changed, kept when left out, unlinked by null', async () => {
    const [one = '', other = ''] = await several(plural, 2);
    const id = await make('articles', { [field]: one });
    const read = async () => (await get(`articles/${id}`))[field];
    expect(await read()).toBe(one);
    await put(id, { [field]: other });
    expect(await read()).toBe(other);
    await put(id, { title: 'x' });
    expect(await read()).toBe(other);
    await put(id, { [field]: null });
    expect(await read()).toBe(null);
    expect((await get(`articles?${field}=${other}`)).total).toBe(0);
  });
  test('an unknown id is 422', async () => {
    const id = await make('articles');
    expect(faultsOf(await put(id, { [field]: Bun.randomUUIDv7() }))).toEqual([422, `${field} unknown_record`]);
    expect(faultsOf(await put(id, { [field]: await make('topics') }))).toEqual([422, `${field} unknown_record`]);
  });
  test.each([[1], [true], [''], ['x'], [['a']], [{}], [{ id: 'x' }]])('%j is 422', async (value) => {
    const [status, fault] = faultsOf(await put(await make('articles'), { [field]: value }));
    expect([status, fault.split(' ')[0]]).toEqual([422, field]);
  });
  test('null after the deletion of its target', async () => {
    const target = await make(plural);
    const id = await make('articles', { [field]: target });
    expect(await remove(`${plural}/${target}`)).toBe(204);
    expect((await get(`articles/${id}?include=${field}`))[field]).toBe(null);
    expect((await get(`articles/${id}`))[field]).toBe(null);
  });
});

describe('one_to_one', () => {
  test('belongs to one record alone', async () => {
    const cover = await make('covers');
    const first = await make('articles', { cover });
    const second = await make('articles');
    expect(faultsOf(await put(second, { cover }))).toEqual([422, 'cover taken']);
    expect((await put(first, { cover })).status).toBe(200);
    await put(first, { cover: null });
    expect((await put(second, { cover })).status).toBe(200);
    expect((await get(`covers/${cover}`)).article).toEqual([second]);
  });
});

describe('many_to_many', () => {
  test('is written and read as ids, in the order they were sent in', async () => {
    const topics = await several('topics', 4);
    const id = await make('articles', { topics });
    const read = async () => (await get(`articles/${id}`)).topics;
    expect(await read()).toEqual(topics);
    await put(id, { topics: topics.toReversed() });
    expect(await read()).toEqual(topics.toReversed());
    await put(id, { topics: [topics[2], topics[0]] });
    expect(await read()).toEqual([topics[2], topics[0]]);
    const { topics: included } = await get(`articles/${id}?include=topics`);
    expect(included.map((topic: { id: string }) => topic.id)).toEqual([topics[2], topics[0]]);
    await put(id, { title: 'x' });
    expect(await read()).toEqual([topics[2], topics[0]]);
  });
  test.each([[[]], [null]])('unlinked by %p', async (nothing) => {
    const id = await make('articles', { topics: await several('topics', 2) });
    expect((await put(id, { topics: nothing })).json.topics).toEqual([]);
    expect((await get(`articles/${id}`)).topics).toEqual([]);
  });
  test('none is an empty array', async () => {
    const id = await make('articles');
    expect((await get(`articles/${id}`)).topics).toEqual([]);
    expect((await get(`articles/${id}?include=topics`)).topics).toEqual([]);
  });
  test('unknown ids are 422, each with its place', async () => {
    const [a = '', b = ''] = await several('topics', 2);
    const id = await make('articles', { topics: [a] });
    const faults = faultsOf(await put(id, { topics: [a, Bun.randomUUIDv7(), b, Bun.randomUUIDv7()] }));
    expect(faults).toEqual([422, 'topics[1] unknown_record', 'topics[3] unknown_record']);
    expect((await get(`articles/${id}`)).topics).toEqual([a]);
  });
  test('a record that is named twice is 422', async () => {
    const topic = await make('topics');
    expect(faultsOf(await put(await make('articles'), { topics: [topic, topic] }))).toEqual([422, 'topics invalid']);
  });
  const strange: readonly (readonly [unknown, string])[] = [
    ['x', 'topics'],
    [{}, 'topics'],
    [1, 'topics'],
    [[1], 'topics[0]'],
    [[null], 'topics[0]'],
    [['x'], 'topics[0]'],
    [[[]], 'topics[0]'],
  ];
  test.each(strange)('%j is 422', async (topics, field) => {
    const [status, fault] = faultsOf(await put(await make('articles'), { topics }));
    expect([status, fault.split(' ')[0]]).toEqual([422, field]);
  });
  test('a deleted target is left out, the others keep their order', async () => {
    const [a = '', b = '', c = ''] = await several('topics', 3);
    const id = await make('articles', { topics: [c, b, a] });
    expect(await remove(`topics/${b}`)).toBe(204);
    expect((await get(`articles/${id}`)).topics).toEqual([c, a]);
  });
  test('a deleted record leaves its targets', async () => {
    const topic = await make('topics');
    const id = await make('articles', { topics: [topic] });
    expect(await remove(`articles/${id}`)).toBe(204);
    expect((await service.send(`GET /api/v1/cms/topics/${topic}`)).status).toBe(200);
  });
});

describe('one_to_many: the other side of a relation', () => {
  test('returns those that point here, in the order of creation', async () => {
    const author = await make('authors');
    const first = await make('articles', { author });
    const second = await make('articles', { author });
    const read = async () => (await get(`authors/${author}`)).articles;
    expect(await read()).toEqual([first, second]);
    const { articles } = await get(`authors/${author}?include=articles`);
    expect(articles.map((article: { id: string }) => article.id)).toEqual([first, second]);
    await put(first, { author: null });
    expect(await read()).toEqual([second]);
    await remove(`articles/${second}`);
    expect(await read()).toEqual([]);
  });
  test('is read only: what is sent is ignored', async () => {
    const author = await make('authors', { articles: [Bun.randomUUIDv7()] });
    const article = await make('articles', { author });
    const path = `/api/v1/admin/cms/authors/${author}`;
    const reply = await service.send(`PUT ${path}`, { as: 'ada', body: { articles: [], name: 'x' } });
    expect([reply.status, reply.json.articles]).toEqual([200, [article]]);
  });
  test('shows each caller what they could get, and admins all', async () => {
    const author = await make('authors');
    const shown = await make('articles', { author });
    const mine = await make('articles', { author, open: false, title: 'mine' });
    const hidden = await make('articles', { author, open: false });
    const note = await make('notes', { author, topics: [await make('topics')] });
    const edited = await make('articles', { editor: author });
    const secret = await make('secrets', { owner: author });
    const path = `authors/${author}`;
    expect(await get(path)).toEqual({ id: author, name: null, articles: [shown], notes: [], unlisted: [] });
    expect(await get(path, 'mia')).toEqual({
      id: author,
      name: null,
      articles: [shown, mine],
      notes: [note],
      unlisted: [],
    });
    const admin = await service.send(`GET /api/v1/admin/cms/${path}`, { as: 'ada' });
    expect(admin.json).toEqual({
      id: author,
      name: null,
      articles: [shown, mine, hidden],
      notes: [note],
      edited: [edited],
      unlisted: [secret],
    });
    const included = await get(`${path}?include=articles,notes,unlisted`);
    expect(included).toMatchObject({ articles: [{ id: shown }], notes: [], unlisted: [] });
  });
});

describe('included records are what their own get endpoint would show this caller', () => {
  test('a hidden one is null, or left out of several', async () => {
    const next = await make('articles', { open: false, title: 'mine' });
    const id = await make('articles', { next });
    expect((await get(`articles/${id}`)).next).toBe(next);
    expect((await get(`articles/${id}?include=next`)).next).toBe(null);
    expect((await get(`articles/${id}?include=next`, 'mia')).next.id).toBe(next);
    const list = await get(`articles?id=${id}&include=next`);
    expect(list.items[0].next).toBe(null);
  });
  test('its access level holds: admin is the role admin alone', async () => {
    const log = await make('logs');
    const path = `articles/${await make('articles', { log })}?include=log`;
    expect((await get(path)).log).toBe(null);
    for (const as of ['mia', 'eve']) expect((await get(path, as)).log).toBe(null);
    expect((await get(path, 'ada')).log).toEqual({ id: log, name: null });
  });
  test('private fields and whitelists hold in them; not for admins', async () => {
    const author = await make('authors');
    const next = await make('articles', { author, editor: author });
    const id = await make('articles', { next });
    const shown = (await get(`articles/${id}?include=next.author`)).next;
    expect(Object.keys(shown)).not.toContain('editor');
    expect(shown.author).not.toHaveProperty('edited');
    const path = `/api/v1/admin/cms/articles/${id}?include=next.editor`;
    expect((await service.send(`GET ${path}`, { as: 'ada' })).json.next.editor.id).toBe(author);
  });
  test('a record that points at itself', async () => {
    const id = await make('articles');
    await put(id, { next: id });
    expect((await get(`articles/${id}?include=next.next.next`)).next.next.next.next).toBe(id);
    expect(await remove(`articles/${id}`)).toBe(204);
  });
});

describe('required references', () => {
  test('must be sent, and cannot be taken away', async () => {
    const as = 'ada';
    const base = '/api/v1/admin/cms/notes';
    const both = [422, 'author required', 'topics required'];
    expect(faultsOf(await service.send(`POST ${base}`, { as, body: {} })).sort()).toEqual(both);
    expect(faultsOf(await service.send(`POST ${base}`, { as, body: { author: null, topics: null } })).sort()).toEqual(
      both,
    );
    const note = await make('notes', { author: await make('authors'), topics: [await make('topics')] });
    expect(
      faultsOf(await service.send(`PUT ${base}/${note}`, { as, body: { author: null, topics: null } })).sort(),
    ).toEqual(both);
    const emptied = await service.send(`PUT ${base}/${note}`, { as, body: { topics: [] } });
    expect([emptied.status, emptied.json.errors[0].field]).toEqual([422, 'topics']);
  });
  test('their target cannot be deleted: 409; nothing changes until nobody needs it', async () => {
    const author = await make('authors');
    const article = await make('articles', { author });
    const note = await make('notes', { author, topics: [await make('topics')] });
    const refused = await service.send(`DELETE /api/v1/admin/cms/authors/${author}`, { as: 'ada' });
    expect([refused.status, refused.json.code]).toEqual([409, 'record_in_use']);
    expect((await get(`articles/${article}`)).author).toBe(author);
    expect(await remove(`notes/${note}`)).toBe(204);
    expect(await remove(`authors/${author}`)).toBe(204);
  });
  test('to many: the last target that a record needs cannot be deleted: 409', async () => {
    const [a = '', b = ''] = await several('topics', 2);
    const note = await make('notes', { author: await make('authors'), topics: [a, b] });
    expect(await remove(`topics/${a}`)).toBe(204);
    expect(await remove(`topics/${b}`)).toBe(409);
    expect((await get(`notes/${note}`, 'mia')).topics).toEqual([b]);
  });
});

test.each([
  ['articles', 'linked to nothing', async () => ({})],
  ['articles', 'linked to a topic', async () => ({ title: 'linked', topics: [await make('topics')] })],
  ['authors', 'pointed to by nobody', async () => ({ name: 'new' })],
  ['notes', 'all set', async () => ({ author: await make('authors'), topics: await several('topics', 2) })],
])('a new record of %s, %s, is returned with its relations as they are afterwards', async (plural, _, body) => {
  const path = `/api/v1/admin/cms/${plural}`;
  const made = await service.send(`POST ${path}`, { as: 'ada', body: await body() });
  expect(made.status).toBe(201);
  expect(made.json).toEqual((await service.send(`GET ${path}/${made.json.id}`, { as: 'ada' })).json);
});

test('an immutable reference is set once, and may be sent back as it is', async () => {
  const [one = '', other = ''] = await several('authors', 2);
  const id = await make('articles', { origin: one });
  expect((await put(id, { origin: one })).status).toBe(200);
  expect(faultsOf(await put(id, { origin: other }))).toEqual([422, 'origin immutable']);
  expect(faultsOf(await put(id, { origin: null }))).toEqual([422, 'origin immutable']);
});
