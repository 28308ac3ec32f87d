// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Lists with `format=csv`.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});

const definitions = [
  {
    singular: 'book',
    plural: 'books',
    protocols: ['statusable', 'soft_deletable'],
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'pages', field_type: 'integer' },
      { name: 'price', field_type: 'decimal' },
      { name: 'weight', field_type: 'float' },
      { name: 'large', field_type: 'bigint' },
      { name: 'bound', field_type: 'boolean' },
      { name: 'out_at', field_type: 'date' },
      { name: 'facts', field_type: 'json' },
      { name: 'cost', field_type: 'integer', private: true },
      relation('author', 'many_to_one', 'people'),
      relation('topics', 'many_to_many', 'topics'),
    ],
    api: { list: { filter: "status = 'published' && title != 'hidden'" } },
  },
  { singular: 'person', plural: 'people', fields: [{ name: 'name', field_type: 'text' }] },
  { singular: 'leaf', plural: 'leaves', fields: [relation('tree', 'many_to_one', 'trees')] },
  { singular: 'tree', plural: 'trees', fields: [relation('leaves', 'one_to_many', 'leaves', { mapped_by: 'tree' })] },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [{ name: 'name', field_type: 'text' }],
    api: { list: { cache: true } },
  },
  { singular: 'printing', plural: 'printings', fields: [{ name: 'format', field_type: 'text' }] },
  {
    singular: 'note',
    plural: 'notes',
    fields: [{ name: 'text', field_type: 'text' }],
    api: { list: { fields: ['id'], access: 'member' } },
  },
  {
    singular: 'asked',
    plural: 'asked_ones',
    fields: [{ name: 'text', field_type: 'text' }],
    api: { list: { filter: "@request.query.format = 'csv'" } },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('admin', 'admin');
  await service.account('member');
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, as?: string): Promise<Reply> =>
  service.send(`GET /api/v1${path}`, as === undefined ? {} : { as });

const lines = ({ text }: Reply): string[] => text.split('\r\n').slice(0, -1);

/** Adds records of a type, with one value in one column. */
const add = (type: string, column: string, count: number, value: string): Promise<void> =>
  service.database.transaction(async (transaction) => {
    for (let from = 0; from < count; from += 500) {
      const ids = Array.from({ length: Math.min(500, count - from) }, () => crypto.randomUUID());
      const rows = ids.map(() => '(?, ?)').join(', ');
      const values = ids.flatMap((id) => [id, value]);
      await transaction.run(query(`insert into "cms_${type}" ("id", "${column}") values ${rows}`, ...values));
    }
    transaction.touch(type);
  });

describe('a list as CSV', () => {
  test('has the fields and records of the list, one line each', async () => {
    const author = await service.seed('people', { name: 'Ines, "the editor"' });
    const topics = [await service.seed('topics', { name: 'Type' }), await service.seed('topics', { name: 'Ink' })];
    const book = await service.seed('books', {
      ...{ title: 'Margins,\n"white"', pages: -12, price: '-12.50', weight: 1.5, large: '9007199254740993' },
      ...{
        bound: true,
        out_at: '2026-11-21',
        facts: { a: ['=1', 2] },
        cost: 7,
        author: author.id,
        status: 'published',
      },
      topics: topics.map(({ id }) => id),
    });
    await service.seed('books', { title: 'hidden', status: 'published' });
    await service.seed('books', { title: 'draft' });
    const reply = await get('/cms/books?format=csv&sort=title:asc');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toStartWith('attachment; filename="books.csv"');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('etag')).toBeNull();
    const json = await get('/cms/books?sort=title:asc');
    const [header = '', ...rows] = reply.text.split('\r\n');
    expect(header.split(',')).toEqual(Object.keys(json.json.items[0]));
    expect(header).not.toContain('cost');
    expect(rows.join('\r\n')).toBe(
      `${[
        ...[book.id, '"Margins,\n""white"""', '-12', '-12.5', '1.5', '9007199254740993', 'true', '2026-11-21'],
        ...['"{""a"":[""=1"",2]}"', author.id, topics.map(({ id }) => id).join('|')],
        ...header
          .split(',')
          .slice(11)
          .map((name) => book[name]),
      ].join(',')}\r\n`,
    );
  });

  test('gives the admin routes their fields and records', async () => {
    const reply = await get('/admin/cms/books?format=csv&fields=title,cost&sort=title:asc', 'admin');
    expect(lines(reply).map((line) => line.split(',').slice(1).join(','))).toEqual(
      ['title,cost', '"Margins,\n""white""",7', 'draft,', 'hidden,'].flatMap((line) => line.split('\r\n')),
    );
    const filtered = await get('/admin/cms/books?format=csv&filter=cost%3D7&fields=id', 'admin');
    expect(lines(filtered)).toHaveLength(2);
  });

  test('keeps spreadsheets from running what people wrote', async () => {
    const texts = ['=1+1', '+1', '-1', '@a', '\tx', '\rx', "'=1", "''+", "'quoted'", 'a=b', '＝1', ' =1', ''];
    for (const name of texts) await service.seed('topics', { name });
    await service.seed('topics', { name: null });
    const reply = await get('/cms/topics?format=csv&fields=name');
    const cells = reply.text
      .split('\r\n')
      .slice(3, -1)
      .map((line) => line.slice(37));
    expect(cells).toEqual([
      ...[
        "'=1+1",
        "'+1",
        "'-1",
        "'@a",
        "'\tx",
        '"\'\rx"',
        "''=1",
        "'''+",
        "'quoted'",
        'a=b',
        "'＝1",
        '" =1"',
        '""',
        '',
      ],
    ]);
  });

  test('has every record once, also behind the first page', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 230; number += 1) {
      ids.push((await service.seed('people', { name: `${number % 7}` })).id);
    }
    const all = lines(await get('/cms/people?format=csv&sort=name:desc&fields=name&filter=name%3C%22A%22'));
    expect(new Set(all).size).toBe(all.length);
    expect(all.slice(1)).toHaveLength(230);
    const names = all.slice(1).map((line) => line.slice(37));
    expect(names).toEqual(names.toSorted().toReversed());
    expect(ids.every((id) => all.some((line) => line.startsWith(id)))).toBe(true);
    expect(lines(await get('/cms/people?format=csv&search=3'))).toHaveLength(34);
  });

  test('ends a list of ids that is longer than what a record shows', async () => {
    const { id } = await service.seed('trees', {});
    await add('leaf', 'tree', 1_001, id);
    const [, row = ''] = lines(await get('/cms/trees?format=csv'));
    const ids = row.slice(37).split('|');
    expect(ids).toHaveLength(1_001);
    expect(ids.at(-1)).toBe('…');
  });

  test('has a line of names where there are no records', async () => {
    expect((await get('/cms/notes?format=csv', 'member')).text).toBe('id\r\n');
  });

  test('asks for the same access', async () => {
    expect((await get('/cms/notes?format=csv')).status).toBe(401);
    expect((await get('/admin/cms/notes?format=csv', 'member')).status).toBe(403);
  });

  test('answers HEAD without reading', async () => {
    const reply = await service.send('HEAD /api/v1/cms/topics?format=csv');
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([200, '', 'text/csv; charset=utf-8']);
  });
});

describe('parameters', () => {
  for (const parameter of ['include=author', 'page=2', 'page_size=5', 'cursor=x', 'skip_total=true']) {
    test(`400 with ${parameter}`, async () => {
      const reply = await get(`/cms/books?format=csv&${parameter}`);
      expect([reply.status, reply.json.code]).toEqual([400, 'invalid_parameter']);
    });
  }

  for (const query of [
    'format=xml',
    'format=',
    'format=csv&format=json',
    'format=csv&nothing=1',
    'format=csv&fields=cost',
  ]) {
    test(`400 for ${query}`, async () => expect((await get(`/cms/books?${query}`)).status).toBe(400));
  }

  test('an empty one is as if it was not given', async () => {
    expect((await get('/cms/books?format=csv&include=&search=')).status).toBe(200);
  });

  test('"json" is the list as ever', async () => {
    const [asked, plain] = [await get('/cms/books?format=json&page_size=2'), await get('/cms/books?page_size=2')];
    expect(asked.text).toBe(plain.text);
  });

  test('a field or a rule that has the name keeps it', async () => {
    await service.seed('printings', { format: 'csv' });
    await service.seed('printings', { format: 'quarto' });
    expect((await get('/cms/printings?format=csv')).json.items).toHaveLength(1);
    await service.seed('asked_ones', { text: 'a' });
    expect((await get('/cms/asked_ones?format=csv')).json.items).toHaveLength(1);
    expect((await get('/cms/asked_ones?format=json')).json.items).toHaveLength(0);
  });
});

describe('a list that is cached', () => {
  test('mixes no forms', async () => {
    const json = await get('/cms/topics?fields=name');
    expect((await get('/cms/topics?fields=name&format=csv')).text).toStartWith('id,name\r\n');
    const again = await get('/cms/topics?fields=name');
    expect(again.headers.get('cache-status')).toBe('recto; hit');
    expect(again.text).toBe(json.text);
    const accepting = await service.send('GET /api/v1/cms/topics?fields=name', { headers: { Accept: 'text/csv' } });
    expect(accepting.headers.get('content-type')).toBe('application/json');
    const etag = json.headers.get('etag') ?? '';
    const conditional = await service.send('GET /api/v1/cms/topics?fields=name&format=csv', {
      headers: { 'If-None-Match': `${etag}, *` },
    });
    expect(conditional.status).toBe(200);
  });

  test('is read again as CSV', async () => {
    const before = lines(await get('/cms/topics?format=csv')).length;
    await service.seed('topics', { name: 'new' });
    expect(lines(await get('/cms/topics?format=csv'))).toHaveLength(before + 1);
  });
});

test('a public list of too many records is refused before anything is sent; admins get it', async () => {
  await add('note', 'text', 10_000, 'a note');
  expect(lines(await get('/cms/notes?format=csv', 'member'))).toHaveLength(10_001);
  await service.seed('notes', { text: 'one more' });
  const refused = await get('/cms/notes?format=csv', 'member');
  expect([refused.status, refused.json.code]).toEqual([400, 'answer_too_large']);
  expect(lines(await get('/admin/cms/notes?format=csv', 'admin'))).toHaveLength(10_002);
}, 600_000);
