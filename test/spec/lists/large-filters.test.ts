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
    await list(`data${'.a'.repeat(100)} ?= "b"`),
    await list(`data${'.a'.repeat(1_900)} ?= "b"`),
    await list(`data${'.a'.repeat(1_900)} = "b"`),
  ];
  for (const { status, json } of replies) {
    if (status !== 200) expect(json).toMatchObject({ status: 400, code: 'invalid_filter', position: 1 });
  }
  expect((await list('data.a.a ?= "b"')).json.total).toBe(articles);
});
