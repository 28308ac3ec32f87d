import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readDocument, tableRows } from '../support/documents.ts';
import { magazine } from '../support/magazine.ts';
import { TestService } from '../support/service.ts';

// The page on filters: each of its examples finds the articles that the page says.

const page = readDocument('docs/filters.md');
const articles = tableRows(page, 'Article');
const filters = tableRows(page, 'Wanted').map(([, filter = '', finds = '']) => ({ filter, finds }));
const objects = tableRows(page, 'Object').map(([object = '', expression = '']) => ({ object, expression }));
const words = (cell: string): string[] => (cell === '–' ? [] : cell.split(', '));

let service: TestService;

beforeAll(async () => {
  service = await TestService.open(await magazine());
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
  const ids = new Map<string, string>();
  const seed = async (plural: string, name: string, more: object = {}) => {
    if (!ids.has(name)) ids.set(name, (await service.seed(plural, { name, ...more })).id);
    return ids.get(name);
  };
  for (const [slug, title, featured = '', published, author = '', topics = '', summary] of articles) {
    const described = (name: string) => (name === 'Typography' ? { description: 'About letters.' } : {});
    const written = await service.send('POST /api/v1/cms/articles', { as: 'mia', body: { title, slug } });
    expect(written.status).toBe(201);
    const related = await Promise.all(words(topics).map((name) => seed('topics', name, described(name))));
    const body = {
      status: 'published',
      lock_version: 1,
      featured: featured === '–' ? null : featured === 'true',
      published_at: published === 'now' ? new Date().toISOString() : published,
      author: author === '–' ? null : await seed('authors', author),
      topics: related,
      summary: summary === '–' ? null : summary,
    };
    const line = `PUT /api/v1/admin/cms/articles/${written.json.id}`;
    expect(await service.send(line, { as: 'ada', body })).toMatchObject({ status: 200 });
  }
  // Mia wrote the last of them; the others are of nobody who is asked about.
  const { table } = service.types.get('article');
  await service.database.transaction(async (transaction) => {
    const change = `update ${table} set created_by = null where slug <> 'letters'`;
    await transaction.run({ sql: change, parameters: [] });
    transaction.touch('article');
  });
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

test('there are 30 filters', () => expect(filters.length).toBeGreaterThanOrEqual(30));

describe('filter=', () => {
  test.each(filters)('$filter', async ({ filter, finds }) => {
    const { status, json } = await service.send(
      `GET /api/v1/cms/articles?${new URLSearchParams({ filter, sort: 'slug:asc' })}`,
      { as: 'mia' },
    );
    const all = articles.map(([slug]) => slug);
    const expected = finds === 'all' ? all : finds === 'none' ? [] : words(finds);
    const slugs = json.items?.map(({ slug }: { slug: string }) => slug);
    expect({ status, total: json.total, slugs }).toEqual({
      status: 200,
      total: expected.length,
      slugs: expected.toSorted(),
    });
  });
});

test('there are objects', () => expect(objects.length).toBeGreaterThanOrEqual(10));

describe('a JSON object', () => {
  test.each(objects)('$object', async ({ object, expression }) => {
    const [one, other] = await Promise.all(
      [object, expression].map((filter) =>
        service.send(`GET /api/v1/cms/articles?${new URLSearchParams({ filter, sort: 'slug:asc' })}`, { as: 'mia' }),
      ),
    );
    expect(one).toMatchObject({ status: 200 });
    expect(one?.json).toEqual(other?.json);
    expect([0, articles.length]).not.toContain(one?.json.total);
  });
});
