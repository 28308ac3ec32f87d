// databases: sqlite, postgres

import { Database as BunDatabase } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Query } from '../../packages/recto/src/database/database.ts';
import { fullView } from '../../packages/recto/src/definition/rights/read-view.ts';
import { syncSchema } from '../../packages/recto/src/migrations/sync-schema.ts';
import { readAggregateQuery } from '../../packages/recto/src/query/aggregate-query.ts';
import { readListQuery } from '../../packages/recto/src/query/list-query.ts';
import { aggregateValues, buildAggregatePlan } from '../../packages/recto/src/records/aggregates/aggregate-plan.ts';
import { buildListPlan, type ListShape, listValues } from '../../packages/recto/src/records/list/list-plan.ts';
import { RequestBindings } from '../../packages/recto/src/records/plans/plan.ts';
import { onPostgres, openTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { definitionsOf } from '../support/definitions.ts';

// What the database says of lists with a filter among 100,000 records: a filter that an index serves uses it, and a page of
// many matches is not sorted.

const records = 100_000;
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
  ...more,
});
const types = definitionsOf(
  {
    singular: 'item',
    plural: 'items',
    fields: [
      { name: 'slug', field_type: 'text', max_length: 100, indexed: true },
      // 6 of 100 are the last.
      { name: 'status', field_type: 'enum', enum_values: ['new', 'live', 'old'], indexed: true },
      { name: 'views', field_type: 'integer', indexed: true },
      { name: 'rating', field_type: 'float' },
      relation('author', 'many_to_one', 'authors'),
      relation('editor', 'many_to_one', 'authors', { indexed: true }),
      relation('topics', 'many_to_many', 'topics'),
    ],
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [{ name: 'name', field_type: 'text', max_length: 50, indexed: true }],
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [{ name: 'name', field_type: 'text', max_length: 50, indexed: true }],
  },
);

/** Ids but for their last four digits. */
const stem = '01a1fc4d-4e39-75e9-b87c-00000000';
const author = `${stem}1042`;

const { place } = types.get('item').field.get('topics') ?? {};
const junction = place?.shape === 'to_many' ? place.junction : '';

const seeding = (count: number, statement: string): string =>
  statement.replace(
    'NUMBERS',
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`,
  );
const seed = [
  ...['cms_author', 'cms_topic'].map((table) =>
    seeding(2_000, `INSERT INTO ${table} (id, name) NUMBERS SELECT '${stem}' || (1000 + i), 'name' || i FROM n`),
  ),
  seeding(
    records,
    `INSERT INTO cms_item (id, slug, status, views, rating, author, editor) NUMBERS
      SELECT 'i' || i, 's' || i, CASE WHEN i % 100 < 6 THEN 'old' WHEN i % 100 < 30 THEN 'new' ELSE 'live' END,
        i * 7919 % 100003, i % 7, '${stem}' || (1000 + i % 2000), '${stem}' || (1000 + i % 20) FROM n`,
  ),
  seeding(
    records,
    `INSERT INTO ${junction} (source_id, target_id, position) NUMBERS
      SELECT 'i' || i, '${stem}' || (1000 + i % 2000), 0 FROM n`,
  ),
];

/** [filter, order, the index that finds the page, whether it has to be sorted]. */
const cases: readonly (readonly [filter: string, sort: string, index: string, sorted: 'sorted' | 'in order'])[] = [
  ['status = "old"', 'views:desc', 'cms_item$status$views$id$list', 'in order'],
  ['status = "live"', 'views:asc', 'cms_item$status$views$id$list', 'in order'],
  ['status = "old" && views > 100', 'views:desc', 'cms_item$status$views$id$list', 'in order'],
  ['status = "old" && views >= 100 && views < 90000', 'views:asc', 'cms_item$status$views$id$list', 'in order'],
  ['status = "old" && rating > 1', 'views:desc', 'cms_item$status$views$id$list', 'in order'],
  ['views > 99000', 'views:desc', 'cms_item$views$id$list', 'in order'],
  ['views > 100 && views < 2000', 'views:asc', 'cms_item$views$id$list', 'in order'],
  ['views = 77', '', 'views$id$list', 'sorted'],
  ['slug = "s77"', '', 'slug$id$list', 'sorted'],
  ['slug in ["s1", "s77", "s99"]', '', 'slug$id$list', 'sorted'],
  ['views in [1, 77, 99]', 'slug:asc', 'views$id$list', 'sorted'],
  [`author = "${author}"`, '', 'cms_item$author$index', 'sorted'],
  [`author in ["${author}", "${stem}1043"]`, '', 'cms_item$author$index', 'sorted'],
  [`author = "${author}" && rating > 2`, 'views:desc', 'cms_item$author$index', 'sorted'],
  [`editor = "${stem}1003"`, 'views:desc', 'cms_item$editor$views$id$list', 'in order'],
  [`editor = "${stem}1003" && views < 5000`, 'views:desc', 'cms_item$editor$views$id$list', 'in order'],
];

const states = onPostgres ? ['with statistics'] : ['without statistics', 'with statistics'];

describe.each(states)('%s', (state) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    await syncSchema(database, types);
    await database.transaction(async (transaction) => {
      for (const sql of seed) await transaction.run({ sql, parameters: [] });
      if (state === 'without statistics') return;
      for (const { table } of types.all) {
        for (const { sql } of database.dialect.schema.analyze(table)) await transaction.run({ sql, parameters: [] });
      }
    });
  }, 600_000);
  afterAll(() => database.close());

  /** The statements of a list. */
  function planned(filter: string, sort: string) {
    const type = types.get('item');
    const text = new URLSearchParams({ filter, sort }).toString();
    const query = readListQuery(text, { type, types, view: fullView }, { pageSize: 20, maxPageSize: 100 }, new Set());
    const caller = { kind: 'account', id: 'a', role: 'admin', session: 's' } as const;
    const shape: ListShape = { type, types, view: fullView, authenticated: true, tenant: false, query, after: null };
    const plan = buildListPlan(shape, database.dialect, 'as_defined');
    const values = listValues(shape, database.dialect);
    return {
      items: plan.items.bind(new RequestBindings(caller, values.items)),
      total: plan.total.bind(new RequestBindings(caller, values.total)),
    };
  }

  async function explained({ sql, parameters }: Query): Promise<string> {
    if (onPostgres) {
      const lines = await database.rows<{ 'QUERY PLAN': string }>({ sql: `EXPLAIN ${sql}`, parameters });
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    }
    // One that was open before does not know of the statistics.
    using file = new BunDatabase(database.path, { readonly: true });
    const lines = file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
    return lines.map(({ detail }) => detail).join('\n');
  }

  test.each(cases)('%s, in the order %p', async (filter, sort, index, sorted) => {
    const plan = await explained(planned(filter, sort).items);
    expect(plan).toContain(index);
    const lines = plan.split('\n');
    expect(lines.filter((line) => line.includes('Seq Scan on cms_item') || line === 'SCAN t0')).toEqual([]);
    // The links of each record are sorted all the same.
    const [page = ''] = plan.split(/CORRELATED SCALAR SUBQUERY|SubPlan/);
    const isSorted = page.includes('TEMP B-TREE') || page.includes('Sort Key:');
    if (sorted === 'in order') expect({ plan, isSorted }).toEqual({ plan, isSorted: false });
  });

  /** How many pages of the database a statement reads, planned for its values or for any. */
  async function pagesRead({ sql, parameters }: Query, planned: 'custom' | 'generic'): Promise<number> {
    const [, buffers] = await database.transaction(async (transaction) => {
      const run = (text: string) => transaction.run({ sql: text, parameters: [] });
      await run(`SET LOCAL plan_cache_mode = force_${planned}_plan`);
      await run(`PREPARE measured AS ${sql}`);
      const values = parameters.map((value) => `'${String(value).replaceAll("'", "''")}'`);
      const execute = `EXPLAIN (ANALYZE, BUFFERS, COSTS off) EXECUTE measured (${values.join()})`;
      const lines = await transaction.rows<{ 'QUERY PLAN': string }>({ sql: execute, parameters: [] });
      await run('DEALLOCATE measured');
      return lines;
    });
    const counts = [...(buffers?.['QUERY PLAN'] ?? '').matchAll(/(?:hit|read)=(\d+)/g)];
    if (counts.length === 0) throw new Error(`No pages are named: ${JSON.stringify(buffers)}`);
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  // A page has 20 records, each of which takes 10 pages of the database to show.
  test.each<[filter: string, sort: string, matches: number, readForPage: number, readForTotal: number]>([
    ['author.name = "name42"', '', 50, 450, 120],
    ['author.name = "name42"', 'views:desc', 50, 450, 120],
    ['author.name = "name42" && rating > 1', '', 35, 450, 250],
    ['author.name in ["name42", "name43"]', 'views:desc', 100, 650, 200],
    ['editor.name = "name3"', '', 5_000, 6_000, 3_000],
    ['editor.name = "name3"', 'views:desc', 5_000, 6_000, 3_000],
    ['author.name ~ "%"', '', 100_000, 700, 3_000],
    ['author.name ~ "%"', 'views:desc', 100_000, 700, 3_000],
    ['topics.name ?= "name42"', '', 50, 700, 400],
    ['topics.name ?~ "name1%"', 'views:desc', 55_550, 900, 3_000],
    ['topics.name ?!= "name42"', 'views:desc', 99_950, 900, 3_000],
  ])('%s, in the order %p, reads as much as it shows and counts', async (filter, sort, matches, forPage, forTotal) => {
    const { items, total } = planned(filter, sort);
    const [counted] = await database.rows<{ total: number | bigint | string }>(total);
    expect(Number(counted?.total)).toBe(matches);
    if (onPostgres) {
      for (const mode of ['custom', 'generic'] as const) {
        expect(await pagesRead(items, mode)).toBeLessThanOrEqual(forPage);
        expect(await pagesRead(total, mode)).toBeLessThanOrEqual(forTotal);
      }
      return;
    }
    const throughLinks = filter.startsWith('topics');
    const relation = throughLinks ? 'id' : filter.slice(0, filter.indexOf('.'));
    const atKeys = new RegExp(`SEARCH t0 USING .*INDEX .* \\(${relation}=\\?\\)`);
    // In the order of the ids, a walk of the relation's index is the first of three.
    const [found = '', inOrder = ''] = (await explained(items)).split(/^(?:LEFT|RIGHT|UNION ALL)$/m).slice(-2);
    expect(found).toMatch(atKeys);
    expect(inOrder).not.toMatch(atKeys);
    // Links are counted by the ids they have; no record is looked up.
    expect(await explained(total)).toMatch(
      throughLinks ? /SEARCH t0_n2 USING COVERING INDEX .*\(target_id=\?\)/ : atKeys,
    );
  });

  test.each([
    ['author.name = "name42"', 50, 150],
    ['author.name = "name42" && rating > 1', 35, 350],
    ['topics.name ?= "name42"', 50, 450],
  ])('an aggregate of %s reads as much as it counts', async (filter, matches, mostRead) => {
    const type = types.get('item');
    const search = new URLSearchParams({ filter, group: 'status', count: 'true' }).toString();
    const query = readAggregateQuery(search, { type, types, view: fullView }, new Set());
    const shape = { type, types, view: fullView, authenticated: true, tenant: false, query } as const;
    const plan = buildAggregatePlan(shape, database.dialect, 1_000_000);
    const caller = { kind: 'account', id: 'a', role: 'admin', session: 's' } as const;
    const groups = plan.groups.bind(new RequestBindings(caller, aggregateValues(shape, database.dialect)));
    const [row] = await database.rows<{ groups: string }>(groups);
    const counted: readonly { n: number }[] = JSON.parse(row?.groups ?? '');
    expect(counted.reduce((sum, { n }) => sum + n, 0)).toBe(matches);
    if (!onPostgres) {
      const relation = filter.startsWith('topics') ? 'id' : 'author';
      expect(await explained(groups)).toMatch(new RegExp(`SEARCH t0 USING .*INDEX .* \\(${relation}=\\?\\)`));
      return;
    }
    for (const mode of ['custom', 'generic'] as const)
      expect(await pagesRead(groups, mode)).toBeLessThanOrEqual(mostRead);
  });

  test.each([
    // Of 50 records, and of more than are found through their authors.
    ['author.name = "name42"', `author = '${author}'`],
    ['author.name = "name42" && rating > 2', `author = '${author}' AND rating > 2`],
    ['rating > 2 && author.name = "name42" && views < 50000', `author = '${author}' AND rating > 2 AND views < 50000`],
    ['editor.name = "name3"', `editor = '${stem}1003'`],
    ['editor.name = "name3" && rating > 2', `editor = '${stem}1003' AND rating > 2`],
    ['author.name ~ "name1%"', `author IN (SELECT id FROM cms_author WHERE name LIKE 'name1%')`],
    ['topics.name ?= "name42"', `author = '${author}'`],
    ['topics.name ?!= "name42"', `author <> '${author}'`],
  ])('%s finds the same, however it begins', async (filter, where) => {
    for (const sort of ['views:desc', '']) {
      const { items, total } = planned(filter, sort);
      const [page] = await database.rows<{ items: string }>(items);
      const order = sort === '' ? 'id' : 'views DESC, id DESC';
      const sql = `SELECT id FROM cms_item WHERE ${where} ORDER BY ${order}`;
      const expected = await database.rows<{ id: string }>({ sql, parameters: [] });
      const found: readonly { id: string }[] = JSON.parse(page?.items ?? '');
      expect(found.map(({ id }) => id)).toEqual(expected.slice(0, 20).map(({ id }) => id));
      const [counted] = await database.rows<{ total: number | bigint | string }>(total);
      expect(Number(counted?.total)).toBe(expected.length);
    }
  });
});
