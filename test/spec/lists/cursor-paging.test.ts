// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Lists read page by page with `cursor`, the `next_cursor` of the page before.

const scalar = [
  'text',
  'integer',
  'bigint',
  'decimal',
  'float',
  'boolean',
  'date',
  'datetime',
  'time',
  'enum',
] as const;

const item = {
  singular: 'item',
  plural: 'items',
  fields: [
    ...scalar.map((name) => ({ name, field_type: name, ...(name === 'enum' ? { enum_values: ['low', 'high'] } : {}) })),
    { name: 'secret', field_type: 'text', private: true },
  ],
};
const ranked = {
  singular: 'ranking',
  plural: 'rankings',
  protocols: [{ name: 'sortable', field: 'weight', direction: 'desc' }],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'weight', field_type: 'integer' },
  ],
  api: { list: { fields: ['title', 'weight'] } },
};
const cached = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { list: { cache: true, filter: 'title != @request.auth.id' } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([item, ranked, cached], { maxPageSize: 1000 });
  await service.account('admin', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

type Json = Reply['json'];

/** All pages of a list, from the first to the one without a next. */
async function pages(line: string, pageSize: number, more = ''): Promise<Json[]> {
  const read: Json[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined && read.length < 200; ) {
    const query = `page_size=${pageSize}${more}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, json, text } = await service.send(`GET ${line}?${query}`, { as: 'admin' });
    if (status !== 200) throw new Error(text);
    read.push(json);
    cursor = json.next_cursor;
  }
  return read;
}

const ids = (read: readonly Json[]): string[] => read.flatMap(({ items }) => items.map(({ id }: Json) => id));

describe('page by page, every record comes once and in the order of the complete list', () => {
  const values = fc.record({
    text: fc.option(fc.constantFrom('', 'a', 'B', 'b', 'é', '𝄞', 'z')),
    integer: fc.option(fc.integer({ min: -2, max: 2 })),
    bigint: fc.option(fc.constantFrom('-9223372036854775808', '-1', '9007199254740993', '9223372036854775807')),
    decimal: fc.option(fc.constantFrom('-10.5', '-9', '0', '9', '10', '10.25')),
    float: fc.option(fc.constantFrom(-1.5, 0.1 + 0.2, 0.3, 1e21, 5e-324)),
    boolean: fc.option(fc.boolean()),
    date: fc.option(fc.constantFrom('0999-12-31', '2026-01-01')),
    datetime: fc.option(fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z')),
    time: fc.option(fc.constantFrom('09:00:00', '10:00:00.250')),
    enum: fc.option(fc.constantFrom('low', 'high')),
  });
  const order = fc.uniqueArray(fc.tuple(fc.constantFrom(...scalar, 'id'), fc.constantFrom('asc', 'desc')), {
    selector: ([name]) => name,
    maxLength: 6,
  });

  beforeAll(async () => {
    for (const record of fc.sample(values, { numRuns: 60, seed: 7 })) await service.seed('items', record);
  });

  test('whatever it is sorted by', async () => {
    await fc.assert(
      fc.asyncProperty(order, fc.integer({ min: 1, max: 61 }), fc.boolean(), async (terms, pageSize, skipTotal) => {
        const sort = terms.length === 0 ? '' : `&sort=${terms.map((term) => term.join(':')).join(',')}`;
        const whole = await service.send(`GET /api/v1/cms/items?page_size=1000${sort}`);
        const read = await pages('/api/v1/cms/items', pageSize, `${sort}${skipTotal ? '&skip_total=true' : ''}`);
        expect(ids(read)).toEqual(whole.json.items.map(({ id }: Json) => id));
        expect(whole.json.next_cursor).toBeUndefined();
        expect(read.map(({ page }) => page)).toEqual(read.map((_, index) => index + 1));
        expect(read.map(({ total }) => total)).toEqual(read.map(() => (skipTotal ? -1 : 60)));
      }),
      { numRuns: randomCases(60) },
    );
  }, 600_000);

  test('from any page on, and with another page size', async () => {
    const second = await service.send('GET /api/v1/cms/items?sort=integer:desc&page=2&page_size=7');
    const rest = await service.send(
      `GET /api/v1/cms/items?sort=integer:desc&page_size=100&cursor=${second.json.next_cursor}`,
    );
    const whole = await service.send('GET /api/v1/cms/items?sort=integer:desc&page_size=100');
    expect(rest.json.items).toEqual(whole.json.items.slice(14));
    expect(rest.json).toMatchObject({ page: 3, page_size: 100 });
  });

  test('filtered and searched by', async () => {
    const filtered = await pages('/api/v1/cms/items', 2, '&boolean=true&sort=text:desc');
    const whole = await service.send('GET /api/v1/cms/items?boolean=true&sort=text:desc&page_size=100');
    expect(filtered.length).toBeGreaterThan(5);
    expect(ids(filtered)).toEqual(whole.json.items.map(({ id }: Json) => id));
  });
});

test('a type of many fields, sorted by all of them', async () => {
  const names = Array.from({ length: 240 }, (_, index) => `f${index}`);
  const sort = names.map((name, index) => `${name}:${index % 2 === 0 ? 'desc' : 'asc'}`).join(',');
  const filter = names
    .slice(0, 4)
    .map((name) => `${name} = "a"`)
    .join(' || ');
  const wide = { singular: 'wide', plural: 'wides', fields: names.map((name) => ({ name, field_type: 'text' })) };
  await using sorted = await TestService.open([{ ...wide, api: { list: { filter } } }]);
  const alike = Object.fromEntries(names.map((name) => [name, 'a']));
  const last = names.at(-1) ?? '';
  for (const more of [{}, { [last]: 'b' }, { [last]: null }, { f100: null }, { f1: null }, { f0: 'b' }, {}])
    await sorted.seed('wides', { ...alike, ...more });
  const whole = await sorted.send(`GET /api/v1/cms/wides?sort=${sort}`);
  const read: Json[] = [(await sorted.send(`GET /api/v1/cms/wides?page_size=1&sort=${sort}`)).json];
  for (let next = read[0].next_cursor; next !== undefined && read.length < 10; next = read.at(-1)?.next_cursor) {
    const { status, json } = await sorted.send(`GET /api/v1/cms/wides?page_size=1&sort=${sort}&cursor=${next}`);
    expect(status).toBe(200);
    read.push(json);
  }
  expect(ids(read)).toEqual(whole.json.items.map(({ id }: Json) => id));
  expect(whole.json.total).toBe(7);
}, 600_000);

test('search results, best match first', async () => {
  await using searched = await TestService.open([
    {
      singular: 'story',
      plural: 'stories',
      fields: [
        { name: 'title', field_type: 'text' },
        { name: 'body', field_type: 'text' },
      ],
    },
  ]);
  for (let index = 0; index < 12; index++) {
    const body = index % 2 === 0 ? 'a red fox' : 'something else';
    await searched.seed('stories', { title: index % 3 === 0 ? 'the red fox' : 'red', body: `${body} and a fox` });
  }
  const whole = (await searched.send('GET /api/v1/cms/stories?search=red+fox')).json.items;
  const read: Json[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await searched.send(`GET /api/v1/cms/stories?search=red+fox&page_size=5${cursor}`);
    read.push(...json.items);
    if (json.next_cursor === undefined) break;
    cursor = `&cursor=${json.next_cursor}`;
  }
  expect(read).toEqual(whole);
  expect(read.length).toBe(12);
});

test('what is created and removed meanwhile moves nothing else', async () => {
  const made: string[] = [];
  for (const title of ['b', 'd', 'f', 'h']) made.push((await service.seed('notes', { title })).id);
  const first = await service.send('GET /api/v1/cms/notes?sort=title:asc&page_size=2');
  await service.seed('notes', { title: 'a' });
  await service.send(`DELETE /api/v1/admin/cms/notes/${made[1]}`, { as: 'admin' });
  await service.seed('notes', { title: 'e' });
  const second = await service.send(`GET /api/v1/cms/notes?sort=title:asc&cursor=${first.json.next_cursor}`);
  expect(first.json.items.map(({ title }: Json) => title)).toEqual(['b', 'd']);
  expect(second.json.items.map(({ title }: Json) => title)).toEqual(['e', 'f', 'h']);
});

describe('a cursor', () => {
  test('is the same for the same page, so that a cached answer and its ETag stay', async () => {
    for (const title of ['x', 'y', 'z']) await service.seed('notes', { title });
    const first = await service.send('GET /api/v1/cms/notes?page_size=1');
    const again = await service.send('GET /api/v1/cms/notes?page_size=1&skip_total=false');
    expect(again.json.next_cursor).toBe(first.json.next_cursor);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    const line = `GET /api/v1/cms/notes?page_size=1&cursor=${first.json.next_cursor}`;
    const second = await service.send(line);
    expect((await service.send(line)).headers.get('cache-status')).toBe('recto; hit');
    expect(second.json.items[0].id).not.toBe(first.json.items[0].id);
  });

  test('returns the number of its page, also where another led to the same place and the answer is kept', async () => {
    for (let index = 0; index < 8; index++) await service.seed('notes', { title: `n${index}` });
    const after = async (page: string) => (await service.send(`GET /api/v1/cms/notes?${page}`)).json.next_cursor;
    const [second, third] = [await after('page_size=4'), await after('page_size=2&page=2')];
    const read = async (cursor: string) =>
      (await service.send(`GET /api/v1/cms/notes?page_size=2&cursor=${cursor}`)).json;
    const pages = [await read(second), await read(third)];
    expect(pages.map(({ page }) => page)).toEqual([2, 3]);
    expect(pages[0].items).toEqual(pages[1].items);
  });

  test('exposes nothing of the values that the list is ordered by', async () => {
    for (const weight of [1111111, 2222222, null]) await service.seed('rankings', { title: 'r', weight });
    const { json } = await service.send('GET /api/v1/cms/rankings?page_size=1');
    const bytes = Buffer.from(json.next_cursor, 'base64url').toString('latin1');
    for (const hidden of ['2222222', 'weight', json.items[0].id]) expect(bytes).not.toContain(hidden);
    const rest = await service.send(`GET /api/v1/cms/rankings?cursor=${json.next_cursor}`);
    expect(rest.json.items.length).toBe(2);
  });

  test('only opens the list that it was given with', async () => {
    for (const text of ['k', 'l']) await service.seed('items', { text, enum: 'low' });
    const given = (await service.send('GET /api/v1/cms/items?page_size=1&enum=low&sort=text:asc')).json.next_cursor;
    expect((await service.send(`GET /api/v1/cms/items?enum=low&sort=text:asc&cursor=${given}`)).status).toBe(200);
    const flipped = `${given.slice(0, 20)}${given[20] === 'A' ? 'B' : 'A'}${given.slice(21)}`;
    const lines: readonly [line: string, as?: string][] = [
      [`/api/v1/cms/items?enum=high&sort=text:asc&cursor=${given}`],
      [`/api/v1/cms/items?enum=low&sort=text:desc&cursor=${given}`],
      [`/api/v1/cms/items?enum=low&sort=text:asc,integer:asc&cursor=${given}`],
      [`/api/v1/cms/items?enum=low&sort=text:asc&search=k&cursor=${given}`],
      [`/api/v1/cms/items?enum=low&cursor=${given}`],
      [`/api/v1/cms/notes?cursor=${given}`],
      [`/api/v1/admin/cms/items?enum=low&sort=text:asc&cursor=${given}`, 'admin'],
      [`/api/v1/cms/items?enum=low&sort=text:asc&cursor=${flipped}`],
      [`/api/v1/cms/items?enum=low&sort=text:asc&cursor=${given.slice(0, -4)}`],
      ['/api/v1/cms/items?cursor='],
      ['/api/v1/cms/items?cursor=%C3%A9'],
      ['/api/v1/cms/items?cursor=AAAA'],
      [`/api/v1/cms/items?cursor=${'A'.repeat(7000)}`],
    ];
    for (const [line, as] of lines) {
      const refused = await service.send(`GET ${line}`, as === undefined ? {} : { as });
      expect([line, refused.status, refused.json.code]).toEqual([line, 400, 'invalid_cursor']);
    }
  });

  test('does not go with a page number', async () => {
    const { status, json } = await service.send('GET /api/v1/cms/items?page=2&cursor=AAAA');
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    expect(json.detail).toContain('"cursor" and "page"');
  });
});

describe('a list that its rules give one or another way', () => {
  const own = {
    singular: 'own',
    plural: 'owns',
    fields: [
      { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'] },
      { name: 'weight', field_type: 'integer', indexed: true },
      { name: 'flag', field_type: 'boolean' },
      { name: 'owner', field_type: 'text', max_length: 36 },
    ],
    api: { list: { filter: 'status = "published" || weight = 1', filter_auth: 'owner = @request.auth.id' } },
  };
  let shared: TestService;
  let records: readonly Json[];

  beforeAll(async () => {
    shared = await TestService.open([own]);
    const member = await shared.account('reader', 'member');
    const values = fc.record({
      status: fc.option(fc.constantFrom('draft', 'published')),
      weight: fc.option(fc.integer({ min: 0, max: 3 })),
      flag: fc.option(fc.boolean()),
      owner: fc.option(fc.constantFrom(member, 'somebody')),
    });
    const made: Json[] = [];
    for (const record of fc.sample(values, { numRuns: 60, seed: 11 })) made.push(await shared.seed('owns', record));
    records = made.map((record) => ({ ...record, own: record.owner === member }));
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  const lists = ['', 'flag=true', 'sort=weight:desc', 'sort=weight:asc,flag:desc', 'sort=owner:asc&flag=false'];
  const cases = lists.flatMap((list) => [undefined, 'reader'].map((as) => [list, as] as const));
  test.each(cases)('%p as %p: every record once, by number and by cursor, and counted once', async (list, as) => {
    const ask = async (more: string): Promise<Json> => {
      const caller = as === undefined ? {} : { as };
      return (await shared.send(`GET /api/v1/cms/owns?${list}&${more}`, caller)).json;
    };
    const flag = /flag=(\w+)/.exec(list)?.[1];
    const wanted = records.filter(
      (record) =>
        (record.status === 'published' || record.weight === 1 || (as !== undefined && record.own)) &&
        (flag === undefined || String(record.flag) === flag),
    );
    const whole = await ask('page_size=100');
    expect(ids([whole]).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    expect(whole.total).toBe(wanted.length);
    const numbered: Json[] = [];
    for (let page = 1; page <= Math.ceil(wanted.length / 7); page++)
      numbered.push(await ask(`page_size=7&page=${page}`));
    expect(ids(numbered)).toEqual(ids([whole]));
    const followed = [await ask('page_size=7')];
    for (let next = followed[0].next_cursor; next !== undefined; next = followed.at(-1)?.next_cursor)
      followed.push(await ask(`page_size=7&cursor=${next}`));
    expect(ids(followed)).toEqual(ids([whole]));
  });
});
