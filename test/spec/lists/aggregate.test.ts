// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const sale = {
  singular: 'sale',
  plural: 'sales',
  protocols: ['timestampable', 'soft_deletable'],
  fields: [
    field('shop', 'text'),
    field('views', 'integer'),
    field('price', 'decimal'),
    field('big', 'bigint'),
    field('count', 'integer'),
    field('at', 'datetime'),
    field('secret', 'integer', { private: true }),
    field('inner', 'integer'),
    field('data', 'json'),
    field('word', 'password'),
    field('others', 'relation', { relation: { relation_type: 'many_to_many', target: 'sales' } }),
  ],
  api: {
    list: {
      cache: true,
      filter: '@request.query.shop = null || shop = @request.query.shop',
      fields: ['shop', 'views', 'price', 'big', 'count', 'at', 'others', 'data'],
    },
  },
};
const closed = {
  singular: 'vault',
  plural: 'vaults',
  fields: [field('n', 'integer')],
  api: { list: { access: 'none' } },
};
const ours = {
  singular: 'memo',
  plural: 'memos',
  fields: [field('n', 'integer')],
  api: { list: { access: 'member' } },
};
const simple = { singular: 'note', plural: 'notes', api_restful: false, fields: [field('n', 'integer')] };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([sale, closed, ours, simple], { builtIn: true });
  await service.account('ada', 'admin');
  await service.account('mia');
});
afterAll(() => service[Symbol.asyncDispose]());

const base = '/api/v1/cms/sales/aggregate';
const aggregate = (query: string, as?: string) => service.send(`GET ${base}?${query}`, as === undefined ? {} : { as });
const asAdmin = (query: string) => service.send(`GET /api/v1/admin/cms/sales/aggregate?${query}`, { as: 'ada' });

test('without records there is one item, and with a group none', async () => {
  expect((await aggregate('')).json).toEqual({ items: [{ count: 0 }], truncated: false });
  expect((await aggregate('sum=price&avg=views&min=at&count=true')).json.items).toEqual([
    { count: 0, sum: { price: null }, avg: { views: null }, min: { at: null } },
  ]);
  expect((await aggregate('group=shop')).json).toEqual({ items: [], truncated: false });
});

describe('with records', () => {
  beforeAll(async () => {
    const most = '9223372036854775807';
    await service.seed('sales', { shop: 'a', views: 9007199254740991, price: '0.1', big: most, count: 1, secret: 1 });
    await service.seed('sales', { shop: 'a', views: 9007199254740991, price: '0.2', big: most, count: 1, secret: 2 });
    await service.seed('sales', { shop: 'b', views: 3, price: '-0.05', big: '1', count: 2, inner: 5 });
    const { id } = await service.seed('sales', { shop: 'c', views: 100 });
    await service.send(`DELETE /api/v1/admin/cms/sales/${id}`, { as: 'ada' });
  });

  test('sums are exact beyond 2^53 and 2^63', async () => {
    const { text, json } = await aggregate('group=shop&sum=views,big,price&avg=price,views');
    expect(text).toContain('"views":18014398509481982');
    expect(json.items).toEqual([
      {
        shop: 'a',
        sum: { views: 18014398509481982, big: '18446744073709551614', price: '0.3' },
        avg: { price: '0.15', views: 9007199254740991 },
      },
      { shop: 'b', sum: { views: 3, big: '1', price: '-0.05' }, avg: { price: '-0.05', views: 3 } },
    ]);
  });

  test('an average has 20 digits after the point, rounded half away from zero', async () => {
    expect((await aggregate('avg=price,count')).json.items).toEqual([
      { avg: { price: '0.08333333333333333333', count: 1.3333333333333333 } },
    ]);
  });

  test.each([
    ['sort=count:desc', ['a', 'b']],
    ['sort=count:asc', ['b', 'a']],
    ['sort=shop:desc', ['b', 'a']],
    ['sum=price&sort=sum.price:asc', ['b', 'a']],
    ['sum=big&sort=sum.big:desc', ['a', 'b']],
    ['avg=views&sort=avg.views:asc', ['b', 'a']],
    ['min=price&sort=min.price:desc', ['a', 'b']],
    ['max=big&sort=max.big:asc', ['b', 'a']],
  ])('%s', async (query, shops) => {
    const asked = query.includes('sort=count') ? `${query}&count=true` : query;
    const { json } = await aggregate(`group=shop&${asked}`);
    expect(json.items.map((item: { shop: string }) => item.shop)).toEqual(shops);
  });

  test('a parameter that the rules read is one, and a field named as a parameter is filtered by an expression', async () => {
    expect((await aggregate('shop=a')).json.items).toEqual([{ count: 2 }]);
    expect((await aggregate('filter=count%20%3D%202')).json.items).toEqual([{ count: 1 }]);
    expect((await aggregate('group=count&sum=views&count=false')).json.items.length).toBe(2);
  });

  test('protocols choose for admins, and the same answer has the same entity tag', async () => {
    expect((await asAdmin('deleted=with')).json.items).toEqual([{ count: 4 }]);
    const { headers, json } = await asAdmin('sum=secret,inner');
    expect(json.items).toEqual([{ sum: { secret: 3, inner: 5 } }]);
    const again = await service.send('GET /api/v1/admin/cms/sales/aggregate?sum=secret,inner', {
      as: 'ada',
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test('a cached answer ends with a write', async () => {
    const first = await aggregate('group=shop');
    const second = await aggregate('group=shop');
    expect([first.text, second.headers.get('cache-status')]).toEqual([second.text, expect.stringContaining('hit')]);
    await service.seed('sales', { shop: 'a' });
    const third = await aggregate('group=shop');
    expect(third.json.items[0]).toEqual({ shop: 'a', count: 3 });
  });

  test('answers for different callers and names are kept apart', async () => {
    const [one, other] = [await aggregate('group=shop&sum=views'), await aggregate('group=shop&sum=count')];
    expect(Object.keys(one.json.items[0].sum)).toEqual(['views']);
    expect(Object.keys(other.json.items[0].sum)).toEqual(['count']);
  });
});

test.each([
  ...['group=secret', 'group=inner', 'group=nothing', 'group=data', 'group=word', 'group=mine', 'group=created_at'],
  ...['sum=secret', 'sum=shop', 'sum=at', 'avg=inner', 'min=data', 'max=secret', 'min=word', 'sum=views,views'],
  ...['group=shop,shop', 'group=shop:month', 'group=at:decade', 'group=at:month@Nowhere/Here', 'group=at@UTC'],
  ...['group=at:month@', 'group=at:month@%2B01:00', 'group=shop,views,price,big,count,at', 'group=count&count=true'],
  ...['sort=shop:asc', 'sort=count', 'group=shop&sort=shop:asc,shop:desc', 'sum=views&sort=views:asc', 'secret=1'],
  ...['count=maybe', 'page=1', 'page_size=5', 'include=others', 'cursor=x', 'skip_total=true', 'filter=secret%3D1'],
  ...['sort=secret:asc', 'group=at:month@__proto__', 'group=constructor', 'sum=,', 'group=,'],
])('%s is 400', async (query) => {
  const { status, json } = await aggregate(query);
  expect([status, json.code]).toEqual([400, expect.any(String)]);
});

test('what admins may group by, others may not, whoever they are', async () => {
  expect((await asAdmin('group=secret&sum=inner')).status).toBe(200);
  expect((await aggregate('group=secret', 'ada')).status).toBe(400);
});

test('access is that of the list', async () => {
  expect((await service.send('GET /api/v1/cms/vaults/aggregate', { as: 'ada' })).status).toBe(403);
  expect((await service.send('GET /api/v1/cms/memos/aggregate')).status).toBe(401);
  expect((await service.send('GET /api/v1/cms/memos/aggregate', { as: 'mia' })).json.items).toEqual([{ count: 0 }]);
  expect((await service.send('GET /api/v1/admin/cms/memos/aggregate', { as: 'mia' })).status).toBe(403);
  expect((await service.send('GET /api/v1/cms/notes/aggregate')).json.items).toEqual([{ count: 0 }]);
});

test('more groups than 1,000 are cut, in their order', async () => {
  const rows = Array.from({ length: 1_001 }, (_, n) => ({ n }));
  for (const part of [rows.slice(0, 500), rows.slice(500)]) {
    await Promise.all(part.map((body) => service.seed('memos', body)));
  }
  const path = 'GET /api/v1/cms/memos/aggregate?group=n';
  const all = await service.send(path, { as: 'mia' });
  expect([all.json.items.length, all.json.items[0].n, all.json.truncated]).toEqual([1_000, 0, true]);
  const last = await service.send(`${path}&sum=n&sort=sum.n:desc`, { as: 'mia' });
  expect([last.json.items.length, last.json.items[0], last.json.truncated]).toEqual([
    1_000,
    { n: 1_000, sum: { n: 1_000 } },
    true,
  ]);
  const fewer = await service.send(`${path}&filter=n%20%3E%200`, { as: 'mia' });
  expect([fewer.json.items.length, fewer.json.truncated]).toEqual([1_000, false]);
});

test('posts and pages have aggregates of what their lists show, and no slug is in their way', async () => {
  const post = await service.seed('posts', { title: 'Aggregate', status: 'Published' });
  await service.seed('posts', { title: 'Hidden', status: 'Draft' });
  expect(post.slug).not.toBe('aggregate');
  expect((await service.send('GET /api/v1/posts/aggregate?group=status')).json.items).toEqual([
    { status: 'Published', count: 1 },
  ]);
  const { json } = await service.send('GET /api/v1/admin/posts/aggregate?group=status', { as: 'ada' });
  expect(json.items).toEqual([
    { status: 'Draft', count: 1 },
    { status: 'Published', count: 1 },
  ]);
  expect((await service.send('GET /api/v1/pages/aggregate')).json.items).toEqual([{ count: 0 }]);
});
