// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Database, Executor, Query } from '../../../packages/recto/src/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { type Planted, plant, plantedId } from '../rules/planted.ts';

// An answer has a budget of included records and of bytes. What would be over it is rejected before it is built, on every
// route that could build it, and what the caller may not see does not count. Long lists of ids are cut.

const relation = (name: string, relation_type: string, target: string, mapped_by?: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...(mapped_by === undefined ? {} : { mapped_by }) },
});
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const shown = { filter: 'shown = true', cache: true };
const open = { create: { access: 'public' }, update: { access: 'public' } };

const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    fields: [
      text('title'),
      text('body'),
      text('secret', { private: true }),
      { name: 'shown', field_type: 'boolean', default: true },
      relation('author', 'many_to_one', 'authors'),
    ],
    api: { list: shown, get: shown, ...open },
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [text('name'), relation('articles', 'one_to_many', 'articles', 'author')],
    api: { list: { cache: true }, get: { cache: true }, ...open },
  },
  { singular: 'topic', plural: 'topics', fields: [text('name')], api: open },
  {
    singular: 'story',
    plural: 'stories',
    protocols: [
      { name: 'versionable', drafts: true },
      {
        name: 'statusable',
        values: ['new', 'live'],
        published: 'live',
        transitions: { new: ['live'], live: ['new'] },
      },
    ],
    fields: [text('title'), relation('topics', 'many_to_many', 'topics')],
    api: open,
  },
  {
    singular: 'shelf',
    plural: 'shelves',
    fields: [relation('topics', 'many_to_many', 'topics'), { name: 'topics_total', field_type: 'integer' }],
    api: open,
  },
  {
    singular: 'home',
    plural: 'homes',
    kind: 'single',
    fields: [relation('topics', 'many_to_many', 'topics')],
    api: { update: { access: 'public' } },
  },
  { singular: 'section', plural: 'sections', protocols: ['nestable'], fields: [text('text')], api: open },
];

const topics = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => plantedId(5_000 + index));
const plantedTopics = (count: number): readonly Planted[] =>
  topics(count).map((id, index) => ({ type: 'topic', id, body: { name: `Topic ${index}` } }));
const articles = (from: number, count: number, body: object): readonly Planted[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'article', id: plantedId(from + index), body: { ...body } }));

/** The most characters that a row which was read held, since it was last asked. */
function watchReads(database: Database): () => number {
  let largest = 0;
  const see = <T>(row: T): T => {
    const size =
      row === undefined ? 0 : Object.values(Object(row)).reduce<number>((sum, v) => sum + String(v).length, 0);
    largest = Math.max(largest, size);
    return row;
  };
  const watched = ({ rows, first }: Pick<Executor, 'rows' | 'first'>): Pick<Executor, 'rows' | 'first'> => ({
    rows: async (query) => (await rows(query)).map(see) as never,
    first: async (query) => see((await first(query)) as never),
  });
  const reader = database.reader.bind(database);
  const first = database.first.bind(database);
  Object.assign(database, {
    first: watched({ rows: database.rows.bind(database), first }).first,
    reader: (...asked: Parameters<Database['reader']>) => {
      const inner = reader(...asked);
      return watched({ rows: inner.rows.bind(inner), first: inner.first.bind(inner) });
    },
  });
  return () => {
    const found = largest;
    largest = 0;
    return found;
  };
}

const cms = '/api/v1/cms';
const admin = '/api/v1/admin/cms';
const brief = ({ status, json }: Reply) => (status === 200 ? 200 : `${status} ${json.code}`);

describe('a small budget', () => {
  let service: TestService;
  let largestRead: () => number;
  const get = (path: string, as?: string): Promise<Reply> =>
    service.send(`GET ${path}`, as === undefined ? {} : { as });
  /** Refused, and nothing large was read to find out. */
  const refused = async (path: string, as?: string): Promise<void> => {
    largestRead();
    const reply = await get(path, as);
    expect([path, brief(reply)]).toEqual([path, '400 answer_too_large']);
    expect(largestRead()).toBeLessThan(2_000);
  };
  const answered = async (path: string, as?: string): Promise<Reply['json']> => {
    const reply = await get(path, as);
    expect([path, brief(reply)]).toEqual([path, 200]);
    return reply.json;
  };

  const author = plantedId(1);
  const story = plantedId(2);
  beforeAll(async () => {
    service = await TestService.open(definitions, {
      builtIn: true,
      cacheSeconds: 30,
      budget: { included: 50, bytes: 30_000 },
    });
    await service.account('eve', 'editor');
    await plant(service, [
      { type: 'author', id: author, body: { name: 'Ines' } },
      ...articles(100, 7, { title: 'Shown', author, secret: 's'.repeat(9_000) }),
      ...articles(200, 20, { title: 'Hidden', author, shown: false, body: 'b'.repeat(9_000) }),
      ...plantedTopics(51),
      { type: 'story', id: story, body: { title: 'S', status: 'live', topics: topics(51) } },
      { type: 'home', id: plantedId(3), body: { topics: topics(51) } },
      { type: 'section', id: plantedId(4), body: { text: 'root' } },
      ...Array.from({ length: 4 }, (_, index) => ({
        type: 'section',
        id: plantedId(10 + index),
        body: { text: 't'.repeat(9_000), parent_id: plantedId(4) },
      })),
      { type: 'post', id: plantedId(20), body: { title: 'A post', slug: 'a-post', status: 'Published' } },
      ...Array.from({ length: 53 }, (_, index) => ({
        type: 'comment',
        id: plantedId(3_000 + index),
        body: {
          post_id: plantedId(20),
          content: 'c',
          // Two threads, one of them with 51 replies of which one is not shown.
          parent_id: index < 2 ? null : plantedId(3_000),
          status: index === 52 ? 'Pending' : 'Approved',
        },
      })),
    ]);
    largestRead = watchReads(service.database);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('holds on lists, to the record', async () => {
    await refused(`${cms}/articles?include=author.articles.author`);
    await refused(`${cms}/articles?include=author.articles`);
    // 6 authors and 42 articles.
    const { items } = await answered(`${cms}/articles?include=author.articles&page_size=6`);
    expect(items[0].author.articles).toHaveLength(7);
    // 7 and 49.
    await refused(`${cms}/articles?include=author.articles&page_size=7`);
    await answered(`${cms}/articles?include=author&page_size=7`);
  });

  test('holds again as soon as there is less or more', async () => {
    const path = `${cms}/authors?include=articles.author.articles`;
    await refused(path);
    const hide = (shown: boolean) =>
      service.send(`PUT ${admin}/articles/${plantedId(106)}`, { as: 'eve', body: { shown } });
    await hide(false);
    // 6, 6 and 36.
    await answered(path);
    await hide(true);
    await refused(path);
  });

  test('holds on single records', async () => {
    await answered(`${cms}/authors/${author}?include=articles.author`);
    await refused(`${cms}/authors/${author}?include=articles.author.articles`);
  });

  test('holds on the admin routes, for which more counts', async () => {
    await answered(`${cms}/authors?include=articles`);
    // The texts of 20 articles that only admins see, and private ones.
    await refused(`${admin}/authors?include=articles`, 'eve');
    await refused(`${admin}/authors/${author}?include=articles`, 'eve');
    await refused(`${admin}/articles?page_size=40`, 'eve');
  });

  test('holds on records with a draft', async () => {
    await refused(`${admin}/stories/${story}?include=topics`, 'eve');
    await answered(`${admin}/stories/${story}?draft=true`, 'eve');
  });

  test('holds on single types', async () => {
    await answered(`${cms}/home`);
    await refused(`${cms}/home?include=topics`);
  });

  test('holds on walks through a tree', async () => {
    await refused(`${cms}/sections/${plantedId(4)}/subtree`);
    await refused(`${admin}/sections/${plantedId(4)}/subtree`, 'eve');
    await answered(`${cms}/sections/${plantedId(11)}/ancestors`);
  });

  test('holds on threads, where replies count as included', async () => {
    // 50 replies are shown.
    await answered('/api/v1/posts/a-post/comments');
    const approve = (status: string) =>
      service.send(`PUT /api/v1/admin/comments/${plantedId(3_052)}/status`, { as: 'eve', body: { status } });
    expect((await approve('Approved')).status).toBe(200);
    await refused('/api/v1/posts/a-post/comments');
    await answered('/api/v1/posts/a-post/comments?page=2&page_size=1');
    await approve('Pending');
  });

  test('counts no value that the caller may not read', async () => {
    // The private texts of seven articles are twice the budget.
    await answered(`${cms}/articles`);
    await answered(`${cms}/authors?include=articles&page_size=100`);
  });

  test('ends what was found to be too large by its bytes alone', async () => {
    for (let index = 0; index < 4; index += 1) {
      await service.send(`POST ${cms}/topics`, { body: { name: '\u0001'.repeat(1_500) } });
    }
    // Each of these characters is written with six.
    expect(brief(await get(`${cms}/topics?sort=id:desc&page_size=4`))).toBe('400 answer_too_large');
    expect(brief(await get(`${cms}/topics?sort=id:desc&page_size=3`))).toBe(200);
  });
});

describe('long lists of ids', () => {
  let service: TestService;
  const author = plantedId(1);
  const story = plantedId(2);
  const shelf = plantedId(3);
  const ids = topics(1_002);
  const articleIds = articles(10_000, 1_001, {}).map(({ id }) => id);
  const send = (line: string, body?: unknown, as?: string): Promise<Reply> =>
    service.send(line, { body, ...(as === undefined ? {} : { as }) });

  beforeAll(async () => {
    service = await TestService.open(definitions, { builtIn: true });
    await service.account('eve', 'editor');
    await plant(service, [
      { type: 'author', id: author, body: { name: 'Ines' } },
      { type: 'author', id: plantedId(4), body: { name: 'Tom' } },
      ...articles(10_000, 1_001, { title: 'Shown', author }),
      ...articles(20_000, 5, { title: 'Hidden', author, shown: false }),
      ...articles(30_000, 1_000, { title: 'Of Tom', author: plantedId(4) }),
      ...plantedTopics(1_002),
      { type: 'story', id: story, body: { title: 'S', topics: ids } },
      { type: 'shelf', id: shelf, body: { topics: ids, topics_total: 7 } },
    ]);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('are cut at 1,000, with their number beside them', async () => {
    const { json } = await send(`GET ${cms}/stories/${story}`);
    expect(json.topics).toEqual(ids.slice(0, 1_000));
    expect(json.topics_total).toBe(1_002);
    expect(Object.keys(json)).toContain('title');
  });

  test('show no record that is hidden', async () => {
    const shown = await send(`GET ${cms}/authors/${author}`);
    expect(shown.json.articles).toEqual(articleIds.slice(0, 1_000));
    expect(shown.json.articles_total).toBe(1_001);
    const all = await send(`GET ${admin}/authors/${author}`, undefined, 'eve');
    expect(all.json.articles_total).toBe(1_006);
    const full = await send(`GET ${cms}/authors/${plantedId(4)}`);
    expect(full.json.articles).toHaveLength(1_000);
    expect(full.json).not.toHaveProperty('articles_total');
  });

  test('are cut in lists, in included records, and in answers to writes', async () => {
    const list = await send(`GET ${cms}/authors?sort=name:asc`);
    expect(list.json.items.map(({ articles_total }: Record<string, unknown>) => articles_total)).toEqual([
      1_001,
      undefined,
    ]);
    const included = await send(`GET ${cms}/articles?include=author&page_size=3&sort=id:asc`);
    expect(included.json.items).toHaveLength(3);
    for (const { author: shown } of included.json.items) {
      expect(shown.articles).toHaveLength(1_000);
      expect(shown.articles_total).toBe(1_001);
    }
    const written = await send(`PUT ${cms}/authors/${author}`, { name: 'Ines Ferreira' });
    expect(written.json.articles_total).toBe(1_001);
  });

  test('are included in full', async () => {
    const { json } = await send(`GET ${cms}/stories/${story}?include=topics`);
    expect(json.topics).toHaveLength(1_002);
    expect(json).not.toHaveProperty('topics_total');
  });

  test('are cut in versions and in drafts', async () => {
    const put = await send(`PUT ${admin}/stories/${story}`, { title: 'S2', status: 'live' }, 'eve');
    expect(put.status).toBe(200);
    const { json } = await send(`GET ${admin}/stories/${story}/revisions`, undefined, 'eve');
    const path = `${admin}/stories/${story}/revisions/${json.items[0].revision}`;
    const version = await send(`GET ${path}`, undefined, 'eve');
    expect(version.json.record.topics).toEqual(ids.slice(0, 1_000));
    expect(version.json.record.topics_total).toBe(1_002);
    const drafted = ids.toReversed();
    const draft = await send(`PUT ${admin}/stories/${story}?draft=true`, { topics: drafted }, 'eve');
    expect(draft.json.topics).toEqual(drafted.slice(0, 1_000));
    const seen = await send(`GET ${admin}/stories/${story}?draft=true`, undefined, 'eve');
    expect(seen.json.topics).toEqual(drafted.slice(0, 1_000));
    expect(seen.json.topics_total).toBe(1_002);
    expect((await send(`POST ${path}/restore`, {}, 'eve')).status).toBe(200);
    expect((await send(`GET ${cms}/stories/${story}`)).json.topics_total).toBe(1_002);
  });

  test('that are sent back cut are rejected, and nothing is lost', async () => {
    const { json } = await send(`GET ${cms}/stories/${story}`);
    const back = await send(`PUT ${cms}/stories/${story}`, json);
    expect(back.status).toBe(422);
    expect(back.json.errors).toEqual([expect.objectContaining({ field: 'topics', code: 'incomplete' })]);
    expect((await send(`GET ${cms}/stories/${story}`)).json.topics_total).toBe(1_002);
    // Without them the rest can be sent back; with all of them the number does not matter.
    const { topics: _, ...rest } = json;
    expect((await send(`PUT ${cms}/stories/${story}`, rest)).status).toBe(200);
    expect((await send(`PUT ${cms}/stories/${story}`, { ...json, topics: ids })).status).toBe(200);
    const author = await send(`GET ${cms}/authors/${plantedId(1)}`);
    expect((await send(`PUT ${cms}/authors/${plantedId(1)}`, author.json)).status).toBe(200);
  });

  test('have no number where a field has that name', async () => {
    const { json } = await send(`GET ${cms}/shelves/${shelf}`);
    expect(json.topics).toHaveLength(1_000);
    expect(json.topics_total).toBe(7);
    expect((await send(`PUT ${cms}/shelves/${shelf}`, { topics_total: 3, topics: ids })).json.topics_total).toBe(3);
  });
});

test('texts of groups are weighed before they are read', async () => {
  await using service = await TestService.open(definitions, { budget: { included: 50, bytes: 30_000 } });
  for (let made = 0; made < 30; made += 1) {
    await service.seed('articles', { title: `${made}`, body: `${made} ${'é'.repeat(2_000)}` });
  }
  const { database } = service;
  const reader = database.reader.bind(database);
  const read: number[] = [];
  database.reader = (names, kind) => {
    const place = reader(names, kind);
    return {
      rows: <Row>(query: Query) => place.rows<Row>(query),
      first: async <Row>(query: Query) => {
        const row = await place.first<Row>(query);
        read.push(JSON.stringify(row).length);
        return row;
      },
    };
  };
  for (const search of [
    'group=body',
    'group=title&max=body',
    'group=title&min=body,title&count=true&sort=count:desc',
  ]) {
    const { status, json } = await service.send(`GET /api/v1/cms/articles/aggregate?${search}`);
    expect([search, status, json.code]).toEqual([search, 400, 'answer_too_large']);
  }
  expect(Math.max(...read)).toBeLessThan(100);
  const { json } = await service.send('GET /api/v1/cms/articles/aggregate?group=title&max=title&sort=title:desc');
  expect(json.items.map(({ title }: { title: string }) => title).slice(0, 3)).toEqual(['9', '8', '7']);
  expect(json.items).toHaveLength(30);
});
