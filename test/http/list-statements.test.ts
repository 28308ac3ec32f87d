// databases: sqlite, postgres

import { Database as BunDatabase } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Caller } from '../../packages/recto/src/base/caller.ts';
import type { SortTerm } from '../../packages/recto/src/definition/protocol.ts';
import { viewNamed } from '../../packages/recto/src/definition/rights/read-view.ts';
import { syncSchema } from '../../packages/recto/src/migrations/sync-schema.ts';
import { readListQuery } from '../../packages/recto/src/query/list-query.ts';
import type { OrderValues } from '../../packages/recto/src/records/list/list-order.ts';
import {
  buildListPlan,
  type ListShape,
  listOrder,
  listValues,
} from '../../packages/recto/src/records/list/list-plan.ts';
import { type Plan, RequestBindings } from '../../packages/recto/src/records/plans/plan.ts';
import { onPostgres, openTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { withBuiltIns } from '../support/definitions.ts';

// What the database says of the statements that lists run: a page of a long list is a range of an index, and nothing is sorted,
// whatever the database knows of the values.

const fields = [
  { name: 'title', field_type: 'text', max_length: 100, indexed: true },
  { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'] },
  { name: 'weight', field_type: 'integer', indexed: true },
  { name: 'rating', field_type: 'float' },
  { name: 'owner', field_type: 'text', max_length: 36 },
  { name: 'parent', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'steps' } },
];
const published = 'status = "published"';
const types = withBuiltIns(
  { singular: 'item', plural: 'items', fields, api: { list: { filter: published } } },
  { singular: 'step', plural: 'steps', fields, protocols: [{ name: 'sortable', field: 'rating', direction: 'desc' }] },
  {
    singular: 'own',
    plural: 'owns',
    fields,
    api: { list: { filter: published, filter_auth: 'owner = @request.auth.id' } },
  },
  {
    singular: 'tenanted',
    plural: 'tenanteds',
    fields,
    protocols: ['tenantable'],
    api: { list: { filter: published } },
  },
);

const visitor: Caller = { kind: 'anonymous' };
const member: Caller = { kind: 'account', id: 'o1', role: 'member', session: 's' };
const ofTenant: Caller = { ...visitor, tenant: 't1' };
const editor: Caller = { ...member, role: 'editor' };

type Case = readonly [type: string, view: 'list' | 'admin', query: string, caller: Caller, ...indexes: string[]];

/** The ids of parents, but for their last two digits. */
const parentStem = '01a1fc4d-4e39-75e9-b87c-0000000000';

const byId = onPostgres ? 'cms_item$id$unique' : 'sqlite_autoindex_cms_item_1';
const lists: readonly Case[] = [
  ['item', 'list', '', visitor, 'cms_item$status$id$list'],
  ['item', 'list', 'sort=weight:asc', visitor, 'cms_item$status$weight$id$list'],
  ['item', 'list', 'sort=weight:desc', visitor, 'cms_item$status$weight$id$list'],
  ['item', 'list', 'sort=weight:desc&rating=1', visitor, 'cms_item$status$weight$id$list'],
  ['item', 'list', 'rating=1', visitor, 'cms_item$status$id$list'],
  ['item', 'list', 'weight=77', visitor, 'weight$id$list'],
  ['item', 'list', `parent=${parentStem}13`, visitor, 'cms_item$parent$index'],
  ['item', 'admin', '', editor, byId],
  ['item', 'admin', 'sort=title:asc', editor, 'cms_item$title$id$list'],
  ['item', 'admin', 'sort=title:desc', editor, 'cms_item$title$id$list'],
  ['item', 'admin', 'sort=title:asc:natural', editor, 'cms_item$title:natural$id$list'],
  ['item', 'admin', 'sort=title:desc:natural', editor, 'cms_item$title:natural$id$list'],
  [
    'tenanted',
    'admin',
    'sort=title:asc:natural',
    { ...editor, tenant: 't1' },
    'cms_tenanted$tenant_id$title:natural$id$list',
  ],
  ['item', 'admin', 'sort=weight:desc', editor, 'cms_item$weight$id$list'],
  ['item', 'admin', 'title=t77', editor, 'cms_item$title$id$list'],
  ['step', 'list', '', visitor, 'cms_step$rating$id$list'],
  ['own', 'list', '', visitor, 'cms_own$status$id$list'],
  ['own', 'list', '', member, 'cms_own$status$id$list', 'cms_own$owner$id$list'],
  ['own', 'list', 'sort=weight:desc', member, 'cms_own$status$weight$id$list', 'cms_own$owner$weight$id$list'],
  ['tenanted', 'list', '', ofTenant, 'cms_tenanted$tenant_id$status$id$list'],
  ['tenanted', 'list', '', visitor, 'cms_tenanted$tenant_id$status$id$list'],
  ['tenanted', 'list', 'sort=weight:asc', ofTenant, 'cms_tenanted$tenant_id$status$weight$id$list'],
  ['tenanted', 'admin', 'sort=weight:asc', { ...editor, tenant: 't1' }, 'cms_tenanted$tenant_id$weight$id$list'],
  ...(onPostgres ? [] : ofEmptyTables()),
];

/** PostgreSQL reads a table without rows whole. */
function ofEmptyTables(): readonly Case[] {
  return [
    ['post', 'list', '', visitor, '$status$published_at$created_at$id$list'],
    ['post', 'admin', '', editor, '$published_at$created_at$id$list'],
    ['page', 'admin', '', editor, '$sort_order$title$id$list'],
  ];
}

/** Nine in ten are published, by 50 parents. */
const fill = (
  table: string,
  more = '',
): string => `INSERT INTO ${table} (id, title, status, weight, rating, owner, parent
    ${more === '' ? '' : ', tenant_id'})
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
  SELECT 'i' || i, 't' || i, CASE i % 10 WHEN 0 THEN 'draft' ELSE 'published' END, i * 7919 % 4001, i % 7, 'o' || (i % 100),
    '${parentStem}' || (10 + i % 50) ${more} FROM n`;

const states = onPostgres ? ['with statistics'] : ['without statistics', 'with statistics', 'with some statistics'];

describe.each(states)('%s', (state) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    await syncSchema(database, types);
    await database.transaction(async (transaction) => {
      const run = (sql: string) => transaction.run({ sql, parameters: [] });
      for (let parent = 0; parent < 50; parent++)
        await run(`INSERT INTO cms_step (id, rating) VALUES ('${parentStem}${10 + parent}', 1)`);
      await run(fill('cms_item'));
      await run(fill('cms_step'));
      await run(fill('cms_own'));
      await run(fill('cms_tenanted', ", 't' || (i % 3)"));
      if (state === 'without statistics') return;
      for (const { table } of types.all) {
        for (const { sql } of database.dialect.schema.analyze(table)) await run(sql);
      }
      // As an index is left that was made since.
      if (state === 'with some statistics') await run(`DELETE FROM sqlite_stat1 WHERE idx LIKE '%weight%'`);
    });
  });
  afterAll(() => database.close());

  /** The plan of a statement, as the database explains it. */
  async function steps(plan: Plan, bindings: RequestBindings): Promise<string> {
    const { sql, parameters } = plan.bind(bindings);
    if (onPostgres) {
      const lines = await database.rows<{ 'QUERY PLAN': string }>({ sql: `EXPLAIN ${sql}`, parameters });
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    }
    // One that was open before does not know of the statistics.
    using file = new BunDatabase(database.path, { readonly: true });
    const lines = file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
    return lines.map(({ detail }) => detail).join('\n');
  }

  test.each(lists)('%s, %s, %p, as %p', async (name, asked, text, caller, ...indexes) => {
    const type = types.get(name);
    const view = viewNamed(asked);
    const query = readListQuery(text, { type, types, view }, { pageSize: 20, maxPageSize: 100 }, new Set());
    const tenant = caller.tenant !== undefined;
    const shape: ListShape = {
      type,
      types,
      view,
      authenticated: caller.kind !== 'anonymous',
      tenant,
      query,
      after: null,
    };
    for (const after of [null, placeIn(listOrder(shape))]) {
      const plan = buildListPlan({ ...shape, after }, database.dialect, 'as_defined');
      const { items } = listValues({ ...shape, after }, database.dialect);
      const shown = await steps(plan.items, new RequestBindings(caller, items));
      expect(shown).not.toMatch(new RegExp(`(SCAN|Seq Scan on) (t0|${type.table})\\b(?! USING)`));
      // Which index costs least, PostgreSQL finds by the values; SQLite knows too little of them to be left to it.
      if (onPostgres || (state === 'with some statistics' && indexes.length > 1)) continue;
      for (const index of indexes) expect(shown).toContain(index);
      // The few rows of each part, or of each run of a page by cursor, are put together.
      // What a record shows of its relations is sorted for each record.
      const [ofPage] = shown.split('CORRELATED SCALAR SUBQUERY');
      if (after === null && indexes.length === 1) expect(ofPage).not.toContain('USE TEMP B-TREE FOR ORDER BY');
    }
  });

  // Of a search that finds more than is ranked.
  test.each([
    ['list', '', visitor],
    ['list', '&rating=1', visitor],
    ['admin', '', editor],
  ] as const)('%s, a search in the order of storage%s, is not sorted', async (asked, more, caller) => {
    const type = types.get('item');
    const text = `search=t${more}`;
    const view = viewNamed(asked);
    const query = readListQuery(text, { type, types, view }, { pageSize: 20, maxPageSize: 100 }, new Set());
    const authenticated = caller.kind !== 'anonymous';
    const shape: ListShape = { type, types, view, authenticated, tenant: false, query, after: null, isUnranked: true };
    for (const after of [null, [2000]]) {
      const plan = buildListPlan({ ...shape, after }, database.dialect, 'as_defined');
      const { items, total } = listValues({ ...shape, after }, database.dialect);
      const shown = await steps(plan.items, new RequestBindings(caller, items));
      const counted = await steps(plan.total, new RequestBindings(caller, total));
      if (onPostgres) {
        expect(shown).toContain('Index Scan using "cms_item$search_pkey"');
        expect(shown).not.toMatch(/Sort|Hash|Seq Scan/);
        continue;
      }
      const [ofPage] = shown.split('CORRELATED SCALAR SUBQUERY');
      expect(ofPage).not.toContain('TEMP B-TREE');
      expect(ofPage).not.toContain('LIST SUBQUERY');
      // The index begins at the place (`>`).
      expect(ofPage).toMatch(
        after === null ? /found VIRTUAL TABLE INDEX \d+:M\d/ : /found VIRTUAL TABLE INDEX \d+:M\d+>/,
      );
      expect(counted).not.toContain('TEMP B-TREE');
    }
  });
});

/** Somewhere in the middle of a list. */
const placeIn = (order: readonly (SortTerm | { readonly name: string; readonly kind: string })[]): OrderValues =>
  order.map((term) => ('kind' in term && term.kind !== 'text' ? 2000 : 'i2000'));
