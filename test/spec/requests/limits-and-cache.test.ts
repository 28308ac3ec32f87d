import { afterAll, beforeAll, describe, expect, setSystemTime, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { etagOf } from '../../../packages/recto/src/records/answers/answer.ts';
import { query } from '../../support/database/database.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, type Sent, TestService } from '../../support/service.ts';
import { plant, plantedId } from '../rules/planted.ts';

// Service specification, section 8: limits, and the rules of the cache; conditional requests.

const cached = { cache: true };
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['lockable'],
    fields: [
      text('title'),
      { name: 'views', field_type: 'integer' },
      { name: 'price', field_type: 'decimal' },
      text('note', { private: true }),
      relation('author', 'many_to_one', 'authors'),
      relation('topics', 'many_to_many', 'topics'),
    ],
    api: { list: cached, get: cached, update: { access: 'public' } },
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [text('name'), relation('articles', 'one_to_many', 'articles', { mapped_by: 'author' })],
    api: { list: cached, get: cached },
  },
  { singular: 'topic', plural: 'topics', fields: [text('name')], api: { list: cached, get: cached } },
  { singular: 'plain', plural: 'plains', fields: [text('title')], api: { update: { access: 'public' } } },
  { singular: 'report', plural: 'reports', api_restful: false, fields: [text('title')], api: { list: cached } },
  { singular: 'site', plural: 'sites', kind: 'single', fields: [text('title')], api: { get: cached } },
];

const miss = 'recto; fwd=miss; stored';
const hit = 'recto; hit';

async function open(options: { readonly cacheSeconds?: number } = {}, types: readonly unknown[] = definitions) {
  const service = await TestService.open(types, options);
  await service.account('ada', 'admin');
  await service.account('mia');
  return service;
}

const look = async (service: TestService, path: string, sent: Sent = {}) => {
  const { status, headers, json } = await service.send(`GET /api/v1/cms/${path}`, sent);
  return { status, cache: headers.get('cache-status'), json };
};
const statusOf = async (service: TestService, path: string, sent: Sent = {}) => (await look(service, path, sent)).cache;

describe('limits', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await open();
    await plant(
      service,
      Array.from({ length: 130 }, (_, at) => ({ type: 'plain', id: plantedId(at), body: { title: `${at}` } })),
    );
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const sizes = [
    ['default page size: 20 items', '', 20, 20],
    ['maximum page size: 100 items where nothing else is configured', '?page_size=101', 100, 100],
    ['the last page has what is left', '?page_size=100&page=2', 100, 30],
  ] as const;
  test.each(sizes)('%s', async (_, query, size, items) => {
    const { json } = await look(service, `plains${query}`);
    expect([json.page_size, json.items.length, json.total]).toEqual([size, items, 130]);
  });
  test('default page: 1', async () => expect((await look(service, 'plains')).json.page).toBe(1));
});

describe('1. caching applies only to endpoints with cache = true', () => {
  test('a second request of each cached endpoint is a hit, of any other never', async () => {
    await using service = await open();
    const { id } = await service.seed('articles', { title: 'x' });
    const plain = await service.seed('plains', { title: 'x' });
    for (const path of ['articles', `articles/${id}`, 'site']) {
      await statusOf(service, path);
      expect([path, await statusOf(service, path), await statusOf(service, path)]).toEqual([path, hit, hit]);
    }
    for (const path of ['plains', `plains/${plain.id}`]) {
      expect([await statusOf(service, path), await statusOf(service, path)]).toEqual([null, null]);
    }
    for (const path of ['articles', `articles/${id}`]) {
      const line = `GET /api/v1/admin/cms/${path}`;
      const admin = [await service.send(line, { as: 'ada' }), await service.send(line, { as: 'ada' })];
      expect(admin.map(({ headers }) => headers.get('cache-status'))).toEqual([null, null]);
    }
  });

  test('a lifetime of 0 remembers nothing', async () => {
    await using service = await open({ cacheSeconds: 0 });
    expect([await statusOf(service, 'articles'), await statusOf(service, 'articles')]).toEqual([null, null]);
  });

  test('0 seconds: a total is counted anew when a type changes that the rule looks into', async () => {
    const list = { filter: 'team.open = true', cache: true };
    const teams = { singular: 'team', plural: 'teams', fields: [{ name: 'open', field_type: 'boolean' }] };
    const notes = {
      singular: 'note',
      plural: 'notes',
      fields: [relation('team', 'many_to_one', 'teams')],
      api: { list },
    };
    await using service = await TestService.open([teams, notes], { cacheSeconds: 0 });
    const team = await service.seed('teams', { open: true });
    await service.seed('notes', { team: team.id });
    const total = async () => (await service.send('GET /api/v1/cms/notes')).json.total;
    // A token is looked up by generations too, so that the total below is remembered with the newest.
    await service.send('GET /api/v1/auth/me', { as: 'seeding-admin' });
    expect(await total()).toBe(1);
    await service.send(`PUT /api/v1/admin/cms/teams/${team.id}`, { as: 'seeding-admin', body: { open: false } });
    expect(await total()).toBe(0);
  });

  test('a total is not taken for that of a list which includes others, changed as often', async () => {
    const named = (singular: string) => ({
      singular,
      plural: `${singular}s`,
      fields: [
        { name: 'name', field_type: 'text' },
        { name: 'open', field_type: 'boolean' },
      ],
    });
    const notes = {
      singular: 'note',
      plural: 'notes',
      fields: [
        relation('editor', 'many_to_one', 'persons'),
        relation('team', 'many_to_one', 'teams'),
        relation('venue', 'many_to_one', 'venues'),
      ],
      api: { list: { filter: 'team.open = true' } },
    };
    await using service = await TestService.open([named('person'), named('team'), named('venue'), notes]);
    for (const name of ['one', 'two']) await service.seed('persons', { name });
    await service.seed('venues', { name: 'one' });
    const team = await service.seed('teams', { open: true });
    await service.seed('notes', { team: team.id });
    const total = async (include: string) =>
      (await service.send(`GET /api/v1/cms/notes?include=${include}`)).json.total;
    // Made of notes, persons and teams, of which the last two have changed twice and once.
    expect(await total('editor')).toBe(1);
    await service.send(`PUT /api/v1/admin/cms/teams/${team.id}`, { as: 'seeding-admin', body: { open: false } });
    // Made of notes, teams and venues: the last two have changed twice and once.
    expect(await total('team,venue')).toBe(0);
  });

  test('an answer is kept for cms_cache_ttl_secs and not longer', async () => {
    await using service = await open({ cacheSeconds: 30 });
    const begin = performance.now();
    const clock = spyOn(performance, 'now');
    const at = async (seconds: number) => {
      // The cache looks at the clock once a millisecond.
      await Bun.sleep(3);
      clock.mockImplementation(() => begin + seconds * 1000);
      return statusOf(service, 'articles');
    };
    try {
      expect([await at(0), await at(29), await at(31), await at(32)]).toEqual([miss, hit, miss, hit]);
    } finally {
      clock.mockRestore();
    }
  });

  test('what is rejected or not there is not kept', async () => {
    await using service = await open();
    expect((await look(service, 'articles?bogus=1')).cache).toBe(null);
    const id = plantedId(1);
    expect((await look(service, `articles/${id}`)).status).toBe(404);
    await plant(service, [{ type: 'article', id, body: { title: 'x' } }]);
    expect((await look(service, `articles/${id}`)).status).toBe(200);
  });
});

describe('2. keyed by the query', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await open();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const equal = [
    ['articles', 'articles?page=1&page_size=20'],
    ['articles?sort=title:asc,views:desc', 'articles?sort=title%3Aasc%2Cviews%3Adesc'],
    ['articles?page_size=100', 'articles?page_size=5000'],
    ['articles?views=7', 'articles?views=007'],
    ['articles?price=1.5', 'articles?price=1.50'],
    ['articles?views=7&title=x', 'articles?title=x&views=7'],
    ['articles?include=author,topics', 'articles?include=topics,author'],
    ['articles?include=author.articles', 'articles?include=author,author.articles'],
    ['articles?search=Caf%C3%A9%20noir', 'articles?search=cafe+NOIR'],
    ['articles?skip_total=false', 'articles?search='],
    ['articles?title=a%20b', 'articles?title=a+b'],
  ] as const;
  test.each(equal)('%s and %s share an answer', async (one, other) => {
    service.answers.clear();
    expect([await statusOf(service, one), await statusOf(service, other)]).toEqual([miss, hit]);
  });
  const different = [
    'page=2',
    'page_size=19',
    'skip_total=true',
    'sort=title:asc',
    'sort=title:desc',
    'search=x',
    'title=x',
    'title=X',
    'views=1',
    'include=author',
    'include=topics',
  ];
  test('different queries do not', async () => {
    service.answers.clear();
    for (const query of ['', ...different])
      expect([query, await statusOf(service, `articles?${query}`)]).toEqual([query, miss]);
  });
  test('anonymous callers, members and admins share what depends on none of them', async () => {
    service.answers.clear();
    const callers = [{}, { as: 'mia' }, { as: 'ada' }];
    const statuses = [];
    for (const caller of callers) statuses.push(await statusOf(service, 'articles', caller));
    expect(statuses).toEqual([miss, hit, hit]);
  });
});

describe('3. writes end the cached answers', () => {
  interface World {
    readonly service: TestService;
    readonly article: string;
    readonly author: string;
    readonly topic: string;
  }
  async function world(): Promise<World> {
    const service = await open();
    const author = (await service.seed('authors', { name: 'Ann' })).id;
    const topic = (await service.seed('topics', { name: 'Art' })).id;
    const article = (await service.seed('articles', { title: 'One', author, topics: [topic] })).id;
    return { service, article, author, topic };
  }
  const articlesRead = ['articles', 'articles/{article}', 'articles?include=author'];
  const cases: readonly (readonly [
    name: string,
    line: string,
    body: object | undefined,
    status: number,
    ended: readonly string[],
    kept: readonly string[],
  ])[] = [
    ['create', 'POST /api/v1/cms/articles', { title: 'x' }, 201, [...articlesRead, 'authors'], ['topics']],
    ['update', 'PUT /api/v1/cms/articles/{article}', { title: 'x' }, 200, [...articlesRead, 'authors'], ['topics']],
    ['delete', 'DELETE /api/v1/cms/articles/{article}', undefined, 204, ['articles', 'authors'], ['topics']],
    ['admin create', 'POST /api/v1/admin/cms/articles', { title: 'x' }, 201, articlesRead, ['topics']],
    ['admin update', 'PUT /api/v1/admin/cms/articles/{article}', { title: 'x' }, 200, articlesRead, ['topics']],
    ['admin delete', 'DELETE /api/v1/admin/cms/articles/{article}', undefined, 204, ['articles'], ['topics']],
    ['simple create', 'POST /api/v1/cms/reports/create', { title: 'x' }, 201, ['reports'], articlesRead],
    ['update of a single type', 'PUT /api/v1/cms/site', { title: 'x' }, 200, ['site'], articlesRead],
    [
      'update of an included type',
      'PUT /api/v1/admin/cms/authors/{author}',
      { name: 'x' },
      200,
      ['articles?include=author', 'authors'],
      ['articles', 'articles/{article}'],
    ],
    [
      'deletion that nulls a reference',
      'DELETE /api/v1/admin/cms/authors/{author}',
      undefined,
      204,
      [...articlesRead, 'authors'],
      ['topics'],
    ],
    [
      'deletion that unlinks',
      'DELETE /api/v1/admin/cms/topics/{topic}',
      undefined,
      204,
      [...articlesRead, 'topics'],
      [],
    ],
    [
      'a refused write',
      'PUT /api/v1/cms/articles/{article}',
      { bogus: 1 },
      422,
      [],
      [...articlesRead, 'authors', 'topics'],
    ],
  ];
  test.each(cases)('%s: %s', async (_, line, body, status, ended, kept) => {
    const { service, ...ids } = await world();
    await using _closed = service;
    const filled = (path: string) =>
      path.replace(/\{(\w+)\}/g, (__, name: 'article' | 'author' | 'topic') => ids[name]);
    for (const path of [...ended, ...kept]) await statusOf(service, filled(path));
    for (const path of [...ended, ...kept]) expect([path, await statusOf(service, filled(path))]).toEqual([path, hit]);
    expect((await service.send(filled(line), { as: 'ada', ...(body === undefined ? {} : { body }) })).status).toBe(
      status,
    );
    for (const path of kept) expect([path, await statusOf(service, filled(path))]).toEqual([path, hit]);
    for (const path of ended) expect([path, await statusOf(service, filled(path))]).toEqual([path, miss]);
  });

  test('reads after a write return what was written', async () => {
    const { service, article, author, topic } = await world();
    await using _closed = service;
    const read = async () => {
      const { items, total } = (await look(service, 'articles?include=author')).json;
      return [total, items[0]?.title, items[0]?.author?.name ?? null, items[0]?.topics];
    };
    const as = 'ada';
    expect(await read()).toEqual([1, 'One', 'Ann', [topic]]);
    await service.send(`PUT /api/v1/admin/cms/authors/${author}`, { as, body: { name: 'Bo' } });
    expect(await read()).toEqual([1, 'One', 'Bo', [topic]]);
    await service.send(`DELETE /api/v1/admin/cms/authors/${author}`, { as });
    expect(await read()).toEqual([1, 'One', null, [topic]]);
    await service.send(`DELETE /api/v1/admin/cms/topics/${topic}`, { as });
    expect(await read()).toEqual([1, 'One', null, []]);
    await service.send(`DELETE /api/v1/cms/articles/${article}`, { as });
    expect(await read()).toEqual([0, undefined, null, undefined]);
  });

  test('a write by another connection or process ends them at the next look', async () => {
    const { service, article } = await world();
    await using _closed = service;
    expect((await look(service, `articles/${article}`)).json.title).toBe('One');
    const other = await service.database.again();
    await other.transaction(async (transaction) => {
      await transaction.run(query('update cms_article set title = ? where id = ?', 'Other', article));
      transaction.touch('article');
    });
    await other.close();
    const { cache, json } = await look(service, `articles/${article}`);
    // A notification of the same write may come in between and keep the answer from being stored.
    expect(cache).toStartWith('recto; fwd=miss');
    expect(json.title).toBe('Other');
  });
});

describe('a cached answer is never shown to a caller for whom the rule decides otherwise', () => {
  const rules: readonly (readonly [rule: string, endpoint: object])[] = [
    ['owner', { filter: 'open = true', filter_auth: 'owner = @request.auth.id' }],
    ['role', { filter: '@request.auth.role = "editor" || open = true' }],
    ['signed-in', { filter: 'open = true', filter_auth: 'open = false' }],
    ['sent', { filter: 'title = @request.query.code || open = true' }],
    ['time', { filter: 'until > @now' }],
    ['path', { filter: 'team.open = true' }],
  ];
  const thing = (name: string, api: object) => ({
    singular: name,
    plural: `${name}s`,
    fields: [
      text('title'),
      { name: 'open', field_type: 'boolean' },
      text('owner', { private: true }),
      { name: 'until', field_type: 'datetime' },
      relation('team', 'many_to_one', 'teams'),
    ],
    api,
  });
  /** A type without rules of its own, whose includes have one each: the answer depends on theirs. */
  const holder = {
    singular: 'holder',
    plural: 'holders',
    fields: [
      text('title'),
      ...rules.map(([name]) => relation(`the-${name}`, 'many_to_one', `${name}s`)),
      relation('closed', 'many_to_one', 'closed-ones'),
      relation('paged', 'many_to_one', 'paged-ones'),
    ],
    api: { list: cached, get: cached },
  };
  const types = [
    { singular: 'team', plural: 'teams', fields: [{ name: 'open', field_type: 'boolean' }] },
    ...rules.map(([name, rule]) => thing(name, { list: { ...rule, cache: true }, get: { ...rule, cache: true } })),
    thing('closed-one', { get: { access: 'member' } }),
    // A rule of an included type may read what the list itself takes as a parameter.
    thing('paged-one', { get: { filter: '@request.query.page = null && @request.query.title = null' } }),
    holder,
  ];
  const names = types.map(({ singular }) => singular).filter((name) => name !== 'team' && name !== 'holder');
  const callers = [undefined, 'mia', 'max', 'eve', 'ada'] as const;

  async function planted(cacheSeconds: number): Promise<TestService> {
    const service = await TestService.open(types, { cacheSeconds });
    const mia = await service.account('mia');
    await service.account('max');
    await service.account('eve', 'editor');
    await service.account('ada', 'admin');
    const id = (at: number) => plantedId(at);
    await plant(service, [
      { type: 'team', id: id(1), body: { open: true } },
      ...names.flatMap((type, at) => [
        { type, id: id(100 + at * 10), body: { title: 'x', open: true, team: id(1), until: '2999-01-01T00:00:00Z' } },
        { type, id: id(101 + at * 10), body: { title: 'y', open: false, owner: mia } },
      ]),
      ...[0, 1].map((hidden) => ({
        type: 'holder',
        id: id(10 + hidden),
        body: {
          title: `${hidden}`,
          ...Object.fromEntries(rules.map(([name], at) => [`the-${name}`, id(100 + at * 10 + hidden)])),
          closed: id(100 + rules.length * 10 + hidden),
          paged: id(110 + rules.length * 10 + hidden),
        },
      })),
    ]);
    return service;
  }

  const includes = [...rules.map(([name]) => `the-${name}`), 'closed', 'paged'];
  const query = fc.constantFrom('', '?page=1', '?page_size=20', '?title=x', '?sort=title:desc', '?skip_total=true');
  const code = fc.constantFrom('', '?code=y', '?code=x', '?code=');
  const reads = fc.oneof(
    fc.tuple(fc.constantFrom(...names), query).map(([name, asked]) => `${name}s${asked}`),
    fc
      .tuple(fc.constantFrom(...names), fc.constantFrom(0, 1))
      .map(([name, hidden]) => `${name}s/${plantedId(100 + names.indexOf(name) * 10 + hidden)}`),
    code.map((asked) => `sents${asked}`),
    code.map((asked) => `sents/${plantedId(101 + names.indexOf('sent') * 10)}${asked}`),
    fc
      .tuple(fc.constantFrom(...includes), fc.constantFrom('', '&page=1', '&title=0'))
      .map(([name, more]) => `holders?include=${name}${more}`),
    fc.constantFrom(...includes).map((name) => `holders/${plantedId(11)}?include=${name}`),
  );
  const change = fc
    .tuple(
      fc.constantFrom(...names),
      fc.constantFrom(0, 1),
      fc.record({ open: fc.boolean(), title: fc.constantFrom('x', 'y') }, { requiredKeys: [] }),
    )
    .map(([name, hidden, body]) => ({
      line: `PUT /api/v1/admin/cms/${name}s/${plantedId(100 + names.indexOf(name) * 10 + hidden)}`,
      as: 'ada',
      body,
    }));
  const team = fc
    .boolean()
    .map((opened) => ({ line: `PUT /api/v1/admin/cms/teams/${plantedId(1)}`, as: 'ada', body: { open: opened } }));
  const read = fc
    .tuple(reads, fc.constantFrom(...callers))
    .map(([path, as]) => ({ line: `GET /api/v1/cms/${path}`, as, body: undefined }));
  const steps = fc.array(fc.oneof({ weight: 30, arbitrary: read }, change, team), {
    minLength: 300,
    maxLength: 300,
    size: 'max',
  });

  test('any caller, in any order, with writes in between, gets what a service without a cache answers', async () => {
    const statuses = new Map<string | null, number>();
    let failure = '';
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await using quick = await planted(30);
        await using slow = await planted(0);
        for (const { line, as, body } of all) {
          const sent = { ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body }) };
          const [a, b] = [await quick.send(line, sent), await slow.send(line, sent)];
          const cache = a.headers.get('cache-status');
          statuses.set(cache, (statuses.get(cache) ?? 0) + 1);
          // Of a write the status alone: its answer shows owners, who are not the same in both.
          const comparable = ({ status, text }: Reply) =>
            body === undefined ? `${status} ${text.replace(/"request_id":"[^"]*"/, '')}` : `${status}`;
          if (comparable(a) === comparable(b)) continue;
          failure = `${as ?? 'anonymous'}: ${line} (${cache})\n${comparable(a)}\n${comparable(b)}`;
          return false;
        }
        return true;
      }),
      {
        numRuns: randomCases(3),
        endOnFailure: true,
        reporter: ({ failed, seed, errorInstance }) => {
          if (failed) throw new Error(`seed ${seed}: ${failure}${errorInstance ?? ''}`);
        },
      },
    );
    expect(statuses.get(hit)).toBeGreaterThan(100);
    expect(statuses.get(miss)).toBeGreaterThan(100);
    expect(statuses.get('recto; fwd=bypass')).toBeGreaterThan(10);
  });
});

describe('what time alone changes is never kept', () => {
  const rule = { filter: 'until > @now', cache: true };
  const timed = {
    singular: 'timed',
    plural: 'timeds',
    fields: [text('title'), { name: 'until', field_type: 'datetime' }],
    api: { list: rule, get: rule },
  };
  const holder = {
    singular: 'holder',
    plural: 'holders',
    fields: [relation('timed', 'many_to_one', 'timeds')],
    api: { list: cached, get: cached },
  };
  test('lists, totals, records, and what they include', async () => {
    await using service = await TestService.open([timed, holder]);
    const id = plantedId(1);
    await plant(service, [
      { type: 'timed', id, body: { until: '2026-11-21T12:00:00Z' } },
      { type: 'holder', id: plantedId(2), body: { timed: id } },
    ]);
    const read = async () => {
      const list = await look(service, 'timeds');
      const one = await look(service, `timeds/${id}`);
      const held = await look(service, 'holders?include=timed');
      const heldOne = await look(service, `holders/${plantedId(2)}?include=timed`);
      const bypass = [list, held, heldOne].map(({ cache }) => cache);
      expect(bypass).toEqual(bypass.map(() => 'recto; fwd=bypass'));
      const present = [held.json.items[0], heldOne.json].map((holding) => holding.timed !== null);
      return [list.json.items.length, list.json.total, one.status, ...present];
    };
    try {
      for (const time of ['11:59:59.999', '12:00:00.000', '11:00:00.000']) {
        setSystemTime(new Date(`2026-11-21T${time}Z`));
        expect([time, ...(await read())]).toEqual(
          time < '12' ? [time, 1, 1, 200, true, true] : [time, 0, 0, 404, false, false],
        );
      }
    } finally {
      setSystemTime();
    }
  });
});

describe('ETag and If-None-Match', () => {
  let service: TestService;
  const ids = { articles: '', plains: '' };
  beforeAll(async () => {
    service = await open();
    ids.articles = (await service.seed('articles', { title: 'x' })).id;
    ids.plains = (await service.seed('plains', { title: 'x' })).id;
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const reads = [
    ['a cached list', '/api/v1/cms/articles'],
    ['a cached record', '/api/v1/cms/articles/{articles}'],
    ['an uncached list', '/api/v1/cms/plains'],
    ['an uncached record', '/api/v1/cms/plains/{plains}'],
    ['a single type', '/api/v1/cms/site'],
    ['an admin list', '/api/v1/admin/cms/articles'],
    ['an admin record', '/api/v1/admin/cms/articles/{articles}'],
  ] as const;
  const at = (path: string) => path.replace(/\{(\w+)\}/, (_, name: 'articles' | 'plains') => ids[name]);

  test.each(reads)('%s: %s', async (_, path) => {
    const ask = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      service.send(`${method} ${at(path)}`, { as: 'ada', headers });
    const first = await ask();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect((await ask()).headers.get('etag')).toBe(etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await ask({ 'If-None-Match': known });
      expect([known, reply.status, reply.text, reply.headers.get('etag')]).toEqual([known, 304, '', etag]);
      expect((await ask({ 'If-None-Match': known }, 'HEAD')).status).toBe(304);
    }
    for (const other of ['"other"', etag.slice(1, -1), '']) {
      const reply = await ask({ 'If-None-Match': other });
      expect([other, reply.status, reply.text]).toEqual([other, 200, first.text]);
    }
  });

  test.each(['articles', 'plains'] as const)('a change of %s changes the tags', async (plural) => {
    const paths = [plural, `${plural}/${ids[plural]}`];
    const tags = async () =>
      Promise.all(paths.map(async (path) => (await service.send(`GET /api/v1/cms/${path}`)).headers.get('etag')));
    const before = await tags();
    await service.send(`PUT /api/v1/admin/cms/${plural}/${ids[plural]}`, { as: 'ada', body: { title: 'other' } });
    const after = await tags();
    expect(after.some((tag, index) => tag === before[index])).toBe(false);
    const stale = await service.send(`GET /api/v1/cms/${paths[1]}`, { headers: { 'If-None-Match': before[1] ?? '' } });
    expect([stale.status, stale.json.title]).toEqual([200, 'other']);
  });
});

describe('If-Match and lock_version', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await open();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const routes = [
    ['a public update', 'articles', 'PUT /api/v1/cms/articles/{id}', 200, '/api/v1/cms/articles/{id}'],
    ['an admin update', 'articles', 'PATCH /api/v1/admin/cms/articles/{id}', 200, '/api/v1/admin/cms/articles/{id}'],
    ['a public delete', 'articles', 'DELETE /api/v1/cms/articles/{id}', 204, '/api/v1/cms/articles/{id}'],
    ['an admin delete', 'plains', 'DELETE /api/v1/admin/cms/plains/{id}', 204, '/api/v1/admin/cms/plains/{id}'],
    ['an update of a type without lockable', 'plains', 'PUT /api/v1/cms/plains/{id}', 200, '/api/v1/cms/plains/{id}'],
  ] as const;
  test.each(routes)('%s', async (_, plural, line, success, read) => {
    const as = 'ada';
    const write = async (ifMatch: (etag: string) => string, changed: boolean) => {
      const { id } = await service.seed(plural, { title: 'x' });
      const { headers } = await service.send(`GET ${read.replace('{id}', id)}`, { as });
      if (changed) await service.send(`PUT /api/v1/admin/cms/${plural}/${id}`, { as, body: { title: 'changed' } });
      const body = line.startsWith('P') ? { body: { title: 'y' } } : {};
      const sent = { as, headers: { 'If-Match': ifMatch(headers.get('etag') ?? '') }, ...body };
      return (await service.send(line.replace('{id}', id), sent)).status;
    };
    expect(await write((etag) => etag, false)).toBe(success);
    expect(await write((etag) => `"other", ${etag}`, false)).toBe(success);
    expect(await write(() => '*', true)).toBe(success);
    expect(await write((etag) => etag, true)).toBe(409);
    expect(await write(() => '"other"', false)).toBe(409);
    expect(await write((etag) => `W/${etag}`, false)).toBe(409);
  });

  test('the tag of a write is current for the next one, and stale after that', async () => {
    const made = await service.send('POST /api/v1/cms/articles', { as: 'ada', body: { title: '1' } });
    const update = (etag: string | null, title: string) =>
      service.send(`PUT /api/v1/cms/articles/${made.json.id}`, {
        as: 'mia',
        body: { title },
        headers: { 'If-Match': etag ?? '' },
      });
    const second = await update(made.headers.get('etag'), '2');
    const third = await update(second.headers.get('etag'), '3');
    expect([second.status, third.status]).toEqual([200, 200]);
    expect((await update(second.headers.get('etag'), '4')).status).toBe(409);
    expect((await look(service, `articles/${made.json.id}`)).json.title).toBe('3');
  });

  test('the tag of an update that returns fewer fields is current for a deletion', async () => {
    const fields = [
      { name: 'title', field_type: 'text' },
      { name: 'body', field_type: 'text' },
    ];
    const note = {
      singular: 'note',
      plural: 'notes',
      fields,
      api: { update: { fields: ['title'] }, delete: { access: 'member' } },
    };
    await using notes = await TestService.open([note]);
    await notes.account('ada');
    const made = await notes.send('POST /api/v1/cms/notes', { as: 'ada', body: { title: '1', body: 'x' } });
    const path = `/api/v1/cms/notes/${made.json.id}`;
    const updated = await notes.send(`PUT ${path}`, { as: 'ada', body: { title: '2' } });
    const remove = (reply: Reply) =>
      notes.send(`DELETE ${path}`, { as: 'ada', headers: { 'If-Match': reply.headers.get('etag') ?? '' } });
    expect((await remove(made)).status).toBe(409);
    expect((await remove(updated)).status).toBe(204);
  });

  test('a tag that is made of a guess answers like any other', async () => {
    const fields = [
      { name: 'title', field_type: 'text' },
      { name: 'code', field_type: 'text' },
    ];
    const open = { access: 'public' };
    const type = (name: string, api: object) => ({ singular: name, plural: `${name}s`, fields, api });
    const short = { fields: ['title'] };
    const writes = { create: open, update: { ...open, ...short }, delete: open };
    const rule = { filter: 'code = null' };
    const types = [
      type('listed', { list: short, get: short, ...writes }),
      type('hidden', { list: rule, get: rule, ...writes }),
    ];
    await using guessed = await TestService.open(types);
    for (const { plural } of types) {
      const { id, title, code } = await guessed.seed(plural, { title: 'T', code: 'secret' });
      const headers = { 'If-Match': etagOf(JSON.stringify({ id, title, code })) };
      const send = (line: string, body?: object) =>
        guessed.send(`${line} /api/v1/cms/${plural}/${id}`, { headers, ...(body === undefined ? {} : { body }) });
      expect((await send('PUT', { title })).status).toBe(409);
      expect((await send('DELETE')).status).toBe(409);
    }
  });

  test('a stale lock_version is 409 and changes nothing; of 10 updates of one version one wins', async () => {
    const { id } = await service.seed('articles', { title: 'x' });
    const update = (lock_version: number, title: string) =>
      service.send(`PUT /api/v1/cms/articles/${id}`, { as: 'mia', body: { lock_version, title } });
    const all = await Promise.all(Array.from({ length: 10 }, (_, at) => update(1, `${at}`)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const stored = (await look(service, `articles/${id}`)).json;
    expect(stored).toEqual(all.find(({ status }) => status === 200)?.json);
    expect(stored.lock_version).toBe(2);
    expect((await update(2, 'y')).json).toMatchObject({ lock_version: 3, title: 'y' });
  });
});
