// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';

// `filter=EXPRESSION` on lists: what it finds, what it may name, what it says of an error, and what works along with it.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});

const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['metaable', 'soft_deletable'],
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'body', field_type: 'richtext' },
      { name: 'views', field_type: 'integer', indexed: true },
      { name: 'big', field_type: 'bigint' },
      { name: 'price', field_type: 'decimal' },
      { name: 'share', field_type: 'float' },
      { name: 'featured', field_type: 'boolean' },
      { name: 'day', field_type: 'date' },
      { name: 'at', field_type: 'datetime' },
      { name: 'hour', field_type: 'time' },
      { name: 'mail', field_type: 'email' },
      { name: 'kind', field_type: 'enum', enum_values: ['news', 'essay'] },
      { name: 'slug', field_type: 'uid' },
      { name: 'data', field_type: 'json' },
      { name: 'image', field_type: 'media' },
      { name: 'word', field_type: 'password' },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'unlisted', field_type: 'text' },
      relation('author', 'many_to_one', 'authors'),
      relation('topics', 'many_to_many', 'topics'),
    ],
    api: {
      list: {
        cache: true,
        fields: [
          ...['title', 'body', 'views', 'big', 'price', 'share', 'featured', 'day', 'at', 'hour', 'mail', 'kind'],
          ...['slug', 'data', 'image', 'author', 'topics', '__meta'],
        ],
      },
    },
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'bio', field_type: 'text' },
      { name: 'active', field_type: 'boolean', private: true },
      { name: 'unlisted', field_type: 'text' },
      relation('team', 'many_to_one', 'teams'),
      relation('articles', 'one_to_many', 'articles', { mapped_by: 'author' }),
    ],
    api: { get: { filter: 'active = true', fields: ['name', 'bio', 'team', 'articles'] } },
  },
  {
    singular: 'team',
    plural: 'teams',
    fields: [{ name: 'name', field_type: 'text' }],
    api: { get: { access: 'member' } },
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'shown', field_type: 'boolean' },
    ],
    api: { get: { filter: 'shown = true' } },
  },
];

let service: TestService;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await TestService.open(definitions, { cacheSeconds: 30 });
  await service.account('ada', 'admin');
  ids.mia = await service.account('mia', 'member');
  const seed = async (name: string, plural: string, body: Record<string, unknown>) => {
    ids[name] = (await service.seed(plural, body)).id;
  };
  await seed('red', 'teams', { name: 'Red' });
  await seed('ines', 'authors', { name: 'Ines', bio: 'writes', active: true, team: ids.red, unlisted: 'u' });
  await seed('hugo', 'authors', { name: 'Hugo', bio: null, active: true });
  await seed('ghost', 'authors', { name: 'Ghost', bio: null, active: false, team: ids.red });
  await seed('type', 'topics', { name: 'type', shown: true });
  await seed('hush', 'topics', { name: 'hush', shown: false });
  await seed('a', 'articles', {
    title: 'Alpha',
    views: 1,
    big: '9007199254740993',
    price: '10.50',
    share: 0.5,
    featured: true,
    day: '2026-11-20',
    at: '2026-11-20T10:00:00Z',
    hour: '09:00:00',
    mail: 'a@example.org',
    kind: 'news',
    slug: 'alpha',
    data: { color: 'red', size: 3, tags: ['x', 'Y', 3], items: [{ sku: 's1' }, { sku: 's2' }] },
    secret: 's1',
    author: ids.ines,
    topics: [ids.type, ids.hush],
    __meta: { color: 'blue' },
  });
  await seed('b', 'articles', { title: 'beta', views: 5, price: '9', kind: 'essay', author: ids.hugo });
  await seed('c', 'articles', { title: 'O\'Hara "x" \\', views: 10, author: ids.ghost, topics: [ids.hush] });
  await seed('d', 'articles', { title: null });
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

const path = '/api/v1/cms/articles';
type As = 'ada' | 'mia' | undefined;

async function send(filter: string, { as, more = '', at = path }: { as?: As; more?: string; at?: string } = {}) {
  const line = `GET ${at}?filter=${encodeURIComponent(filter)}${more}`;
  return service.send(line, as === undefined ? {} : { as });
}

/** The names of the records that a filter finds, together. */
async function found(filter: string, how: { as?: As; more?: string; at?: string } = {}): Promise<string> {
  const { status, json } = await send(filter, how);
  if (status !== 200) return `${status} ${json.code}: ${json.detail}`;
  expect(json.total).toBe(json.items.length);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return json.items.map(({ id }: { id: string }) => names.get(id)).join('');
}

describe('a filter finds', () => {
  test.each([
    ['title = "Alpha"', 'a'],
    ['title != "Alpha"', 'bcd'],
    ['title = null', 'd'],
    ['title ~ "%a"', 'ab'],
    ['title !~ "%a"', 'cd'],
    [`title = 'O\\'Hara "x" \\\\'`, 'c'],
    ['title:length = 5', 'a'],
    ['title in ["Alpha", "beta"]', 'ab'],
    ['title not in ["Alpha", "beta"]', 'cd'],
    ['views in [1, 10] && views not in [10]', 'a'],
    ['kind in ["news"] // those only', 'a'],
    ['title:lower = "alpha"', 'a'],
    ['title:lower in ["alpha", "x"]', 'a'],
    ['title ~ "%\\\\"', 'c'],
    ['title ~ "al\\_ha"', ''],
    ['title ~ "al_ha"', 'a'],
    ['at > "2026-11-19" && at < @now + 1w', 'a'],
    ['day < @tomorrow + 50w', 'a'],
    ['@now - 7d < @today', 'abcd'],
    ['@request.auth.role in ["admin"]', ''],
    ['data.color in ["red", "blue"]', 'a'],
    ['data.size in [3]', 'a'],
    ['featured in [true]', 'a'],
    ['views >= 5', 'bc'],
    ['views > 1 && views < 10', 'b'],
    ['views < 5 || views = 10', 'ac'],
    ['(views = 1 || views = 5) && kind = "essay"', 'b'],
    ['price > 9.5', 'a'],
    ['price = 10.5', 'a'],
    ['big = 9007199254740993', 'a'],
    ['share < 1', 'a'],
    ['featured', 'a'],
    ['featured = true', 'a'],
    ['featured != true', 'bcd'],
    ['day >= "2026-11-20"', 'a'],
    ['at < "2026-11-21"', 'a'],
    ['at < @now', 'a'],
    ['hour = "09:00"', 'a'],
    ['kind != "news"', 'bcd'],
    ['kind:isset', 'ab'],
    ['data.color = "red"', 'a'],
    ['data.size >= 3', 'a'],
    ['__meta.color = "blue"', 'a'],
    ['data.tags ?= "x"', 'a'],
    ['data.tags ?= 3', 'a'],
    ['data.tags ?!= "x"', 'a'],
    ['data.tags:lower ?= "y"', 'a'],
    ['data.tags ?~ "z%"', ''],
    ['data.color ?= "red"', 'a'],
    ['data.items.sku ?= "s2"', 'a'],
    ['data.items.sku ?< "s1"', ''],
    ['data.tags ?= title', ''],
    ['@request.auth.id = null', 'abcd'],
    ['@request.auth.role = "admin"', ''],
    ['true', 'abcd'],
    ['1 = 2', ''],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toBe(expected);
    expect(await found(filter)).toBe(expected);
  });

  test('a relation by its id', async () => {
    expect(await found(`author = "${ids.ines}"`)).toBe('a');
    expect(await found(`author = "${ids.ghost}"`)).toBe('c');
    expect(await found(`author != "${ids.ines}"`)).toBe('bcd');
  });

  test('what the caller is', async () => {
    expect(await found('@request.auth.id != null && views = 1')).toBe('');
    expect(await found('@request.auth.id != null && views = 1', { as: 'mia' })).toBe('a');
    expect(await found(`@request.auth.id = "${ids.mia}"`, { as: 'mia' })).toBe('abcd');
  });
});

describe('through relations, a filter sees what include shows', () => {
  test.each<[string, string, string]>([
    // [filter, of the public list, of the admin list]
    ['author.name ~ "Ines%"', 'a', 'a'],
    ['author.name = "Ghost"', '', 'c'],
    ['author.name != "Ines"', 'bd', 'bcd'],
    ['author.name !~ "Ines"', 'bd', 'bcd'],
    ['author.name in ["Ghost", "Hugo"]', 'b', 'bc'],
    ['author.name not in ["Ines"]', 'bd', 'bcd'],
    ['author.name:length in [0, 5]', 'd', 'cd'],
    ['author.name:lower = "ghost"', '', 'c'],
    ['author.name:lower != "ines"', 'bd', 'bcd'],
    ['author.bio = null', 'bd', 'bcd'],
    ['author.bio:isset = false', 'bd', 'bcd'],
    ['author.bio:length = 0', 'bd', 'bcd'],
    ['author.name:length > 0', 'ab', 'abc'],
    ['author.name >= "A"', 'ab', 'abc'],
    ['author.articles:length = 1', 'ab', 'abc'],
    ['author.articles:isset', 'ab', 'abc'],
    ['author = null', 'd', 'd'],
    ['author:isset', 'abc', 'abc'],
    ['topics:length = 1', 'a', 'c'],
    ['topics:length = 2', '', 'a'],
    ['topics:isset', 'a', 'ac'],
    ['topics:isset = false', 'bcd', 'bd'],
    ['author.name != "Ines" || views = 10', 'bcd', 'bcd'],
    ['topics.name ?= "type"', 'a', 'a'],
    ['topics.name ?= "hush"', '', 'ac'],
    ['topics.name ?!= "type"', '', 'ac'],
    ['topics.name ?!~ "%h"', 'a', 'a'],
    ['topics.name ?~ "%"', 'a', 'ac'],
    ['topics.name:length ?> 1', 'a', 'ac'],
    ['topics.name ?= null', '', ''],
    ['author.articles.title ?= "Alpha"', 'a', 'a'],
    ['author.articles.title ?!= "x"', 'ab', 'abc'],
    ['author.articles.views ?> 4', 'b', 'bc'],
    ['author.articles.topics.name ?= "hush"', '', 'ac'],
    ['author.articles.topics.name ?= "type"', 'a', 'a'],
    ['author.articles.author.name ?= "Ghost"', '', 'c'],
    ['author.articles.title ?= title', 'ab', 'abc'],
    ['topics.name ?= "type" || author.articles.views ?= 5', 'ab', 'ab'],
    // The team of a visible author is one that only members may get.
    ['author.team.name = "Red"', '', 'ac'],
    ['author.team.name != "Blue"', 'bd', 'abcd'],
    ['author.team.name = null', 'bd', 'bd'],
  ])('%s', async (filter, open, all) => {
    expect(await found(filter)).toBe(open);
    expect(await found(filter, { as: 'ada', at: '/api/v1/admin/cms/articles' })).toBe(all);
  });

  test('by the ids of a relation to many', async () => {
    const admin = { as: 'ada', at: '/api/v1/admin/cms/articles' } as const;
    expect(await found(`topics ?= "${ids.type}"`)).toBe('a');
    expect(await found(`topics ?= "${ids.hush}"`)).toBe('');
    expect(await found(`topics ?!= "${ids.type}"`)).toBe('');
    expect(await found(`topics ?= "${ids.hush}"`, admin)).toBe('ac');
    expect(await found(`topics ?!= "${ids.type}"`, admin)).toBe('ac');
    expect(await found(`author.articles ?= "${ids.c}"`)).toBe('');
    expect(await found(`author.articles ?= "${ids.c}"`, admin)).toBe('c');
    expect(await found(`author.articles ?= id && topics.id ?= "${ids.type}"`)).toBe('a');
  });

  test('through a relation that leads back', async () => {
    const authors = { at: '/api/v1/cms/authors' };
    expect(await found('articles.title ?= "Alpha"', authors)).toBe('ines');
    expect(await found('articles.topics.name ?= "hush"', authors)).toBe('');
    expect(await found('articles.views ?>= 5', authors)).toBe('hugoghost');
    expect(await found('articles ?!= null', authors)).toStartWith('400 invalid_filter: An id is never null');
  });

  test('for each caller anew', async () => {
    expect(await found('author.team.name = "Red"')).toBe('');
    expect(await found('author.team.name = "Red"', { as: 'mia' })).toBe('a');
    expect(await found('author.team.name = "Red"')).toBe('');
  });
});

describe('a filter is refused with its place', () => {
  test.each<[string, number, string]>([
    ['secret = "s1"', 1, 'There is no field "secret" in "article".'],
    ['unlisted = "x"', 1, 'There is no field "unlisted" in "article".'],
    ['word = "x"', 1, 'There is no field "word" in "article".'],
    ['views = 1 && auhtor.name = "x"', 14, 'Did you mean "author"?'],
    ['author.unlisted = "u"', 8, 'There is no field "unlisted" in "author".'],
    ['author.active = true', 8, 'There is no field "active" in "author".'],
    ['topics.name = "x"', 1, 'write topics.name ?= "x"'],
    ['topics = null', 1, 'write topics:isset = false.'],
    ['author.articles.secret ?= "s1"', 17, 'There is no field "secret" in "article".'],
    ['topics.name ?= "x" && title ?= "x"', 23, 'both sides are single values: write =.'],
    ['topics ?= "x"', 11, 'A relation compares as an id'],
    ['author.articles.title = "x"', 1, 'write author.articles.title ?= "x"'],
    ['views = "x"', 9, 'The other side is an integer'],
    ['kind = "nwes"', 8, 'Did you mean "news"?'],
    ['author = "ines"', 10, 'A relation compares as an id'],
    ['views = @request.query.x', 9, 'write the value itself'],
    ['views = @request.body.x', 9, 'write the value itself'],
    ['@request.headers.x = "1"', 1, 'write the value itself'],
    ['title = "', 9, 'not closed'],
    ['"🙂" = ', 7, 'stands where'],
    ['views in ["x"]', 11, 'The other side is an integer'],
    ['kind in ["news", "nwes"]', 18, 'Did you mean "news"?'],
    ['title = "100\\%"', 13, 'Only the pattern of ~'],
    ['@request.body.title:changed', 1, 'write the value itself'],
    ['views in [@now]', 11, 'A list holds strings'],
    ['views == 1', 7, 'Write = for equality.'],
    [' ', 2, 'A filter cannot be empty.'],
    ['('.repeat(33), 33, 'at most 32 deep'],
    ['('.repeat(4096), 33, 'at most 32 deep'],
    ['('.repeat(10_000), 4097, 'at most 4096 bytes'],
    [`title = "${'é'.repeat(2050)}"`, 2053, 'at most 4096 bytes'],
    [Array.from({ length: 65 }, () => 'views=1').join('||'), 577, 'at most 64 conditions'],
  ])('%#', async (filter, position, detail) => {
    const { status, json } = await send(filter);
    expect(json).toMatchObject({ code: 'invalid_filter', position, detail: expect.stringContaining(detail) });
    expect(status).toBe(400);
  });

  test('and taken at its bounds', async () => {
    expect(await found(`${'('.repeat(32)}views = 1${')'.repeat(32)}`)).toBe('a');
    expect(await found(Array.from({ length: 64 }, (_, place) => `views=${place + 5}`).join('||'))).toBe('bc');
    expect(await found(`title = "${'x'.repeat(4096 - 10)}"`)).toBe('');
    const paths = Array.from({ length: 64 }, (_, place) => `author.team.name!="${place}"`).join('&&');
    expect(await found(paths, { as: 'mia' })).toBe('abd');
  });

  test('whatever text it is', async () => {
    const pieces = fc.constantFrom(
      ...[
        'views',
        'title',
        'author.name',
        'topics',
        'data.x',
        'secret',
        ':isset',
        ':length',
        '@now',
        '@request.auth.id',
      ],
      ...[
        '=',
        '!=',
        '<',
        '>=',
        '~',
        '!~',
        '&&',
        '||',
        '(',
        ')',
        '"x"',
        "'",
        '"',
        '\\',
        '1',
        '-1.5',
        'null',
        'true',
        ' ',
      ],
      ...['in', 'not', '[', ']', ',', '//', '?=', '%', '_', '🙂', '\0', '\ud800', '\n', '.', ':', '@', '{', '-'],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(' ')),
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    const counted: Record<number, number> = {};
    await fc.assert(
      fc.asyncProperty(
        texts.map((text) => text.toWellFormed().replaceAll('\0', '')),
        async (text) => {
          const { status, json } = await send(text);
          counted[status] = (counted[status] ?? 0) + 1;
          if (status === 200) return;
          expect({ text, status, code: json.code }).toEqual({ text, status: 400, code: 'invalid_filter' });
          expect(json.position).toBeGreaterThanOrEqual(1);
          expect(json.position).toBeLessThanOrEqual([...text].length + 1);
          expect(json.detail.length).toBeGreaterThan(10);
        },
      ),
      { numRuns: randomCases(2_000) },
    );
    expect(Object.keys(counted).sort()).toEqual(['200', '400']);
  }, 600_000);
});

test('every operator on every field is an answer or an error with its place', async () => {
  const fields = definitions[0]?.fields.map(({ name }) => name) ?? [];
  const values = [
    '"x"',
    '"news"',
    '1',
    '1.5',
    'true',
    'null',
    '"2026-11-20"',
    '"10:00"',
    '@now',
    '@request.auth.id',
    'title',
  ];
  const single = ['=', '!=', '<', '<=', '>', '>=', '~', '!~'];
  const operators = [...single, 'in', 'not in', ...single.map((operator) => `?${operator}`)];
  const paths = ['author.name', 'title:length', 'topics:isset', 'id', 'topics.name', 'author.articles', 'data.tags'];
  const counted: Record<number, number> = {};
  for (const field of [...fields, ...paths, '__meta', '__meta.color', 'author.articles.views', 'topics.name:lower']) {
    for (const operator of operators) {
      for (const value of values) {
        const filter = `${field} ${operator} ${operator.endsWith('in') ? `[${value}]` : value}`;
        const { status, json } = await send(filter, { as: 'ada', at: '/api/v1/admin/cms/articles' });
        counted[status] = (counted[status] ?? 0) + 1;
        if (status === 200) continue;
        expect({ filter, status, code: json.code }).toEqual({ filter, status: 400, code: 'invalid_filter' });
        expect(json.position).toBeGreaterThan(0);
      }
    }
  }
  expect(counted[200]).toBeGreaterThan(300);
  expect(counted[400]).toBeGreaterThan(300);
}, 600_000);

describe('a filter as JSON', () => {
  const admin = { as: 'ada', at: '/api/v1/admin/cms/articles' } as const;

  test.each<readonly [object, string]>([
    [{ title: 'Alpha' }, 'a'],
    [{ views: { gte: 5, lt: 10 } }, 'b'],
    [{ title: 'O\'Hara "x" \\' }, 'c'],
    [{ title: '" || true || title = "' }, ''],
    [{ title: ['Alpha', 'beta'], kind: { ne: null } }, 'ab'],
    [{ title: { like: '%A' } }, 'ab'],
    [{ price: '10.50' }, 'a'],
    [{ price: { in: ['9', '10.5'] } }, 'ab'],
    [{ price: 9 }, 'b'],
    [{ big: '9007199254740993' }, 'a'],
    [{ big: '9007199254740992' }, ''],
    [{ share: 5e-1, day: '2026-11-20' }, 'a'],
    [{ at: { lte: new Date('2026-11-20T10:00:00Z') } }, 'a'],
    [{ data: { color: 'red', tags: { any: 'Y' } } }, 'a'],
    [{ author: { name: { notLike: 'Ines' } } }, 'bd'],
    [{ topics: { name: { any: { ne: 'type' } } } }, ''],
    [{ $or: [{ views: 5 }, { title: null }] }, 'bd'],
    [{ $or: [{ views: 5, title: 'Alpha' }, { $and: [{ views: 1 }, { featured: true }] }] }, 'a'],
    [{}, 'abcd'],
    [{ author: {}, topics: { name: {} } }, 'abcd'],
  ])('%j', async (filter, expected) => expect(await found(JSON.stringify(filter))).toBe(expected));

  test('keeps every digit of a number', async () => {
    expect(await found('{"big":9007199254740993}')).toBe('a');
    expect(await found('{"big":9007199254740992}')).toBe('');
  });

  test.each([
    ['secret = "s1"', { secret: 's1' }, 'secret'],
    ['unlisted = "x"', { unlisted: 'x' }, 'unlisted'],
    ['word = "x"', { word: 'x' }, 'word'],
    ['nothing = "x"', { nothing: 'x' }, 'nothing'],
    ['author.active = true', { author: { active: true } }, 'author.active'],
    ['author.articles.secret ?= "s1"', { author: { 'articles.secret': { any: 's1' } } }, 'author.articles.secret.any'],
    ['views = 1 && kind = "nwes"', { $and: [{ views: 1 }, { kind: { eq: 'nwes' } }] }, '$and[1].kind.eq'],
    ['topics.name = "x"', { topics: { name: 'x' } }, 'topics.name'],
  ])('is refused as %p is', async (expression, object, path) => {
    const [text, json] = [await send(expression), await send(JSON.stringify(object))];
    expect(text).toMatchObject({ status: 400, json: { code: 'invalid_filter' } });
    expect(json).toMatchObject({ status: 400, json: { code: 'invalid_filter', detail: text.json.detail, path } });
    expect(json.json.position).toBeUndefined();
  });

  test('that is no object has a place', async () => {
    for (const text of ['{', '{"views":1', '{views:1}', '{"views":1,"views":2}', `{"title":"${'é'.repeat(2050)}"}`]) {
      const { status, json } = await send(text);
      expect({ text, status, code: json.code }).toEqual({ text, status: 400, code: 'invalid_filter' });
      expect(json.position).toBeGreaterThan(0);
    }
  });

  test('finds what its expression finds, for everyone', async () => {
    const quoted = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : `${value}`);
    const text = fc.constantFrom('Alpha', 'beta', 'O\'Hara "x" \\', 'Ines', 'hush', '" || true || "', '');
    const number = fc.constantFrom(0, 1, 5, 10);
    const order = fc.constantFrom(['gt', '>'], ['gte', '>='], ['lt', '<'], ['lte', '<='], ['eq', '='], ['ne', '!=']);
    type Both = { readonly object: object; readonly expression: string };
    const single = (path: string, value: fc.Arbitrary<unknown>, any = ''): fc.Arbitrary<Both> =>
      fc.tuple(order, value).map(([[name = '', operator], operand]) => ({
        object: { [path]: any ? { any: { [name]: operand } } : { [name]: operand } },
        expression: `${path} ${any}${operator} ${quoted(operand)}`,
      }));
    const leaves = [
      single('title', text),
      single('views', number),
      single('author.name', text),
      single('author.articles.views', number, '?'),
      single('topics.name', text, '?'),
      single('data.size', number),
      single('title:length', number),
    ];
    const { tree } = fc.letrec<{ tree: Both }>((tie) => {
      const several = fc.array(tie('tree'), { minLength: 1, maxLength: 3 });
      const joined = (name: string, mark: string) =>
        several.map((all) => ({
          object: { [name]: all.map(({ object }) => object) },
          expression: `(${all.map(({ expression }) => expression).join(mark)})`,
        }));
      return { tree: fc.oneof({ depthSize: 'small' }, ...leaves, joined('$and', ' && '), joined('$or', ' || ')) };
    });
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(tree, async ({ object, expression }) => {
        fc.pre(expression.length < 2_000);
        for (const how of [{}, admin]) {
          const [one, other] = [await send(JSON.stringify(object), how), await send(expression, how)];
          expect({ status: one.status, items: one.json.items, total: one.json.total }).toEqual({
            status: other.status,
            items: other.json.items,
            total: other.json.total,
          });
          if (one.status === 200) answers += 1;
        }
      }),
      { numRuns: randomCases(150) },
    );
    expect(answers).toBeGreaterThan(0);
  }, 600_000);

  test('is taken wherever an expression is', async () => {
    const filter = JSON.stringify({ views: { gte: 5 } });
    const aggregate = await send(filter, { at: '/api/v1/cms/articles/aggregate', more: '&count=true' });
    expect(aggregate.json.items).toEqual([{ count: 2 }]);
    const users = await send(JSON.stringify({ role: 'admin', email: { like: 'ada@%' } }), {
      as: 'ada',
      at: '/api/v1/admin/users',
    });
    expect(users.json.total).toBe(1);
    const batch = { action: 'update', filter, set: { unlisted: 'changed' } };
    const sent = (body: object, path: string) => service.send(`POST /api/v1/admin${path}`, { as: 'ada', body });
    expect((await sent(batch, '/cms/articles/batch')).json).toEqual({ action: 'update', affected: 2 });
    expect(await found('{"unlisted":"changed"}', admin)).toBe('bc');
    for (const none of ['{}', '{"author":{}}']) {
      const empty = await sent({ ...batch, filter: none }, '/cms/articles/batch');
      expect(empty).toMatchObject({ status: 400, json: { code: 'invalid_filter' } });
    }
    const view = { type: 'articles', name: 'As JSON' };
    expect((await sent({ ...view, filter }, '/views')).json.filter).toBe(filter);
    const wrong = JSON.stringify({ author: { nam: 'x' } });
    const message = expect.stringMatching(/^author\.nam: There is no field/);
    expect((await sent({ ...view, filter: wrong }, '/views')).json.errors).toMatchObject([{ message }]);
    const hook = { url: 'http://127.0.0.1:9/hook', types: ['articles'], filter };
    expect((await sent(hook, '/webhooks')).status).toBe(201);
    expect((await sent({ ...hook, filter: wrong }, '/webhooks')).json.errors).toMatchObject([
      { message: expect.stringContaining('author.nam: There is no field') },
    ]);
  });
});

describe('a filter works along with', () => {
  test('equality, search, sort and skip_total', async () => {
    expect(await found('views > 0', { more: '&kind=essay' })).toBe('b');
    expect(await found('views > 0', { more: '&kind=essay&filter2=1' })).toStartWith('400 unknown_parameter');
    expect(await found('views > 0', { more: '&search=alpha' })).toBe('a');
    expect(await found('views > 1', { more: '&search=alpha' })).toBe('');
    expect(await found('views > 0', { more: '&sort=views:desc' })).toBe('cba');
    const { json } = await send('views > 0', { more: '&skip_total=true' });
    expect([json.total, json.items.length]).toEqual([-1, 3]);
    expect(await found('')).toBe('abcd');
  });

  test('a page far behind the last', async () => {
    for (const filter of ['views > 0', 'author.name = "Ines"', 'topics.name ?= "type"']) {
      for (const page of [2, 6, 99_999_999_999]) {
        const { status, json } = await send(filter, { more: `&page=${page}&sort=views:desc` });
        expect({ filter, page, status }).toEqual({ filter, page, status: 200 });
        expect(json.items).toEqual([]);
      }
    }
  });

  test('include', async () => {
    const { json } = await send('author.name = "Ines"', { more: '&include=author' });
    expect(json.items.map((item: { author: { name: string } }) => item.author.name)).toEqual(['Ines']);
  });

  test('a cursor, which belongs to it', async () => {
    const first = await send('views > 0', { more: '&page_size=2' });
    expect(first.json.total).toBe(3);
    const cursor = `&page_size=2&cursor=${first.json.next_cursor}`;
    expect((await send('views > 0', { more: cursor })).json.items.map(({ id }: { id: string }) => id)).toEqual([ids.c]);
    for (const other of ['views > 1', 'views >= 0', 'views > 0 || true', '']) {
      expect((await send(other, { more: cursor })).json.code).toBe('invalid_cursor');
    }
  });

  test('remembered totals and answers, which end with a write', async () => {
    const filter = 'author.name = "Zoe"';
    expect(await found(filter)).toBe('');
    const again = await send(filter);
    expect(again.headers.get('cache-status')).toContain('hit');
    await service.send(`PUT /api/v1/admin/cms/authors/${ids.hugo}`, { as: 'ada', body: { name: 'Zoe' } });
    expect(await found(filter)).toBe('b');
    await service.send(`PUT /api/v1/admin/cms/authors/${ids.hugo}`, { as: 'ada', body: { name: 'Hugo' } });
    expect(await found(filter)).toBe('');
    expect((await send('at < @now')).headers.get('cache-status')).toContain('bypass');
  });

  test('plans of its shape', async () => {
    await found('views > 100 && title = "p0"');
    const before = service.records.stats.plans.entries;
    for (let at = 1; at < 20; at += 1) await found(`views > ${at + 100} && title = "p${at}"`);
    expect(service.records.stats.plans.entries).toBe(before);
    expect(await found('views > 4 && title = "beta"')).toBe('b');
    await found('views < 100 && title = "p0"');
    expect(service.records.stats.plans.entries).toBeGreaterThan(before);
  });
});

describe('of users', () => {
  const users = async (filter: string): Promise<string> => {
    const { status, json } = await send(filter, { as: 'ada', at: '/api/v1/admin/users' });
    if (status !== 200) return `${status} ${json.code} ${json.position}`;
    expect(json.total).toBe(json.items.length);
    const names = json.items.map(({ email }: { email: string }) => email.replace(/@.*/, ''));
    return names.filter((name: string) => name !== 'seeding-admin').join(' ');
  };

  test.each([
    ['role = "admin"', 'ada'],
    ['role in ["admin", "member"] && email ~ "%@example.%"', 'ada mia'],
    ['role != @request.auth.role', 'mia'],
    ['id = @request.auth.id', 'ada'],
    ['email = @request.auth.email', 'ada'],
    ['disabled != true && username = null', 'ada mia'],
    ['created_at > @now - 1h', 'ada mia'],
    ['tenant_id = @request.auth.tenant_id', 'ada mia'],
    ['tenant_id:isset', ''],
    ['password_hash ~ "%"', '400 invalid_filter 1'],
    ['role = "boss"', '400 invalid_filter 8'],
    ['', 'ada mia'],
  ])('%p', async (filter, expected) => expect(await users(filter)).toBe(expected));
});

test('deleted records stay hidden from a filter, related ones too', async () => {
  await service.send(`DELETE /api/v1/admin/cms/articles/${ids.d}`, { as: 'ada' });
  expect(await found('true')).toBe('abc');
  expect(await found('true', { as: 'ada', at: '/api/v1/admin/cms/articles', more: '&deleted=only' })).toBe('d');
  await service.send(`DELETE /api/v1/admin/cms/articles/${ids.a}`, { as: 'ada' });
  expect(await found('articles:length = 0', { as: 'ada', at: '/api/v1/admin/cms/authors' })).toBe('ines');
});

test('the lists of the built-in types take a filter', async () => {
  await using cms = await TestService.open([], { builtIn: true });
  await cms.account('ada', 'admin');
  const { json: page } = await cms.send('GET /api/v1/openapi.json');
  const lists = Object.entries<{ get?: { operationId: string } }>(page.paths).flatMap(([at, { get }]) =>
    /^(list|adminList)\w*Records$/.test(get?.operationId ?? '') ? [at] : [],
  );
  expect(lists.length).toBeGreaterThanOrEqual(4);
  for (const at of lists) {
    const { status, json } = await cms.send(`GET ${at}?filter=id:isset`, { as: 'ada' });
    expect({ at, status, total: json.total }).toEqual({ at, status: 200, total: json.items?.length });
    const asJson = await cms.send(`GET ${at}?filter=${encodeURIComponent('{"id:isset":true}')}`, { as: 'ada' });
    expect({ at, status: asJson.status, items: asJson.json.items }).toEqual({ at, status: 200, items: json.items });
    const other = await cms.send(`GET ${at}?filter=idd:isset`, { as: 'ada' });
    expect([other.status, other.json.code, other.json.position]).toEqual([400, 'invalid_filter', 1]);
  }
});
