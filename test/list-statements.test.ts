import { Database as BunDatabase } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { syncSchema } from '../src/database/schema/sync-schema.ts';
import { sqliteDialect } from '../src/database/sqlite/sqlite-dialect.ts';
import { readListQuery } from '../src/query/list-query.ts';
import { buildListPlan } from '../src/records/list-plan.ts';
import { withBuiltIns } from './definitions.ts';
import { openTestSqlite } from './sqlite-database.ts';

// What SQLite says of the statements that lists run: a page of a long list is a range of an index, and nothing is sorted.

const fields = [
  { name: 'title', field_type: 'text', max_length: 100, indexed: true },
  { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'] },
  { name: 'weight', field_type: 'integer' },
];
const types = withBuiltIns(
  { singular: 'item', plural: 'items', fields, api: { list: { filter: 'status = "published"' } } },
  { singular: 'step', plural: 'steps', fields, protocols: [{ name: 'sortable', field: 'weight', direction: 'desc' }] },
);

const lists: readonly [type: string, view: 'list' | 'admin', query: string, index: string][] = [
  ['item', 'list', '', 'cms_item$status$id$list'],
  ['item', 'admin', '', 'sqlite_autoindex_cms_item_1'],
  ['item', 'admin', 'sort=title:asc', 'cms_item$title$id$list'],
  ['item', 'admin', 'sort=title:desc', 'cms_item$title$id$list'],
  ['item', 'admin', 'title=x', 'cms_item$title$id$list'],
  ['step', 'list', '', 'cms_step$weight$id$list'],
  ['post', 'list', '', '$status$published_at$created_at$id$list'],
  ['post', 'admin', '', '$published_at$created_at$id$list'],
  ['page', 'admin', '', '$sort_order$title$id$list'],
];

test.each(lists)('%s, %s, %p', async (name, view, text, index) => {
  await using database = await openTestSqlite();
  await syncSchema(database, types);
  using file = new BunDatabase(database.path, { readonly: true });
  const type = types.get(name);
  const query = readListQuery(text, { type, types, view }, { pageSize: 20, maxPageSize: 100 }, new Set());
  for (const after of [null, query.sort.length === 0 ? null : ['m', '01990000-0000-7000-8000-000000000001']]) {
    const plan = buildListPlan({ type, types, view, authenticated: false, query, after }, sqliteDialect);
    const steps = file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${plan.items.sql}`).all();
    const told = steps.map(({ detail }) => detail).join('\n');
    expect(told).toContain(index);
    // Of a page by cursor, the few rows of each run are put together.
    if (after === null) expect(told).not.toContain('TEMP B-TREE');
    else expect(told).not.toContain(`SCAN ${type.table}`);
  }
});
