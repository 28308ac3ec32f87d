// databases: sqlite, postgres
import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test';
import { definitionsOf } from '../../support/definitions.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Records that public routes stop returning at a time of their own.

const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const cached = { list: { cache: true }, get: { cache: true } };
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const title = { name: 'title', field_type: 'text' };
const definitions = [
  {
    singular: 'offer',
    plural: 'offers',
    protocols: ['expirable'],
    fields: [title, relation('shop', 'many_to_one', 'shops')],
    api: { ...open, ...cached },
  },
  {
    singular: 'shop',
    plural: 'shops',
    fields: [
      title,
      relation('best', 'many_to_one', 'offers'),
      relation('offers', 'one_to_many', 'offers', { mapped_by: 'shop' }),
    ],
    api: { ...open, ...cached },
  },
  {
    singular: 'banner',
    plural: 'banners',
    kind: 'single',
    protocols: ['expirable'],
    fields: [title],
    api: { get: { cache: true }, update: open.update },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('mia');
  await service.account('eve', 'editor');
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, as?: string): Promise<Reply> => service.send(`GET ${path}`, as === undefined ? {} : { as });
const ids = async (path: string, as?: string) => (await get(path, as)).json.items.map(({ id }: { id: string }) => id);
const offers = '/api/v1/cms/offers';
const admin = '/api/v1/admin/cms/offers';

test('a record is returned until its time comes, and then to admins alone, whatever was remembered', async () => {
  // A little later, so that tokens are valid still.
  const later = Math.ceil(Date.now() / 1000) * 1000 + 1000;
  try {
    setSystemTime(new Date(later));
    const expires_at = new Date(later + 10).toISOString();
    const shop = await service.seed('shops', { title: 'shop' });
    const offer = await service.seed('offers', { title: 'sale', expires_at, shop: shop.id });
    await service.seed('offers', { title: 'sale', shop: shop.id, expires_at: null });
    await service.send(`PUT /api/v1/admin/cms/shops/${shop.id}`, { as: 'ada', body: { best: offer.id } });
    const shown = async (as?: string) => {
      const included = (await get(`/api/v1/cms/shops/${shop.id}?include=best,offers`, as)).json;
      return {
        get: (await get(`${offers}/${offer.id}`, as)).status,
        listed: (await ids(`${offers}?title=sale`, as)).length,
        total: (await get(`${offers}?title=sale`, as)).json.total,
        found: (await ids(`${offers}?search=sale`, as)).length,
        included: included.best?.id ?? null,
        mirrored: included.offers.length,
      };
    };
    const all = { get: 200, listed: 2, total: 2, found: 2, included: offer.id, mirrored: 2 };
    const rest = { get: 404, listed: 1, total: 1, found: 1, included: null, mirrored: 1 };
    for (const [milliseconds, expected] of [
      [0, all],
      [9, all],
      [10, rest],
      [11, rest],
    ] as const) {
      setSystemTime(new Date(later + milliseconds));
      for (const as of [undefined, 'mia', 'ada'])
        expect([milliseconds, await shown(as)]).toEqual([milliseconds, expected]);
    }
    for (const as of ['eve', 'ada']) {
      expect((await get(`${admin}/${offer.id}`, as)).json).toEqual(offer);
      expect(await ids(`${admin}?title=sale`, as)).toHaveLength(2);
      expect((await get(`/api/v1/admin/cms/shops/${shop.id}?include=best`, as)).json.best.id).toBe(offer.id);
    }
    const kept = await get(`${offers}?title=sale`);
    expect(kept.headers.get('cache-status')).toBe('recto; fwd=bypass');
  } finally {
    setSystemTime();
  }
});

const past = '2000-01-01T00:00:00.000Z';

test('public routes do not change what has expired; admins prolong it', async () => {
  const { id } = await service.seed('offers', { title: 'old', expires_at: past });
  for (const as of [undefined, 'mia', 'ada']) {
    const sent = as === undefined ? {} : { as };
    expect((await service.send(`PUT ${offers}/${id}`, { ...sent, body: { expires_at: null } })).status).toBe(404);
    expect((await service.send(`DELETE ${offers}/${id}`, sent)).status).toBe(404);
  }
  const expires_at = '2999-01-01T01:00:00+01:00';
  const prolonged = await service.send(`PUT ${admin}/${id}`, { as: 'eve', body: { expires_at } });
  expect(prolonged.json.expires_at).toBe('2999-01-01T00:00:00.000Z');
  expect((await get(`${offers}/${id}`)).json).toEqual(prolonged.json);
  expect((await service.send(`DELETE ${offers}/${id}`)).status).toBe(204);
});

test('a write of a time that has passed returns the record once more', async () => {
  const made = await service.send(`POST ${offers}`, { body: { title: 'late', expires_at: past } });
  expect([made.status, made.json.title, made.json.expires_at]).toEqual([201, 'late', past]);
  const { id } = await service.seed('offers', { title: 'late' });
  const updated = await service.send(`PUT ${offers}/${id}`, { body: { expires_at: past } });
  expect([updated.status, updated.json.expires_at]).toEqual([200, past]);
  for (const each of [made.json.id, id]) expect((await get(`${offers}/${each}`)).status).toBe(404);
});

test('a single type that has expired is 404 and not created again', async () => {
  expect((await get('/api/v1/cms/banner')).status).toBe(200);
  await service.send('PUT /api/v1/cms/banner', { body: { title: 'x', expires_at: past } });
  expect((await get('/api/v1/cms/banner')).status).toBe(404);
  expect((await service.send('PUT /api/v1/cms/banner', { body: { expires_at: null } })).status).toBe(404);
  const { items } = (await get('/api/v1/admin/cms/banners', 'ada')).json;
  expect(items).toMatchObject([{ title: 'x', expires_at: past }]);
  await service.send(`PUT /api/v1/admin/cms/banners/${items[0].id}`, { as: 'ada', body: { expires_at: null } });
  expect((await get('/api/v1/cms/banner')).json.title).toBe('x');
});

test.each(['tomorrow', '2026-11-21', 5, true])('expires_at %p is 422', async (expires_at) => {
  const { status, json } = await service.send(`POST ${offers}`, { body: { expires_at } });
  expect([status, json.errors?.[0]?.field]).toEqual([422, 'expires_at']);
});

test('options are rejected', () => {
  const protocols = [{ name: 'expirable', after: '1d' }];
  expect(() => definitionsOf({ singular: 'a', plural: 'as', protocols, fields: [] })).toThrow(/takes no options/);
});
