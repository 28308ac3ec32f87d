// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Filters with as many comparisons as there may be. A database is given a statement that it plans in little time, or the caller
// reads that it is too large.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const shown = 'name != null || articles.topics.name ?= "x"';
const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'data', field_type: 'json' },
      relation('author', 'many_to_one', 'authors'),
      relation('topics', 'many_to_many', 'topics'),
    ],
    api: { list: { filter: 'title != null' }, get: { filter: 'title != null || topics.name ?= "x"' } },
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [
      { name: 'name', field_type: 'text' },
      relation('articles', 'one_to_many', 'articles', { mapped_by: 'author' }),
    ],
    api: { get: { filter: shown } },
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [{ name: 'name', field_type: 'text' }, relation('articles', 'many_to_many', 'articles')],
    api: { get: { filter: shown } },
  },
];

const articles = 60;
let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('ada', 'admin');
  const { id: topic } = await service.seed('topics', { name: 'x' });
  const { id: author } = await service.seed('authors', { name: 'Ines' });
  for (let number = 0; number < articles; number += 1) {
    await service.seed('articles', { title: `Number ${number}`, author, topics: [topic], data: { a: { a: ['b'] } } });
  }
});
afterAll(() => service[Symbol.asyncDispose]());

const list = (filter: string, more = '', view = 'cms') =>
  service.send(`GET /api/v1/${view}/articles?${new URLSearchParams({ filter })}${more}`, { as: 'ada' });
const repeated = (comparison: string, operator: string, times = 64) => Array(times).fill(comparison).join(operator);

describe.each(['cms', 'admin/cms'])('64 comparisons through relations on %s', (view) => {
  test.each(['author.articles.topics.name ?= "x"', 'topics:isset', 'author.name = "Ines"'])(
    '%s',
    async (comparison) => {
      for (const operator of [' && ', ' || ']) {
        const { status, json } = await list(repeated(comparison, operator), '', view);
        expect({ operator, status, total: json.total }).toEqual({ operator, status: 200, total: articles });
      }
    },
  );
});

test('a filter that is more than the database reads in one statement is an error of the filter', async () => {
  const replies = [
    await list(
      repeated('topics.articles.author.name ?= "Ines"', ' && '),
      '&include=author.articles.topics,topics.articles',
    ),
    await list(`data${'.a'.repeat(1_900)} = "b"`),
  ];
  for (const { status, json } of replies) {
    if (status !== 200) expect(json).toMatchObject({ status: 400, code: 'invalid_filter', position: 1 });
  }
  expect((await list('data.a.a ?= "b"')).json.total).toBe(articles);
});

test('a filter that reads more tables than any database should is refused by its size', async () => {
  const deep = (members: number) => `data${'.a'.repeat(members)} ?= "b"`;
  const costly = { status: 400, code: 'filter_too_costly', position: 1 };
  expect((await list(deep(49))).status).toBe(200);
  for (const members of [50, 100, 1_900]) {
    const { json } = await list(deep(members));
    expect(json.detail).toContain('at most 50 tables');
    expect(json.detail).toContain(`reads ${members + 1}.`);
    expect(json).toMatchObject(costly);
  }
  expect((await list(repeated(deep(24), ' || ', 16))).status).toBe(200);
  const many = await list(repeated(deep(24), ' || ', 17));
  expect(many.json.detail).toContain('at most 400 tables');
  expect(many.json.detail).toContain('reads 425.');
  expect(many.json).toMatchObject(costly);
});

describe('a rule that reads more tables than any database should is an error of its definition', () => {
  const withRule = (filter: string) =>
    TestService.open([{ ...definitions[0], api: { list: { filter } } }, ...definitions.slice(1)]);

  test.each([
    [`data${'.a'.repeat(50)} ?= "b"`, 'at most 50 tables', 'reads 51'],
    [repeated('author.articles.topics.name ?= "x"', ' || ', 101), 'at most 400 tables', 'reads 404'],
  ])('%#', async (rule, bound, size) => {
    const message = await withRule(rule).then(
      () => 'taken',
      (error: unknown) => String(error),
    );
    expect(message).toContain('api.list.filter');
    expect(message).toContain(bound);
    expect(message).toContain(size);
  });

  test.each([
    `data${'.a'.repeat(49)} ?= "b"`,
    repeated('author.articles.topics.name ?= "x"', ' || ', 100),
    repeated('author.articles.topics.name ?= "x"', ' && ', 100),
    repeated('author.articles:length > 0', ' || ', 200),
    `data${'.a'.repeat(4_000)} = "b"`,
    repeated(`data${'.a'.repeat(20)} = "b"`, ' && ', 150),
  ])('and one within the bounds can be read by: %#', async (rule) => {
    await using own = await withRule(rule);
    await own.account('ada', 'admin');
    await own.seed('articles', { title: 'One', data: {} });
    expect((await own.send('GET /api/v1/cms/articles', { as: 'ada' })).status).toBe(200);
  });
});
