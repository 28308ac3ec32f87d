// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// An error is bounded whatever was sent: so many errors, and so many characters of what the caller wrote.

const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'kind', field_type: 'enum', enum_values: ['one', 'two'] },
      { name: 'more', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'notes' } },
    ],
    api: { create: { access: 'public' }, update: { access: 'public' } },
  },
];

/** The most bytes that an error may have here; the bodies have about a megabyte. */
const mostBytes = 100_000;
const many = 60_000;
const unknownNames = Object.fromEntries(Array.from({ length: many }, (_, index) => [`field${index}`, 0]));
const long = 'é'.repeat(200_000);

let service: TestService;
let note = '';

beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  await service.account('ada', 'admin');
  note = (await service.seed('notes', { title: 'A note' })).id;
});

afterAll(() => service.database.close());

function expectBounded({ status, json, text }: Reply): void {
  expect(status).toBe(422);
  expect(Buffer.byteLength(text)).toBeLessThan(mostBytes);
  expect(json.errors.length).toBe(256);
  const [, counted] = /^At least (\d+) fields are not valid; the first 256 are listed\.$/.exec(json.detail) ?? [];
  expect(Number(counted), json.detail).toBeGreaterThan(256);
}

describe('a body of nothing but unknown names', () => {
  const rows: Readonly<Record<string, string>> = {
    'a record': 'POST /api/v1/cms/notes',
    'a record, by an admin': 'POST /api/v1/admin/cms/notes',
    'an update': 'PUT /api/v1/cms/notes/{note}',
    'a page': 'POST /api/v1/pages',
    'a batch': 'POST /api/v1/admin/pages/batch',
    'a new order': 'PUT /api/v1/admin/pages/reorder',
    'an account': 'POST /api/v1/auth/register',
    'an own account': 'PUT /api/v1/auth/me',
    'an account, by an admin': 'POST /api/v1/admin/users',
    'an API token': 'POST /api/v1/admin/api-tokens',
  };
  test.each(Object.entries(rows))('%s', async (_, line) => {
    expectBounded(await service.send(line.replace('{note}', note), { as: 'ada', body: unknownNames }));
  });

  test('the number of all is in the error', async () => {
    const { json } = await service.send('POST /api/v1/cms/notes', { body: unknownNames });
    expect(json.detail).toStartWith(`At least ${many} fields`);
  });

  test('a few are all listed', async () => {
    const { json } = await service.send('POST /api/v1/cms/notes', { body: { a: 1, b: 1, c: 1 } });
    expect([json.detail, json.errors.length]).toEqual(['3 fields are not valid.', 3]);
  });
});

test('a list of nothing but wrong ids', async () => {
  const wrong = Array.from({ length: many }, () => 'x');
  for (const [line, body] of [
    ['POST /api/v1/cms/notes', { more: wrong }],
    ['POST /api/v1/posts', { title: 'T', tags: Array.from({ length: 200_000 }, () => 'x') }],
    ['POST /api/v1/admin/pages/batch', { action: 'publish', ids: wrong.slice(0, 1000) }],
    ['PUT /api/v1/admin/pages/reorder', { items: wrong.slice(0, 1000).map((id) => ({ id, sort_order: 1 })) }],
  ] as const) {
    const { status, text } = await service.send(line, { as: 'ada', body });
    expect([line, status]).toEqual([line, 422]);
    expect(Buffer.byteLength(text)).toBeLessThan(mostBytes);
  }
});

describe('long texts are cut where an error repeats them', () => {
  const rows: Readonly<Record<string, readonly [line: string, body?: unknown]>> = {
    'a name': ['POST /api/v1/cms/notes', { [long]: 1 }],
    'a value': ['POST /api/v1/cms/notes', { kind: long }],
    'an id': ['POST /api/v1/cms/notes', { more: [long] }],
    'an action': ['POST /api/v1/admin/pages/batch', { action: long, ids: [] }],
    'a status': [`POST /api/v1/pages`, { title: 'T', status: long }],
    'an address': ['POST /api/v1/auth/register', { email: `${long}@x.example`, password: 'correct horse' }],
    'a user name': ['POST /api/v1/auth/register', { email: 'm@x.example', password: 'correct horse', username: long }],
    'a parameter': [`GET /api/v1/cms/notes?${encodeURIComponent(long.slice(0, 2000))}=1`],
    'a sort': [`GET /api/v1/cms/notes?sort=${encodeURIComponent(long.slice(0, 2000))}:asc`],
    'an include': [`GET /api/v1/cms/notes?include=${encodeURIComponent(long.slice(0, 2000))}`],
    'a filter': [`GET /api/v1/cms/notes?kind=${encodeURIComponent(long.slice(0, 2000))}`],
    'a definition': ['POST /api/v1/admin/content-types', { definition: { singular: long.slice(0, 50_000) } }],
    'a definition, as text': ['POST /api/v1/admin/content-types', { [long]: 1 }],
  };
  test.each(Object.entries(rows))('%s', async (_, [line, body]) => {
    const { status, text } = await service.send(line, { as: 'ada', body });
    expect(status).toBeOneOf([400, 404, 422, 200]);
    expect(Buffer.byteLength(text)).toBeLessThan(6_000);
  });
});
