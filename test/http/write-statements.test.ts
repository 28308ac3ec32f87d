// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onPostgres } from '../support/database/database.ts';
import { TestService } from '../support/service.ts';

// How many statements a write costs. On SQLite BEGIN, COMMIT and one look at the log's length are among them; on PostgreSQL those that
// transactions share, which begin, mark, log and commit them, are not.

const title = { name: 'title', field_type: 'text' };
const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});
const slugged = [title, { name: 'slug', field_type: 'uid', target_field: 'title' }];
const related = [
  title,
  { name: 'code', field_type: 'text', unique: true, max_length: 40 },
  relation('note', 'many_to_one', 'notes'),
  relation('notes', 'many_to_many', 'notes'),
];
const definitions = [
  { singular: 'note', plural: 'notes', fields: [title] },
  { singular: 'entry', plural: 'entries', protocols: ['timestampable'], fields: slugged },
  { singular: 'doc', plural: 'docs', protocols: ['timestampable', 'versionable'], fields: slugged },
  { singular: 'item', plural: 'items', protocols: ['versionable'], fields: related },
];

let service: TestService;
let statements = 0;
const notes: string[] = [];
beforeAll(async () => {
  const observe = () => {
    statements += 1;
  };
  service = await TestService.open(definitions, { builtIn: true, database: { observe } });
  await service.account('ada', 'admin');
  for (const word of ['One', 'Two', 'Three']) notes.push((await service.seed('notes', { title: word })).id);
});
afterAll(() => service[Symbol.asyncDispose]());

/** The statements of a write. What is remembered of other requests is brought up to date before. */
async function count(line: string, body?: object): Promise<{ readonly statements: number; readonly id: string }> {
  await service.send('GET /api/v1/admin/cms/notes', { as: 'ada' });
  statements = 0;
  const { status, json } = await service.send(line, { as: 'ada', ...(body && { body }) });
  expect(status).toBeLessThan(300);
  return { statements, id: json?.id };
}

interface Costs {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}
type Case = readonly [
  what: string,
  plural: string,
  body: () => object,
  change: () => object,
  sqlite: Costs,
  postgres: Costs,
];

const cases: readonly Case[] = [
  [
    'a plain record',
    'notes',
    () => ({ title: 'New' }),
    () => ({ title: 'Newer' }),
    { create: 8, update: 9, delete: 14 },
    { create: 2, update: 4, delete: 8 },
  ],
  [
    'a record with a slug',
    'entries',
    () => ({ title: 'New' }),
    () => ({ title: 'Newer' }),
    { create: 8, update: 9, delete: 13 },
    { create: 2, update: 4, delete: 8 },
  ],
  [
    'a versionable record with a slug',
    'docs',
    () => ({ title: 'New' }),
    () => ({ title: 'Newer' }),
    { create: 9, update: 10, delete: 13 },
    { create: 3, update: 5, delete: 8 },
  ],
  [
    'a versionable record with a unique value and relations',
    'items',
    () => ({ title: 'New', code: 'c1', note: notes[0], notes: notes.slice(0, 2) }),
    () => ({ title: 'Newer', notes: notes.slice(1) }),
    { create: 12, update: 15, delete: 11 },
    { create: 7, update: 10, delete: 6 },
  ],
];

describe.each(cases)('%s', (_, plural, body, change, sqlite, postgres) => {
  const costs = onPostgres ? postgres : sqlite;
  const base = `/api/v1/admin/cms/${plural}`;
  let id = '';

  test('is created', async () => {
    const made = await count(`POST ${base}`, body());
    ({ id } = made);
    expect(made.statements).toBe(costs.create);
  });

  test('is updated', async () => {
    expect((await count(`PUT ${base}/${id}`, change())).statements).toBe(costs.update);
  });

  test('is deleted', async () => {
    expect((await count(`DELETE ${base}/${id}`)).statements).toBe(costs.delete);
  });
});

test('a hundred links cost as many statements as a few', async () => {
  const many = await Promise.all(
    Array.from({ length: 100 }, (_, index) => service.seed('notes', { title: `Note ${index}` })),
  );
  const links = many.map(({ id }) => id);
  const made = await count('POST /api/v1/admin/cms/items', { title: 'Linked', notes: links });
  // 64 + 32 + 4 of them at once.
  expect(made.statements).toBe(onPostgres ? 9 : 14);
});
