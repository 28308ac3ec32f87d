import { expect, test } from 'bun:test';
import { definitionsOf, withBuiltIns } from '../../../../../test/support/definitions.ts';
import { listIndexesOf } from './list-indexes.ts';

const fields = [
  { name: 'title', field_type: 'text', max_length: 100 },
  { name: 'body', field_type: 'text' },
  { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'] },
  { name: 'weight', field_type: 'integer' },
  { name: 'owner', field_type: 'text', max_length: 36 },
];

const cases: readonly [what: string, more: object, indexes: readonly string[]][] = [
  ['nothing said: the order of creation, which the id has', {}, []],
  ['an order', { protocols: [{ name: 'sortable', field: 'weight', direction: 'desc' }] }, ['weight,id']],
  ['a rule that holds a field equal', { api: { list: { filter: 'status = "published"' } } }, ['status,id']],
  [
    'a rule behind an order',
    {
      protocols: [{ name: 'sortable', field: 'weight' }],
      api: { list: { filter: '"published" = status && weight > 3' } },
    },
    ['weight,id', 'status,weight,id'],
  ],
  [
    'each alternative of the rules',
    { api: { list: { filter: 'status = "published" || weight = 1', filter_auth: 'owner = @request.auth.id' } } },
    ['status,id', 'weight,id', 'owner,id'],
  ],
  ['what only few records lack', { protocols: ['soft_deletable'] }, []],
  ['another operator', { api: { list: { filter: 'status != "draft" && title ~ "a%"' } } }, []],
  ['a text that no index holds', { protocols: [{ name: 'sortable', field: 'body' }] }, []],
  [
    'up to the text that no index holds',
    { protocols: [{ name: 'sortable', field: 'body' }], api: { list: { filter: 'status = "draft"' } } },
    ['status'],
  ],
];

test.each(cases)('%s', (_, more, indexes) => {
  const types = definitionsOf({ singular: 'item', plural: 'items', fields, ...more });
  expect(listIndexesOf(types.get('item')).map(String)).toEqual([...indexes]);
});

test('fields that are said to be indexed', () => {
  const indexed = fields.map((field) => ({ ...field, indexed: field.name !== 'body' }));
  const types = definitionsOf({ singular: 'item', plural: 'items', fields: indexed });
  expect(listIndexesOf(types.get('item')).map(String)).toEqual([
    ...['title,id', 'status,id', 'weight,id', 'owner,id'],
    ...['status,title,id', 'status,weight,id', 'status,owner,id'],
    ...['title:natural,id', 'owner:natural,id'],
  ]);
});

test('fields of few values before those of many, for filters', () => {
  const filtered = [
    { name: 'kind', field_type: 'enum', enum_values: ['a', 'b'], indexed: true },
    { name: 'featured', field_type: 'boolean', indexed: true },
    { name: 'views', field_type: 'integer', indexed: true },
    { name: 'state', field_type: 'enum', enum_values: ['draft', 'live'] },
  ];
  const types = definitionsOf(
    { singular: 'item', plural: 'items', fields: filtered },
    { singular: 'ruled', plural: 'ruleds', fields: filtered, api: { list: { filter: 'state = "live"' } } },
  );
  const alone = ['kind,id', 'featured,id', 'views,id'];
  expect(listIndexesOf(types.get('item')).map(String)).toEqual([...alone, 'kind,views,id', 'featured,views,id']);
  expect(listIndexesOf(types.get('ruled')).map(String)).toEqual([
    ...['state,id', 'state,kind,id', 'state,featured,id', 'state,views,id', ...alone],
    ...['state,kind,views,id', 'state,featured,views,id', 'kind,views,id', 'featured,views,id'],
  ]);
});

test('fields that are said to be indexed, behind a rule: for the public list first, then for the admin list', () => {
  const indexed = fields.map((field) => ({ ...field, indexed: field.name === 'weight' || field.name === 'title' }));
  const api = { list: { filter: 'status = "published"' } };
  const types = definitionsOf({ singular: 'item', plural: 'items', fields: indexed, api });
  expect(listIndexesOf(types.get('item')).map(String)).toEqual([
    'status,id',
    'status,title,id',
    'status,weight,id',
    'title,id',
    'weight,id',
    'title:natural,id',
  ]);
});

test('of a type that keeps tenants apart, all within a tenant', () => {
  const protocols = ['tenantable', { name: 'sortable', field: 'weight' }];
  const api = { list: { filter: 'status = "published"' } };
  const types = definitionsOf({ singular: 'item', plural: 'items', fields, protocols, api });
  expect(listIndexesOf(types.get('item')).map(String)).toEqual([
    'tenant_id,weight,id',
    'tenant_id,status,weight,id',
    'tenant_id,id',
  ]);
});

test('pages and posts as their public lists order them', () => {
  const types = withBuiltIns();
  expect(listIndexesOf(types.get('post')).map(String)).toEqual(
    expect.arrayContaining(['published_at,created_at,id', 'status,published_at,created_at,id']),
  );
  expect(listIndexesOf(types.get('page')).map(String)).toEqual(
    expect.arrayContaining(['sort_order,title,id', 'status,sort_order,title,id']),
  );
});

test('what a protocol looks for among all records has its index, however many others there are', () => {
  const schedule = { name: 'statusable', values: ['hidden', 'shown'], default: 'hidden', schedule: 'shown' };
  const others = fields.filter(({ name }) => name !== 'status');
  const indexed = others.map((field) => ({ ...field, indexed: field.name !== 'body' }));
  const api = {
    list: { filter: 'title = "a" || weight = 1', filter_auth: 'owner = @request.auth.id || status = "shown"' },
  };
  const ruled = definitionsOf({ singular: 'item', plural: 'items', fields: indexed, protocols: [schedule], api });
  const indexes = listIndexesOf(ruled.get('item')).map(String);
  expect([indexes.length, indexes.at(-1)]).toEqual([12, 'scheduled_at,id']);
  const protocols = ['tenantable', schedule];
  const tenants = definitionsOf({ singular: 'item', plural: 'items', fields: others, protocols });
  expect(listIndexesOf(tenants.get('item')).map(String)).toContain('scheduled_at,id');
});
