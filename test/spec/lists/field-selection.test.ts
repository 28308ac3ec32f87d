// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { definitionsOf } from '../../support/definitions.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// `fields` selects what of each record is returned: the same answer, reduced. It reveals nothing that the view does not show.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });

const definitions = [
  {
    singular: 'story',
    plural: 'stories',
    protocols: [
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['new', 'live'], published: 'live', transitions: { new: ['live'], live: ['new'] } },
      'lockable',
    ],
    fields: [
      text('title'),
      text('teaser'),
      text('text'),
      { name: 'views', field_type: 'integer' },
      { name: 'data', field_type: 'json' },
      relation('writer', 'many_to_one', 'writers'),
      relation('topics', 'many_to_many', 'topics'),
      {
        name: 'parts',
        field_type: 'blocks',
        blocks: [{ name: 'quote', fields: [text('words'), relation('by', 'many_to_one', 'writers')] }],
      },
      text('secret', { private: true }),
      { name: 'key', field_type: 'password' },
    ],
    api: {
      list: { cache: true, fields: ['title', 'teaser', 'views', 'data', 'writer', 'topics', 'parts', 'status'] },
      get: { cache: true },
    },
  },
  {
    singular: 'writer',
    plural: 'writers',
    fields: [text('name'), relation('stories', 'one_to_many', 'stories', { mapped_by: 'writer' })],
  },
  { singular: 'topic', plural: 'topics', fields: [text('name')] },
  {
    singular: 'site',
    kind: 'single',
    fields: [text('title'), text('claim'), relation('lead', 'many_to_one', 'stories')],
  },
];

let service: TestService;
let story: string;
let file: string;

beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true, commentsAutoApprove: 'all', cacheSeconds: 30 });
  await service.account('ada', 'admin');
  await service.account('mia');
  const writers = [await service.seed('writers', { name: 'Ines' }), await service.seed('writers', { name: 'Tom' })];
  const topics = [await service.seed('topics', { name: 'Type' }), await service.seed('topics', { name: 'Ink' })];
  for (const number of [1, 2, 3, 4, 5]) {
    const made = await service.seed('stories', {
      title: `Story ${number}`,
      teaser: `Amber ${number}`,
      text: 'Birch',
      views: number % 3,
      data: { rooms: [number] },
      writer: writers[number % 2]?.id,
      topics: topics.slice(number % 3).map(({ id }) => id),
      parts: [{ block: 'quote', words: `Cedar ${number}`, by: writers[0]?.id }],
      secret: `hidden ${number}`,
      key: 'a long password',
      status: 'live',
    });
    story ??= made.id;
  }
  const author = { as: 'ada', body: { display_name: 'Ada', profile_public: true } };
  expect((await service.send('PUT /api/v1/auth/me', author)).status).toBe(200);
  for (const title of ['One', 'Two']) {
    await service.seed('posts', { title, content: 'Text.', status: 'Published', tags: ['a'] });
    await service.seed('pages', { title, content: 'Text.', status: 'Published' });
  }
  const first = await comment({ content: 'First' });
  await comment({ content: 'Reply', parent_id: first });
  const uploaded = await service.send('POST /api/v1/media?name=a.txt', {
    ...{ as: 'ada', headers: { 'Content-Type': 'text/plain' }, body: new TextEncoder().encode('Text.') },
  });
  file = uploaded.json.id;
});
afterAll(() => service[Symbol.asyncDispose]());

async function comment(body: object): Promise<string> {
  const { json, status } = await service.send('POST /api/v1/posts/one/comments/authed', { as: 'ada', body });
  expect(status).toBe(201);
  return json.id;
}

const read = (path: string, query = '', more: object = {}): Promise<Reply> =>
  service.send(
    `GET /api/v1${path.replace('{story}', story).replace('{file}', file).replace('{ada}', service.idOf('ada'))}${
      query === '' ? '' : `?${query}`
    }`,
    { as: 'ada', ...more },
  );

const ok = async (reply: Promise<Reply>): Promise<Reply['json']> => {
  const { status, text, json } = await reply;
  expect({ status, text }).toEqual({ status: 200, text });
  return json;
};

interface Route {
  readonly path: string;
  /** What `include` names there, and the member that it populates. */
  readonly includes?: Readonly<Record<string, string>>;
}

const routes: readonly Route[] = [
  { path: '/cms/stories', includes: { 'writer.stories': 'writer', topics: 'topics', 'parts.by': 'parts' } },
  { path: '/cms/stories/{story}', includes: { writer: 'writer', 'parts.by': 'parts' } },
  { path: '/admin/cms/stories', includes: { writer: 'writer', topics: 'topics' } },
  { path: '/admin/cms/stories/{story}', includes: { topics: 'topics' } },
  { path: '/admin/cms/stories/{story}?draft=true', includes: { topics: 'topics' } },
  { path: '/cms/site', includes: { lead: 'lead' } },
  { path: '/admin/cms/site', includes: { lead: 'lead' } },
  { path: '/posts', includes: { author: 'author', categories: 'categories' } },
  { path: '/posts/one', includes: { author: 'author' } },
  { path: '/admin/posts', includes: { author: 'author' } },
  { path: '/pages', includes: { author: 'author' } },
  { path: '/pages/one' },
  { path: '/admin/pages' },
  { path: '/comments', includes: { author: 'author' } },
  { path: '/admin/comments' },
  { path: '/posts/one/comments', includes: { author: 'author' } },
  { path: '/media' },
  { path: '/media/{file}' },
  { path: '/admin/media' },
  { path: '/users/{ada}' },
  { path: '/admin/users' },
  { path: '/admin/users/{ada}' },
];

type Shown = Readonly<Record<string, unknown>>;

/** A record, and the replies to a comment, with these members alone. */
function reduced(record: Shown, names: ReadonlySet<string>): object {
  const kept = Object.entries(record).filter(([name]) => name === 'id' || name === 'replies' || names.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) =>
      // Only a thread has replies.
      name === 'replies' ? [name, (value as readonly Shown[]).map((one) => reduced(one, names))] : [name, value],
    ),
  );
}

const reducedAnswer = (json: Reply['json'], names: ReadonlySet<string>): object =>
  Array.isArray(json.items)
    ? { ...json, items: json.items.map((one: Shown) => reduced(one, names)) }
    : reduced(json, names);

describe.each(routes)('$path', ({ path: address, includes = {} }) => {
  const [path = '', query = ''] = address.split('?');
  const ask = (parameters: Readonly<Record<string, string>>): Promise<Reply> =>
    read(path, `${new URLSearchParams([...new URLSearchParams(query), ...Object.entries(parameters)])}`);

  test('the answer is the same but for the members that are not selected', async () => {
    const whole = await ok(ask({}));
    const one: Shown = Array.isArray(whole.items) ? whole.items[0] : whole;
    const names = Object.keys(one).filter((name) => name !== 'replies');
    expect(names.length).toBeGreaterThan(2);
    const selections = fc.tuple(
      fc.subarray(names, { minLength: 1 }),
      fc.subarray(Object.keys(includes)),
      fc.func(fc.boolean()),
    );
    await fc.assert(
      fc.asyncProperty(selections, async ([selected, included, turned]) => {
        const include = included.length === 0 ? {} : { include: included.join(',') };
        const expected = await ok(ask(include));
        const order = turned() ? selected : selected.toReversed();
        const actual = await ask({ fields: order.join(','), ...include });
        const kept = new Set([...selected, ...included.map((name) => includes[name] ?? '')]);
        // Of posts, the author stands beside `author_id`: it is no field itself.
        expect(JSON.stringify(await ok(Promise.resolve(actual)))).toBe(JSON.stringify(reducedAnswer(expected, kept)));
      }),
      { numRuns: randomCases(12) },
    );
  });

  test('empty is as left out; names may repeat', async () => {
    expect(await ok(ask({ fields: '' }))).toEqual(await ok(ask({})));
    const [once, twice] = [await ask({ fields: 'id' }), await ask({ fields: 'id,id' })];
    expect([twice.status, twice.text]).toEqual([200, once.text]);
  });

  test.each(['nothing', 'secret', 'key', '', 'author.name', 'replies', 'ID', '__proto__'].map((name) => [name]))(
    'what is no field (%s) is 400',
    async (name) => {
      if (name === 'secret' && address.includes('/admin/cms/stories')) return;
      const { status, json } = await ask({ fields: `id,${name}` });
      expect([status, json.code]).toEqual([400, 'invalid_parameter']);
      expect(json.detail).toStartWith(`"fields" names "${name}", which is no field of `);
    },
  );
});

describe('what may not be read', () => {
  const answerTo = async (name: string): Promise<string> => {
    const { text } = await read('/cms/stories', `fields=title,${name}`, { as: 'mia' });
    return text.replace(/"request_id":"[^"]*"/, '').replaceAll(name, 'NAME');
  };

  test('private, secret and not on the whitelist is the same as none', async () => {
    const none = await answerTo('nothing');
    expect(none).toContain('invalid_parameter');
    for (const name of ['secret', 'key', 'text', '__draft', 'lock_version']) expect(await answerTo(name)).toBe(none);
  });

  test('each endpoint goes by its own whitelist', async () => {
    expect(await ok(read(`/cms/stories/${story}`, 'fields=text', { as: 'mia' }))).toEqual({ id: story, text: 'Birch' });
    expect((await ok(read('/admin/cms/stories', 'fields=secret&sort=title:asc'))).items[0].secret).toBe('hidden 1');
  });
});

describe('with the other parameters', () => {
  test('filters, order and search go by fields that are not returned', async () => {
    const query = `${new URLSearchParams({ fields: 'title', search: 'amb', filter: 'views = 1', sort: 'views:desc,title:desc' })}`;
    const { items, total } = await ok(read('/cms/stories', query));
    expect(items.map(({ title, ...rest }: Shown) => [title, Object.keys(rest)])).toEqual([
      ['Story 4', ['id']],
      ['Story 1', ['id']],
    ]);
    expect(total).toBe(2);
  });

  test('a cursor goes on with other fields', async () => {
    const first = await ok(read('/cms/stories', 'page_size=2&fields=title&sort=title:asc'));
    const next = `page_size=2&sort=title:asc&cursor=${first.next_cursor}`;
    const [plain, other] = [
      await ok(read('/cms/stories', next)),
      await ok(read('/cms/stories', `${next}&fields=views`)),
    ];
    expect(plain.items.map(({ title }: Shown) => title)).toEqual(['Story 3', 'Story 4']);
    expect(other.items).toEqual(plain.items.map(({ id, views }: Shown) => ({ id, views })));
    expect(other.page).toBe(2);
  });

  test('of posts, the record beside an id is included without the id', async () => {
    const [post] = (await ok(read('/posts', 'fields=title&include=author&sort=title:asc'))).items;
    expect(Object.keys(post)).toEqual(['id', 'title', 'author']);
    expect(Object.keys(post.author)).toContain('display_name');
  });

  test('a list of ids that is cut has its number', async () => {
    const { id: writer } = await service.seed('writers', { name: 'Many' });
    await service.records.database.transaction(async (transaction) => {
      const { table } = service.types.get('story');
      const ids = Array.from({ length: 1001 }, (_, at) => `01990000-0000-7000-8000-${`${at}`.padStart(12, '0')}`);
      const values = ids.map((one) => `('${one}', '${writer}', 1, 'live')`).join(',');
      await transaction.run({
        sql: `insert into ${table} (id, writer, lock_version, status) values ${values}`,
        parameters: [],
      });
      transaction.touch('story');
    });
    const shown = await ok(read(`/cms/writers/${writer}`, 'fields=stories'));
    expect([Object.keys(shown), shown.stories.length, shown.stories_total]).toEqual([
      ['id', 'stories', 'stories_total'],
      1000,
      1001,
    ]);
    expect(await ok(read(`/cms/writers/${writer}`, 'fields=name'))).toEqual({ id: writer, name: 'Many' });
    await service.records.database.transaction(async (transaction) => {
      const { table } = service.types.get('story');
      await transaction.run({ sql: `delete from ${table} where writer = '${writer}'`, parameters: [] });
      transaction.touch('story');
    });
  });
});

describe('answers that are kept', () => {
  test('selections never stand for one another, and equal ones do', async () => {
    const asked = ['fields=title', 'fields=teaser', '', 'fields=title,teaser', 'fields=title&include=writer'];
    for (const path of ['/cms/stories', '/cms/stories/{story}']) {
      const fresh = [];
      for (const query of asked) fresh.push(await read(path, query));
      expect(new Set(fresh.map(({ text }) => text)).size).toBe(asked.length);
      expect(new Set(fresh.map(({ headers }) => headers.get('etag'))).size).toBe(asked.length);
      for (const [at, query] of asked.entries()) {
        const again = await read(path, query);
        expect([again.text, again.headers.get('cache-status')]).toEqual([fresh[at]?.text ?? '', 'recto; hit']);
        for (const { headers } of fresh) {
          const etag = headers.get('etag') ?? '';
          const { status } = await read(path, query, { headers: { 'If-None-Match': etag } });
          expect([query, status]).toEqual([query, etag === again.headers.get('etag') ? 304 : 200]);
        }
      }
      const turned = await read(path, 'fields=teaser,title,id,title');
      expect([turned.text, turned.headers.get('cache-status')]).toEqual([fresh[3]?.text ?? '', 'recto; hit']);
    }
  });

  test('a change shows at once', async () => {
    await read(`/cms/stories/${story}`, 'fields=teaser');
    await service.send(`PUT /api/v1/admin/cms/stories/${story}`, {
      as: 'ada',
      body: { teaser: 'Drift', lock_version: 1 },
    });
    expect(await ok(read(`/cms/stories/${story}`, 'fields=teaser'))).toEqual({ id: story, teaser: 'Drift' });
  });

  test('the tag of a part is not that of the record', async () => {
    const path = `/admin/cms/stories/${story}`;
    const tags = [];
    for (const query of ['fields=title', '']) tags.push((await read(path, query)).headers.get('etag') ?? '');
    const change = (etag: string) =>
      service.send(`PUT /api/v1${path}`, { as: 'ada', headers: { 'If-Match': etag }, body: { views: 1 } });
    const [part, whole] = [await change(tags[0] ?? ''), await change(tags[1] ?? '')];
    expect([part.status, part.json.code, whole.status]).toEqual([409, 'stale', 200]);
  });
});

test('a draft is shown in part', async () => {
  const path = `/admin/cms/stories/${story}`;
  const { json: topic } = await service.send('POST /api/v1/cms/topics', { as: 'ada', body: { name: 'Paper' } });
  const body = { title: 'Next', topics: [topic.id] };
  expect((await service.send(`PUT /api/v1${path}?draft=true`, { as: 'ada', body })).status).toBe(200);
  expect(await ok(read(path, 'draft=true&fields=title'))).toEqual({ id: story, title: 'Next' });
  expect(await ok(read(path, 'draft=true&fields=title&include=topics'))).toEqual({
    id: story,
    title: 'Next',
    topics: [expect.objectContaining({ id: topic.id, name: 'Paper' })],
  });
  expect((await ok(read(path, 'fields=title'))).title).not.toBe('Next');
  expect((await read(path, 'draft=true&fields=nothing')).json.code).toBe('invalid_parameter');
});

test('what is not selected weighs nothing', async () => {
  const budget = { included: 100, bytes: 40_000 };
  await using small = await TestService.open(
    [{ singular: 'note', plural: 'notes', fields: [text('name'), text('long')] }],
    {
      budget,
    },
  );
  await small.account('ada', 'admin');
  for (let count = 0; count < 30; count += 1)
    await small.seed('notes', { name: `Note ${count}`, long: 'x'.repeat(4000) });
  const ask = (query: string) => small.send(`GET /api/v1/cms/notes?page_size=100&${query}`);
  const [whole, part, long] = [await ask(''), await ask('fields=name'), await ask('fields=long')];
  expect([whole.json.code, part.json.items?.length, long.json.code]).toEqual([
    'answer_too_large',
    30,
    'answer_too_large',
  ]);
});

test.each([
  ['GET', '/cms/stories/aggregate'],
  ['GET', '/admin/cms/stories/{story}/revisions/1'],
  ['POST', '/cms/stories'],
  ['PUT', '/cms/stories/{story}'],
  ['DELETE', '/admin/cms/stories/{story}'],
])('%s %s takes no fields', async (method, path) => {
  const sent = { as: 'ada', ...(method === 'GET' ? {} : { body: {} }) };
  const { status, json } = await service.send(`${method} /api/v1${path.replace('{story}', story)}?fields=title`, sent);
  expect([status, json.code]).toEqual([400, 'unknown_parameter']);
});

test('no field has the name', () => {
  const broken = [{ singular: 'form', plural: 'forms', fields: [{ name: 'fields', field_type: 'json' }] }];
  expect(() => definitionsOf(...broken)).toThrow(/the name "fields" is taken: it is a parameter of lists/);
});
