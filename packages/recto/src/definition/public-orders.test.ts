import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import type { EndpointName } from './content-type.ts';
import { check, faultsOf, type Part } from './definition-faults.fixture.ts';
import { protocols } from './protocols/index.ts';

// An order reveals the values it sorts by, so what orders the records of a public endpoint is among the fields that it returns.

const fields = [
  { name: 'title', field_type: 'text' },
  { name: 'rank', field_type: 'integer', indexed: true },
  { name: 'note', field_type: 'integer', private: true },
];
const step = (names: readonly unknown[], api: Part): Part => ({
  singular: 'step',
  plural: 'steps',
  protocols: names,
  fields,
  api,
});
const byRank = { name: 'sortable', field: 'rank' };
const list = (...names: readonly string[]): Part => ({ list: { fields: names } });
const get = (...names: readonly string[]): Part => ({ get: { fields: names } });

test.each<[readonly unknown[], Part, readonly string[]]>([
  [[byRank], {}, []],
  [[byRank], list('title', 'rank'), []],
  [[byRank], list('title'), ['api.list.fields']],
  [[byRank], list(), ['api.list.fields']],
  [[byRank], get('title'), []],
  [[byRank], { list: { fields: ['title'], access: 'member' } }, ['api.list.fields']],
  [[byRank], { list: { fields: ['title'], access: 'admin' } }, []],
  [[byRank], { list: { fields: ['title'], access: 'none' } }, []],
  [[{ name: 'sortable', field: 'id' }], list('title'), []],
  [[{ name: 'sortable', field: 'note' }], list('title'), ['protocols[0].field']],
  [['sortable'], list('title'), ['api.list.fields']],
  [['sortable'], list('title', 'position'), []],
  [['timestampable', { name: 'sortable', field: 'created_at' }], list('title'), ['api.list.fields']],
  [['expirable', { name: 'sortable', field: 'expires_at' }], list('title'), ['api.list.fields']],
  [['statusable', { name: 'sortable', field: 'status' }], list('title'), ['api.list.fields']],
  [['nestable'], list('title'), ['api.list.fields']],
  [['nestable'], list('position'), []],
  [['nestable'], get('title'), []],
  [['nestable'], get('title', 'parent_id'), ['api.get.fields']],
  [['nestable'], get('title', 'parent_id', 'position'), []],
  [['nestable', byRank], list('title', 'position'), []],
  [[byRank, 'nestable'], list('title', 'position'), ['api.list.fields']],
  // What decides whether a record is seen at all shows no value of one that is.
  [['statusable', 'expirable', 'soft_deletable', 'tenantable'], list('title'), []],
])('protocols %j with %j', (names, api, paths) => {
  expect(faultsOf(step(names, api)).map(({ path }) => path)).toEqual([...paths]);
});

test('the message names the endpoint and the field', () => {
  expect(faultsOf(step([byRank], list('title')))).toEqual([
    {
      path: 'api.list.fields',
      message:
        'the list is in the order of "rank", which is not among these fields: the order would show what it holds',
      remedy: 'add "rank", or remove the order by it',
    },
  ]);
});

describe('of any protocols and whitelists that are taken', () => {
  const names = fc.uniqueArray(fc.constantFrom(...Object.keys(protocols)), { maxLength: 5 });
  const columns = ['title', 'rank', 'position', 'parent_id', 'created_at', 'status', 'expires_at'];
  const whitelist = fc.option(fc.subarray(columns), { nil: undefined });
  const orderedBy = fc.option(fc.constantFrom(...columns), { nil: undefined });

  test('each endpoint returns what orders its records', () => {
    fc.assert(
      fc.property(names, orderedBy, whitelist, whitelist, (named, field, listed, got) => {
        const all = named.map((name) => (name === 'sortable' && field !== undefined ? { name, field } : name));
        const { types } = check(step(all, { list: { fields: listed }, get: { fields: got } }));
        const type = types?.get('step');
        const returns = (endpoint: EndpointName, column: string) =>
          type?.field.get(column)?.private === false && (type.endpoints[endpoint].fields?.has(column) ?? true);
        for (const { protocol, options } of type?.protocols ?? []) {
          const order = protocol.defaultSort?.(options);
          if (order === undefined) continue;
          for (const { column } of order) expect({ column, is: returns('list', column) }).toEqual({ column, is: true });
          break;
        }
        for (const { protocol, options } of type?.protocols ?? []) {
          const tree = protocol.tree?.(options);
          if (tree !== undefined && returns('get', tree.parent)) expect(returns('get', tree.position)).toBe(true);
        }
      }),
      { numRuns: randomCases(500) },
    );
  });
});
