import { expect, test } from 'bun:test';
import { checkDefinitions } from '../../../packages/recto/src/definition/check-definitions.ts';
import { adminView } from '../../../packages/recto/src/definition/rights/read-view.ts';
import { readListQuery } from '../../../packages/recto/src/query/list-query.ts';
import { buildListPlan, listValues } from '../../../packages/recto/src/records/list/list-plan.ts';
import { RequestBindings } from '../../../packages/recto/src/records/plans/plan.ts';
import { openTestDatabase } from '../../support/database/database.ts';

const note = {
  singular: 'note',
  plural: 'notes',
  protocols: ['ownable', 'statusable'],
  fields: [
    { name: 'title', field_type: 'text', max_length: 100, indexed: true },
    { name: 'weight', field_type: 'integer', indexed: true },
  ],
};

// A part without an index would read all records in their order, to find the few that it is about.
test.each([
  ['created_by = @request.auth.id || status = "published"', 'one'],
  ['title = "a" || weight = 1', 'parts'],
  ['title = "a"', 'one'],
] as const)('the list of a role with the rule %s is read in %s', async (list, expected) => {
  const roles = {
    directory: '',
    sources: [{ file: 'roles/1', definition: { name: 'writer', types: { note: { list, get: list } } } }],
    unreadable: [],
  };
  const { types, faults } = checkDefinitions([{ file: 'note', definition: note }], { roles });
  const rights = types?.roles.find('writer');
  if (types === undefined || rights === undefined) throw new Error(JSON.stringify(faults));
  const type = types.get('note');
  const view = adminView(rights);
  const query = readListQuery('sort=weight:desc', { type, types, view }, { pageSize: 20, maxPageSize: 100 }, new Set());
  const shape = { type, types, view, authenticated: true, tenant: false, query, after: null };
  await using database = await openTestDatabase();
  const { items } = listValues(shape, database.dialect);
  const caller = { kind: 'account', id: 'a', role: 'writer', session: 's' } as const;
  const plan = buildListPlan(shape, database.dialect, 'as_defined');
  const { sql } = plan.items.bind(new RequestBindings(caller, items));
  expect(sql.includes('union all')).toBe(expected === 'parts');
  // SQLite compiles a statement anew at each request where it looks at a value that something is compared with.
  expect(sql).not.toMatch(/(?:=|is) \?/);
});
