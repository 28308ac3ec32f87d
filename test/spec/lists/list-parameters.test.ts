// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Service specification, section 4.5: every list parameter, its default, its good, boundary and malformed values.

const definitions = [
  {
    singular: 'item',
    plural: 'items',
    protocols: ['metaable'],
    fields: [
      { name: 'text', field_type: 'text' },
      { name: 'richtext', field_type: 'richtext' },
      { name: 'integer', field_type: 'integer' },
      { name: 'bigint', field_type: 'bigint' },
      { name: 'decimal', field_type: 'decimal' },
      { name: 'float', field_type: 'float' },
      { name: 'boolean', field_type: 'boolean' },
      { name: 'date', field_type: 'date' },
      { name: 'datetime', field_type: 'datetime' },
      { name: 'time', field_type: 'time' },
      { name: 'email', field_type: 'email' },
      { name: 'password', field_type: 'password' },
      { name: 'enum', field_type: 'enum', enum_values: ['low', 'high'] },
      { name: 'uid', field_type: 'uid' },
      { name: 'json', field_type: 'json' },
      { name: 'media', field_type: 'media' },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'parent', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'items' } },
      { name: 'partner', field_type: 'relation', relation: { relation_type: 'one_to_one', target: 'items' } },
      { name: 'links', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'items' } },
      {
        name: 'children',
        field_type: 'relation',
        relation: { relation_type: 'one_to_many', target: 'items', mapped_by: 'parent' },
      },
    ],
    api: { get: { fields: ['text', 'parent', 'links'] } },
  },
  {
    singular: 'story',
    plural: 'stories',
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'summary', field_type: 'text' },
      { name: 'body', field_type: 'richtext' },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'unlisted', field_type: 'text' },
    ],
    api: { list: { fields: ['title', 'summary', 'body'] } },
  },
  { singular: 'number', plural: 'numbers', fields: [{ name: 'value', field_type: 'integer' }] },
];

/** Values that go up from the first to the last, which is greater in every field. `name` names a record within this file. */
const rows = {
  a: {
    text: 'A',
    richtext: '<p>a</p>',
    integer: -2,
    bigint: '-9007199254740993',
    decimal: '-10.5',
    float: -1.5,
    boolean: false,
    date: '0999-12-31',
    datetime: '2026-01-01T00:00:00.000Z',
    time: '09:59:59',
    email: 'a@example.org',
    enum: 'high',
    uid: 'a',
    media: '/a.png',
    __meta: { color: 'red', size: 1, ok: true, deep: { er: { est: 'x' } }, 'a-b_C9': 'y', text: '1', none: null },
  },
  b: {
    text: 'a',
    richtext: 'b',
    integer: 9,
    bigint: '9',
    decimal: '9',
    float: 0,
    boolean: true,
    date: '2026-01-31',
    datetime: '2026-01-01T00:00:00.001Z',
    time: '10:00:00',
    email: 'b@example.org',
    enum: 'low',
    uid: 'b',
    media: '/b.png',
    __meta: { color: 'Red', size: 1.5, ok: false, text: 1, list: ['red'] },
  },
  c: {
    text: 'é',
    richtext: 'c',
    integer: 10,
    bigint: '9007199254740993',
    decimal: '10.5',
    float: 10,
    boolean: true,
    date: '2026-02-01',
    datetime: '2026-12-01T00:00:00.000Z',
    time: '10:00:00.250',
    email: 'c@example.org',
    enum: 'low',
    uid: 'c',
    media: '/c.png',
    __meta: { color: '', size: -0.5, ok: 'true' },
  },
} as const;
type RowName = keyof typeof rows | 'empty';

type Parameters = Readonly<Record<string, string>>;
type Row<R extends readonly unknown[]> = readonly [Parameters, ...R];

let service: TestService;
const id: Record<RowName, string> = { a: '', b: '', c: '', empty: '' };
const nameOf = new Map<string, string>();

beforeAll(async () => {
  service = await TestService.open(definitions, { maxPageSize: 50 });
  for (const name of ['a', 'b', 'c', 'empty'] as const) {
    const body = name === 'empty' ? {} : rows[name];
    id[name] = (await service.seed('items', { secret: 'hush', password: 'correct horse', ...body })).id;
    nameOf.set(id[name], name);
  }
  await service.send(`PUT /api/v1/admin/cms/items/${id.a}`, {
    as: 'seeding-admin',
    body: { parent: id.b, partner: id.c, links: [id.c, id.b] },
  });
  await service.send(`PUT /api/v1/admin/cms/items/${id.c}`, {
    as: 'seeding-admin',
    body: { parent: id.b, links: [id.b] },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const list = (plural: string, parameters: Parameters = {}, more: object = {}) =>
  service.send(`GET /api/v1/cms/${plural}?${new URLSearchParams(parameters)}`, more);

const found = async (parameters: Parameters): Promise<string> => {
  const { status, json, text } = await list('items', parameters);
  if (status !== 200) throw new Error(text);
  return json.items.map((item: { id: string }) => nameOf.get(item.id)).join(' ');
};

/** A row that begins with parameters, with their text before them: what the test is called by. */
function named<R extends readonly unknown[]>([parameters, ...rest]: Row<R>): readonly [string, Parameters, ...R] {
  return [decodeURIComponent(String(new URLSearchParams(parameters))) || 'nothing', parameters, ...rest];
}

const refusal = async (parameters: Parameters) => {
  const { status, json } = await list('items', parameters);
  return [status, json.code];
};

describe('page, page_size', () => {
  const pages: readonly Row<[page: number, pageSize: number, items: number]>[] = [
    [{}, 1, 20, 4],
    [{ page: '1' }, 1, 20, 4],
    [{ page: '2' }, 2, 20, 0],
    [{ page: '2', page_size: '3' }, 2, 3, 1],
    [{ page_size: '1' }, 1, 1, 1],
    [{ page_size: '50' }, 1, 50, 4],
    [{ page_size: '51' }, 1, 50, 4],
    [{ page_size: '999999999999999' }, 1, 50, 4],
    [{ page_size: '9'.repeat(16) }, 1, 50, 4],
    [{ page_size: '9'.repeat(400) }, 1, 50, 4],
    [{ page_size: '1e400' }, 1, 50, 4],
    [{ page_size: '1.5E+308' }, 1, 50, 4],
    [{ page: '999999999999', page_size: '50' }, 999_999_999_999, 50, 0],
  ];
  test.each(pages.map((row) => named(row)))('%s', async (_, parameters, page, page_size, items) => {
    const { status, json } = await list('items', parameters);
    expect([status, json.page, json.page_size, json.items.length, json.total]).toEqual([
      200,
      page,
      page_size,
      items,
      4,
    ]);
  });

  const malformed = [
    '0',
    '-1',
    '1.5',
    '1e2',
    '1e-400',
    '-1e400',
    '+1',
    ' 1',
    '',
    'x',
    '0x1',
    'null',
    'NaN',
    'Infinity',
  ];
  test.each(malformed)('rejects %p', async (value) => {
    expect(await refusal({ page: value })).toEqual([400, 'invalid_parameter']);
    expect(await refusal({ page_size: value })).toEqual([400, 'invalid_parameter']);
  });

  test.each(['9'.repeat(16), '9'.repeat(400), '1e400'])('refuses page %p, which cannot be capped', async (page) =>
    expect(await refusal({ page })).toEqual([400, 'invalid_parameter']),
  );

  test('rejects a page that no database could count to', async () => {
    expect(await refusal({ page: '999999999999999', page_size: '50' })).toEqual([400, 'invalid_parameter']);
  });
});

describe('sort', () => {
  const sortable = [
    'text',
    'richtext',
    'integer',
    'bigint',
    'decimal',
    'float',
    'date',
    'datetime',
    'time',
    'email',
    'uid',
    'media',
  ];
  test.each(sortable)('by %s: nulls first when ascending, then by value', async (field) => {
    expect(await found({ sort: `${field}:asc` })).toBe('empty a b c');
    expect(await found({ sort: `${field}:desc` })).toBe('c b a empty');
  });
  const sorts = [
    ['boolean:asc', 'empty a b c'],
    ['boolean:desc', 'c b a empty'],
    ['enum:asc', 'empty a b c'],
    ['enum:desc,integer:desc', 'c b a empty'],
    ['boolean:desc,text:desc', 'c b a empty'],
    ['boolean:desc , text:desc', 'c b a empty'],
    ['id:asc', 'a b c empty'],
    ['id:desc', 'empty c b a'],
    ['boolean:asc,id:desc', 'empty a c b'],
  ] as const;
  test.each(sorts)('%p gives %p', async (sort, order) => expect(await found({ sort })).toBe(order));
  test('none: the order of creation', async () => expect(await found({})).toBe('a b c empty'));

  const malformed = [
    'text',
    'text:',
    ':asc',
    'text:ASC',
    'text:up',
    'text:asc:desc',
    '-text',
    ',',
    'text:asc,',
    'text:asc,text:desc',
    'bogus:asc',
    'secret:asc',
    'password:asc',
    'json:asc',
    '__meta:asc',
    '__meta.color:asc',
    'parent:asc',
    'parent.text:asc',
    'links:asc',
    'children:asc',
    'constructor:asc',
    'text;drop table cms_item:asc',
    '"text":asc',
  ];
  test.each(malformed)('rejects %p', async (sort) =>
    expect(await refusal({ sort })).toEqual([400, 'invalid_parameter']),
  );
});

describe('paging', () => {
  const total = 57;
  beforeAll(async () => {
    await Promise.all(Array.from({ length: total }, (_, index) => service.seed('numbers', { value: index % 5 })));
  });
  const walks = [
    ['', '7'],
    ['value:asc', '1'],
    ['value:desc', '10'],
    ['id:desc', '20'],
    ['value:desc,id:desc', '50'],
  ] as const;
  test.each(walks)('sorted by %p in pages of %s loses and repeats nothing', async (sort, page_size) => {
    const order = sort === '' ? {} : { sort };
    const seen: { id: string; value: number }[] = [];
    for (let page = 1; ; page += 1) {
      const { items } = (await list('numbers', { ...order, page_size, page: String(page) })).json;
      if (items.length === 0) break;
      seen.push(...items);
    }
    expect(seen).toHaveLength(total);
    expect(new Set(seen.map((item) => item.id)).size).toBe(total);
    const [field, direction] = (sort === '' ? 'id:asc' : sort).split(/[:,]/);
    const keys = seen.map((item) => (field === 'value' ? item.value : item.id));
    const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    expect(keys).toEqual(direction === 'asc' ? sorted : sorted.toReversed());
  });
});

describe('{field}', () => {
  const filters: readonly Row<[names: string]>[] = [
    [{ text: 'A' }, 'a'],
    [{ text: 'é' }, 'c'],
    [{ text: '' }, ''],
    [{ text: "' or 1=1 --" }, ''],
    [{ text: '%' }, ''],
    [{ richtext: '<p>a</p>' }, 'a'],
    [{ integer: '-2' }, 'a'],
    [{ integer: '0010' }, 'c'],
    [{ bigint: '9007199254740993' }, 'c'],
    [{ bigint: '9007199254740992' }, ''],
    [{ decimal: '10.50' }, 'c'],
    [{ decimal: '9.0' }, 'b'],
    [{ float: '1e1' }, 'c'],
    [{ float: '-0' }, 'b'],
    [{ boolean: 'true' }, 'b c'],
    [{ boolean: 'false' }, 'a'],
    [{ date: '2026-01-31' }, 'b'],
    [{ datetime: '2026-01-01T01:00:00.001+01:00' }, 'b'],
    [{ datetime: '2026-01-01' }, 'a'],
    [{ time: '10:00' }, 'b'],
    [{ email: 'c@example.org' }, 'c'],
    [{ enum: 'low' }, 'b c'],
    [{ uid: 'b' }, 'b'],
    [{ media: '/c.png' }, 'c'],
    [{ enum: 'low', integer: '9' }, 'b'],
    [{ enum: 'high', integer: '9' }, ''],
    [{ boolean: 'true', sort: 'integer:desc', page_size: '1' }, 'c'],
  ];
  test.each(filters.map((row) => named(row)))('%s', async (_, parameters, names) =>
    expect(await found(parameters)).toBe(names),
  );

  test('filters by id, and by relations to one and to many', async () => {
    expect(await found({ id: id.c })).toBe('c');
    expect(await found({ parent: id.b })).toBe('a c');
    expect(await found({ partner: id.c })).toBe('a');
    expect(await found({ links: id.b })).toBe('a c');
    expect(await found({ links: id.c, parent: id.b })).toBe('a');
    expect(await found({ links: id.a })).toBe('');
    expect(await found({ links: '01a1fc4d-4e39-75e9-b87c-fc2731e697d2' })).toBe('');
  });

  const malformed = [
    ['integer', 'x'],
    ['integer', '1.0'],
    ['integer', ''],
    ['integer', '9007199254740993'],
    ['bigint', '9223372036854775808'],
    ['decimal', '1e3'],
    ['decimal', '.5'],
    ['float', 'NaN'],
    ['float', '1e999'],
    ['boolean', '1'],
    ['boolean', 'TRUE'],
    ['date', '2026-02-30'],
    ['date', '2026-01-01T00:00:00Z'],
    ['datetime', 'yesterday'],
    ['datetime', '2026-01-01T00:00:00'],
    ['time', '24:00'],
    ['enum', 'none'],
    ['enum', 'LOW'],
    ['enum', ''],
    ['id', 'x'],
    ['id', ''],
    ['parent', 'no id'],
    ['parent', '01A1FC4D-4E39-75E9-B87C-FC2731E697D2'],
    ['partner', ''],
    ['links', 'x'],
  ] as const;
  test.each(malformed)('rejects %s=%s', async (field, value) =>
    expect(await refusal({ [field]: value })).toEqual([400, 'invalid_parameter']),
  );

  const unknown = [
    'bogus',
    'secret',
    'password',
    'json',
    '__meta',
    'children',
    'parent.text',
    'json.a',
    'constructor',
    '__proto__',
    'Text',
    '',
    'where',
    'limit',
    'created_by',
  ];
  test.each(unknown)('rejects the parameter %p', async (name) =>
    expect(await refusal({ [name]: 'x' })).toEqual([400, 'unknown_parameter']),
  );

  test('rejects what is given twice, and what is no percent-encoded UTF-8', async () => {
    const codes = ['text=a&text=a', 'page=1&page=1', 'text=%ff', 'text=%00', 'te%zz=1'].map(async (query) => {
      const { status, json } = await service.send(`GET /api/v1/cms/items?${query}`);
      return [status, json.code];
    });
    const malformedEncoding = [400, 'malformed_encoding'];
    expect(await Promise.all(codes)).toEqual([
      [400, 'doubled_parameter'],
      [400, 'doubled_parameter'],
      malformedEncoding,
      malformedEncoding,
      malformedEncoding,
    ]);
  });
});

describe('__meta.{path}', () => {
  const filters = [
    ['color', 'red', 'a'],
    ['color', 'Red', 'b'],
    ['color', '', 'c'],
    ['size', '1', 'a'],
    ['size', '1.0', 'a'],
    ['size', '1.5', 'b'],
    ['size', '-0.5', 'c'],
    ['ok', 'true', 'a c'],
    ['ok', 'false', 'b'],
    ['text', '1', 'a b'],
    ['deep.er.est', 'x', 'a'],
    ['deep.er', 'x', ''],
    ['a-b_C9', 'y', 'a'],
    ['list', 'red', ''],
    ['none', 'null', ''],
    ['missing', 'x', ''],
    ['length', '1', ''],
  ] as const;
  test.each(filters)('%s=%s finds %p', async (path, value, names) =>
    expect(await found({ [`__meta.${path}`]: value })).toBe(names),
  );
  test('several, combined with fields', async () => {
    expect(await found({ '__meta.ok': 'true', '__meta.size': '1', integer: '-2' })).toBe('a');
    expect(await found({ '__meta.ok': 'true', '__meta.color': 'Red' })).toBe('');
  });
  test('at most 20 at once', async () => {
    const paths = (count: number) => Array.from({ length: count }, (_, index) => [`__meta.p${index}`, '1'] as const);
    expect(await found(Object.fromEntries(paths(20)))).toBe('');
    expect(await refusal(Object.fromEntries(paths(21)))).toEqual([400, 'invalid_parameter']);
    expect(await refusal(Object.fromEntries(paths(1000)))).toEqual([400, 'invalid_parameter']);
  });
  const malformed = [
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a b',
    'a"b',
    'a[0]',
    '$',
    "a'",
    'ä',
    'x'.repeat(65),
    Array.from({ length: 11 }, () => 'a').join('.'),
  ];
  test.each(malformed)('rejects the path %p', async (path) =>
    expect(await refusal({ [`__meta.${path}`]: 'x' })).toEqual([400, 'invalid_parameter']),
  );
  test('needs the protocol metaable', async () => {
    const { status, json } = await list('numbers', { '__meta.color': 'red' });
    expect([status, json.code]).toEqual([400, 'unknown_parameter']);
  });
});

describe('skip_total', () => {
  const totals: readonly Row<[total: number]>[] = [
    [{}, 4],
    [{ skip_total: 'false' }, 4],
    [{ skip_total: 'true' }, -1],
    [{ skip_total: 'true', enum: 'low' }, -1],
    [{ enum: 'low', page_size: '1' }, 2],
    [{ enum: 'low', page: '7' }, 2],
  ];
  test.each(totals.map((row) => named(row)))('%s', async (_, parameters, total) =>
    expect((await list('items', parameters)).json.total).toBe(total),
  );
  test.each(['1', 'yes', 'TRUE', '', 'null'])('refuses %p', async (skip_total) =>
    expect(await refusal({ skip_total })).toEqual([400, 'invalid_parameter']),
  );
});

describe('search', () => {
  const stories = {
    castle: { title: 'The castle by the sea', summary: 'A ruin', body: '<p>Waves <b>an</b>d stones</p>' },
    sea: { title: 'Storm', summary: 'The castle at the sea in winter', body: 'Wind' },
    winter: { title: 'Winter', summary: 'Snow', body: '<p>A castle in the mountains, far from the sea</p>' },
    cafe: { title: 'Café Zürich', summary: 'Straße & Øl', body: 'NOT open OR closed' },
    hidden: { title: 'Plain', secret: 'castle sea cafe', unlisted: 'castle sea cafe' },
  };
  const titles = new Map(Object.entries(stories).map(([name, { title }]) => [title, name]));
  beforeAll(async () => {
    for (const story of Object.values(stories)) await service.seed('stories', story);
  });
  const search = async (text: string, more: object = {}) => {
    const { json } = await list('stories', { search: text, ...more });
    return json.items?.map(({ title }: { title: string }) => titles.get(title)).join(' ') ?? json.code;
  };
  const searches = [
    ['a word, best field first', 'castle', 'castle sea winter'],
    ['the beginning of a last word', 'cast', 'castle sea winter'],
    ['only the last word is a beginning', 'cast sea', ''],
    ['several words, the last as a beginning', 'castle se', 'castle sea winter'],
    ['several words across fields', 'ruin waves', 'castle'],
    ['words in any order', 'sea castle', 'castle sea winter'],
    ['any case', 'CASTLE', 'castle sea winter'],
    ['without accents', 'cafe zurich', 'cafe'],
    ['with accents', 'çàfé', 'cafe'],
    ['letters that fold to two', 'strasse', 'cafe'],
    ['OR as a plain word', 'open OR closed', 'cafe'],
    ['OR that is not there', 'castle OR sea', ''],
    ['NOT as a plain word', 'NOT open', 'cafe'],
    ['NEAR and brackets', 'NEAR(castle sea)', ''],
    ['an asterisk', 'cast*', 'castle sea winter'],
    ['quotes and a column', 'title:"castle"', ''],
    ['punctuation between words', 'castle, sea!', 'castle sea winter'],
    ['a word that tags part', 'and stones', 'castle'],
    ['tags are no words', 'p', 'hidden'],
    ['nothing found', 'dragon', ''],
    ['nothing but punctuation', '… -- "*" ()', ''],
    ['private and unlisted fields', 'plain cafe', ''],
    ['a quote that would end the expression', '" OR "', 'cafe'],
    ['a word of a thousand letters', 'a'.repeat(1000), ''],
  ] as const;
  test.each(searches)('%s: %p finds %p', async (_, text, names) => expect(await search(text)).toBe(names));

  test('an empty term is no search', async () => expect((await list('stories', { search: '' })).json.total).toBe(5));
  test('counts what it finds, page by page', async () => {
    const { json } = await list('stories', { search: 'castle', page_size: '2', page: '2' });
    expect([json.total, json.items.length]).toEqual([3, 1]);
  });
  test('sort replaces the ranking, filters narrow it down', async () => {
    expect(await search('castle', { sort: 'title:desc' })).toBe('winter castle sea');
    expect(await search('castle', { title: 'Winter' })).toBe('winter');
  });
  test('follows updates and deletions', async () => {
    const made = await service.seed('stories', { title: 'Griffin' });
    const path = `/api/v1/admin/cms/stories/${made.id}`;
    const total = async (text: string) => (await list('stories', { search: text })).json.total;
    expect(await total('griffin')).toBe(1);
    await service.send(`PUT ${path}`, { as: 'seeding-admin', body: { title: 'Hydra' } });
    expect([await total('griffin'), await total('hydra')]).toEqual([0, 1]);
    await service.send(`DELETE ${path}`, { as: 'seeding-admin' });
    expect(await total('hydra')).toBe(0);
  });
  test('a new record of more words than PostgreSQL indexes together is found by all of them', async () => {
    const words = Array.from({ length: 90_000 }, (_, index) => `q${index.toString(36).padStart(4, '0')}`);
    const { id } = await service.seed('stories', { title: 'long', body: words.join(' ') });
    for (const word of [words.at(0), words.at(-1)]) {
      const { json } = await list('stories', { search: `long ${word}` });
      expect(json.items.map((item: { id: string }) => item.id)).toEqual([id]);
    }
    expect((await service.send(`DELETE /api/v1/admin/cms/stories/${id}`, { as: 'seeding-admin' })).status).toBe(204);
  });
  test('a type without a text to search rejects it', async () => {
    const { status, json } = await list('numbers', { search: 'x' });
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  });
});

describe('include', () => {
  const one = async (parameters: Parameters) => (await list('items', { id: id.a, ...parameters })).json.items[0];
  const shown = (name: 'a' | 'b' | 'c') => ({ id: id[name], text: rows[name].text });

  test('none: relations read as ids, in order', async () =>
    expect(await one({})).toMatchObject({ parent: id.b, partner: id.c, links: [id.c, id.b], children: [] }));
  test('several: as the records that their own get endpoint returns', async () => {
    const b = { ...shown('b'), parent: null, links: [] };
    const c = { ...shown('c'), parent: id.b, links: [id.b] };
    const item = await one({ include: 'parent,links' });
    expect([item.parent, item.links, item.partner]).toEqual([b, [c, b], id.c]);
  });
  test('the other side of a relation', async () => {
    const { json } = await list('items', { id: id.b, include: 'children' });
    expect(json.items[0].children.map((child: { id: string }) => nameOf.get(child.id))).toEqual(['a', 'c']);
  });
  test('nested, three levels', async () => {
    const item = await one({ include: 'links.parent.links,links' });
    expect(item.links[0]).toEqual({ ...shown('c'), links: [id.b], parent: { ...shown('b'), parent: null, links: [] } });
  });
  test('an empty relation is null or an empty array', async () => {
    const { json } = await list('items', { id: id.b, include: 'parent,links' });
    expect(json.items[0]).toMatchObject({ parent: null, links: [] });
  });
  test('of one record too', async () => {
    const { json } = await service.send(`GET /api/v1/cms/items/${id.a}?include=parent`);
    expect(json.parent).toEqual({ ...shown('b'), parent: null, links: [] });
  });
  const malformed = [
    'links.parent.links.parent',
    'bogus',
    'text',
    'secret',
    'parent.partner',
    'parent.children',
    'parent.text',
    ',',
    'parent,',
    '.parent',
    'parent.',
    'parent..links',
    'id',
    '*',
    Array.from({ length: 21 }, () => 'parent').join(','),
  ];
  test.each(malformed)('rejects %p', async (include) =>
    expect(await refusal({ include })).toEqual([400, 'invalid_parameter']),
  );
});

test('all parameters together', async () => {
  const parameters = {
    enum: 'low',
    '__meta.size': '1.5',
    search: 'a',
    sort: 'text:asc',
    include: 'parent',
    page: '1',
    page_size: '5',
  };
  const { json } = await list('items', { ...parameters, skip_total: 'true' });
  expect(json).toMatchObject({ total: -1, page: 1, page_size: 5, items: [{ id: id.b, parent: null }] });
  expect(json.items).toHaveLength(1);
});

test('admin lists take the same, and private fields too', async () => {
  const admin = (query: string) => service.send(`GET /api/v1/admin/cms/items?${query}`, { as: 'seeding-admin' });
  expect((await admin('secret=hush&sort=secret:asc,text:desc&include=partner.partner')).json).toMatchObject({
    total: 4,
    items: [{ id: id.c }, { id: id.b }, { id: id.a, partner: { id: id.c, secret: 'hush' } }, { id: id.empty }],
  });
  for (const query of ['password=x', 'sort=password:asc', 'bogus=1', 'page=0', 'integer=x']) {
    expect((await admin(query)).status).toBe(400);
  }
});
