// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// The protocols that the service specification names, and the two that records are kept by: on collections and on single types.

const title = { name: 'title', field_type: 'text' };
const every = ['timestampable', 'ownable', 'lockable', 'metaable'];
const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const strict = [{ name: 'lockable', required: true }];
const definitions = [
  { singular: 'thing', plural: 'things', protocols: every, fields: [title], api: open },
  { singular: 'plain', plural: 'plains', fields: [title], api: open },
  { singular: 'strict', plural: 'stricts', protocols: strict, fields: [title], api: open },
  {
    singular: 'site',
    plural: 'sites',
    kind: 'single',
    protocols: every,
    fields: [title],
    api: { update: open.update },
  },
  {
    singular: 'lock',
    plural: 'locks',
    kind: 'single',
    protocols: strict,
    fields: [title],
    api: { update: open.update },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  for (const name of ['mia', 'max']) await service.account(name);
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

/** The two homes of a record: how it is created, and where it is then. */
const homes = [
  ['collection', async () => `/api/v1/cms/things/${(await service.seed('things', {})).id}`],
  [
    'single type',
    async () => {
      const { items } = (await service.send('GET /api/v1/admin/cms/sites', { as: 'ada' })).json;
      await service.send(`DELETE /api/v1/admin/cms/sites/${items[0].id}`, { as: 'ada' });
      await service.send('GET /api/v1/cms/site');
      return '/api/v1/cms/site';
    },
  ],
] as const;

const put = (path: string, body: object, as?: string): Promise<Reply> =>
  service.send(`PUT ${path}`, { body, ...(as === undefined ? {} : { as }) });
const get = async (path: string) => (await service.send(`GET ${path}`)).json;
const faultsOf = ({ status, json }: Reply) => [
  status,
  json.code,
  ...(json.errors ?? []).map((fault: Record<string, string>) => `${fault.field} ${fault.code}`),
];

describe('timestampable', () => {
  test.each(homes)('created_at and updated_at of a record of a %s', async (_, made) => {
    try {
      // A little later, so that tokens are valid still.
      const at = (milliseconds: number) => new Date(later + milliseconds);
      const later = Math.ceil(Date.now() / 1000) * 1000;
      setSystemTime(at(0));
      const path = await made();
      const created_at = at(0).toISOString();
      expect(await get(path)).toMatchObject({ created_at, updated_at: created_at });
      setSystemTime(at(7));
      const updated = await put(path, { title: 'x' });
      expect(updated.json).toMatchObject({ created_at, updated_at: at(7).toISOString() });
      expect(await get(path)).toEqual(updated.json);
    } finally {
      setSystemTime();
    }
  });
  test('what is sent for them is ignored, and lists sort and filter by them', async () => {
    const sent = { created_at: '2000-01-01T00:00:00Z', updated_at: 'nonsense' };
    const { json } = await service.send('POST /api/v1/cms/things', { body: sent });
    expect(json.created_at > '2026').toBe(true);
    expect((await put(`/api/v1/cms/things/${json.id}`, sent)).json.created_at).toBe(json.created_at);
    const query = new URLSearchParams({ created_at: json.created_at, sort: 'updated_at:desc,created_at:asc' });
    const { items } = await get(`/api/v1/cms/things?${query}`);
    expect(items.map(({ id }: { id: string }) => id)).toContain(json.id);
  });
});

describe('ownable', () => {
  const owners = async (path: string) => {
    const { created_by, updated_by } = await get(path);
    return [created_by, updated_by];
  };
  test('created_by and updated_by of a record of a collection', async () => {
    const mia = service.idOf('mia');
    const { json } = await service.send('POST /api/v1/cms/things', {
      as: 'mia',
      body: { created_by: service.idOf('max') },
    });
    const path = `/api/v1/cms/things/${json.id}`;
    expect(await owners(path)).toEqual([mia, mia]);
    await put(path, { created_by: null, updated_by: mia }, 'max');
    expect(await owners(path)).toEqual([mia, service.idOf('max')]);
    await put(path, {});
    expect(await owners(path)).toEqual([mia, null]);
    await service.send(`PUT /api/v1/admin/cms/things/${json.id}`, { as: 'ada', body: { title: 'x' } });
    expect(await owners(path)).toEqual([mia, service.idOf('ada')]);
  });
  test('an anonymous caller owns nothing', async () => {
    const { json } = await service.send('POST /api/v1/cms/things', { body: {} });
    expect([json.created_by, json.updated_by]).toEqual([null, null]);
  });
  test('an API token owns what it writes', async () => {
    const token = { name: 'x', role: 'member', createdBy: null, expiresAt: null } as const;
    const { apiToken, secret } = await service.auth.apiTokens.create(service.database, token, Date.now());
    const sent = { headers: { Authorization: `Bearer ${secret}` }, body: {} };
    expect((await service.send('POST /api/v1/cms/things', sent)).json.created_by).toBe(apiToken.id);
  });
  test('the record of a single type is nobody’s until someone updates it', async () => {
    const path = await homes[1][1]();
    expect(await owners(path)).toEqual([null, null]);
    await put(path, { title: 'x' }, 'mia');
    expect(await owners(path)).toEqual([null, service.idOf('mia')]);
  });
});

describe('lockable', () => {
  test.each(homes)('lock_version of a record of a %s counts up, and a stale one is 409', async (_, made) => {
    const path = await made();
    const first = await get(path);
    expect(first.lock_version).toBe(1);
    expect((await put(path, { title: 'a', lock_version: 1 })).json).toMatchObject({ title: 'a', lock_version: 2 });
    const stale = await put(path, { title: 'b', lock_version: 1 });
    expect(faultsOf(stale)).toEqual([409, 'lock_version_mismatch']);
    expect(faultsOf(await put(path, { title: 'b', lock_version: 3 }))).toEqual([409, 'lock_version_mismatch']);
    expect((await put(path, { title: 'c' })).json).toMatchObject({ title: 'c', lock_version: 3 });
    expect((await put(path, { ...(await get(path)), title: 'd' })).json).toMatchObject({ title: 'd', lock_version: 4 });
  });
  test.each(['1', 1.5, null, true, {}])('a lock_version of %p is 422', async (lock_version) => {
    const path = await homes[0][1]();
    expect(faultsOf(await put(path, { lock_version }))).toEqual([422, 'validation_failed', 'lock_version wrong_type']);
  });
  test('admin routes lock too', async () => {
    const { id } = await service.seed('things', {});
    const path = `/api/v1/admin/cms/things/${id}`;
    expect((await put(path, { lock_version: 2 }, 'ada')).status).toBe(409);
    expect((await put(path, { lock_version: 1 }, 'ada')).json.lock_version).toBe(2);
  });
  test('a create that names one begins at 1', async () => {
    const { json } = await service.send('POST /api/v1/cms/things', { body: { lock_version: 7 } });
    expect(json.lock_version).toBe(1);
  });
  const required = [
    ['a collection', async () => `/api/v1/cms/stricts/${(await service.seed('stricts', {})).id}`],
    ['a single type', async () => '/api/v1/cms/lock'],
  ] as const;
  test.each(required)('required: an update of a record of %s names one', async (_, made) => {
    const path = await made();
    const { lock_version } = await get(path);
    const refused = await put(path, { title: 'a' });
    expect(faultsOf(refused)).toEqual([422, 'validation_failed', 'lock_version required']);
    expect((await put(path, { title: 'a', lock_version })).status).toBe(200);
    expect((await put(path, { title: 'b', lock_version })).status).toBe(409);
    expect((await get(path)).title).toBe('a');
  });
  test('required, with other errors: all are reported at once', async () => {
    const path = await required[0][1]();
    const faults = faultsOf(await put(path, { title: 1, bogus: 2 }));
    expect(faults.slice(2).sort()).toEqual(['bogus unknown_field', 'lock_version required', 'title wrong_type']);
  });
  test('a type without it has no such field', async () => {
    const { id } = await service.seed('plains', {});
    expect(faultsOf(await put(`/api/v1/cms/plains/${id}`, { lock_version: 1 }))).toEqual([
      422,
      'validation_failed',
      'lock_version unknown_field',
    ]);
  });
});

describe('metaable', () => {
  test.each(homes)('__meta of a record of a %s: an empty object, then what is sent, whole', async (_, made) => {
    const path = await made();
    expect((await get(path)).__meta).toEqual({});
    const __meta = { color: 'red', deep: { list: [1, null, { a: 'ü' }], empty: {} }, n: 1.5, ok: false, none: null };
    expect((await put(path, { __meta })).json.__meta).toEqual(__meta);
    await put(path, { title: 'x' });
    expect((await get(path)).__meta).toEqual(__meta);
    await put(path, { __meta: { other: 1 } });
    expect((await get(path)).__meta).toEqual({ other: 1 });
  });
  test.each([[[]], ['x'], [1], [true]])('%p is 422', async (__meta) => {
    const path = await homes[0][1]();
    expect(faultsOf(await put(path, { __meta }))).toEqual([422, 'validation_failed', '__meta wrong_type']);
  });
  test('null is 422: there is always an object', async () => {
    expect(faultsOf(await put(await homes[0][1](), { __meta: null }))).toEqual([
      422,
      'validation_failed',
      '__meta required',
    ]);
  });
  test('lists filter by it (service specification, section 4.5)', async () => {
    const { id } = await service.seed('things', { __meta: { shelf: { row: 7 } } });
    const { items } = await get('/api/v1/cms/things?__meta.shelf.row=7');
    expect(items.map((item: { id: string }) => item.id)).toEqual([id]);
    expect((await service.send('GET /api/v1/cms/plains?__meta.shelf=7')).status).toBe(400);
  });
});

test.each(['things', 'stricts', 'plains'])('a fetched record of %s can be put back whole', async (plural) => {
  const { id } = await service.seed(plural, { title: 'x' });
  const path = `/api/v1/cms/${plural}/${id}`;
  const fetched = await get(path);
  const back = await put(path, fetched, 'mia');
  expect(back.status).toBe(200);
  const kept = ({ lock_version, updated_at, updated_by, ...rest }: Record<string, unknown>) => rest;
  expect(kept(back.json)).toEqual(kept(fetched));
});
