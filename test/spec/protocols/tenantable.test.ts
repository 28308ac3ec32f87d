// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Operation } from '../../../packages/recto/src/http/operation.ts';
import { definitionsOf } from '../../support/definitions.ts';
import { type Reply, type Sent, TestService } from '../../support/service.ts';

// Records that belong to a tenant, and what the callers of one, of another, and of none get of them.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
  ...more,
});
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const countries = {
  singular: 'country',
  plural: 'countries',
  fields: [text('name'), relation('shops', 'one_to_many', 'shops')],
  api: { ...open, get: { cache: true } },
};
const owners = { singular: 'owner', plural: 'owners', protocols: ['tenantable'], fields: [text('name')], api: open };
const shops = {
  singular: 'shop',
  plural: 'shops',
  protocols: ['tenantable', 'nestable', 'soft_deletable'],
  fields: [
    text('title'),
    { name: 'slug', field_type: 'uid', target_field: 'title' },
    text('code', { unique: true }),
    relation('country', 'many_to_one', 'countries'),
    relation('owner', 'many_to_one', 'owners'),
    relation('helpers', 'many_to_many', 'owners'),
  ],
  api: { ...open, list: { cache: true }, get: { cache: true } },
};
const desk = { singular: 'desk', plural: 'desks', kind: 'single', protocols: ['tenantable'], fields: [text('motto')] };
const notes = {
  singular: 'note',
  plural: 'notes',
  protocols: ['tenantable'],
  fields: [text('text')],
  api: { create: { access: 'public' }, list: { filter: 'tenant_id = @request.auth.tenant_id' } },
};

/** What changes the whole installation. */
const forAll: Operation = {
  id: 'changeAll',
  method: 'GET',
  path: '/api/v1/admin/all',
  tag: 'all',
  summary: 'Change all',
  security: 'bearer',
  roles: ['admin'],
  installation: true,
  responses: { 204: { description: 'Done.' } },
  problems: [],
  handle: () => new Response(null, { status: 204 }),
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([countries, owners, shops, desk, notes], { more: [forAll] });
  await service.account('root', 'admin');
  await service.account('edith', 'editor');
  await service.account('mia');
  for (const tenant of ['acme', 'bolt']) {
    await service.account(`${tenant}-admin`, 'admin', tenant);
    await service.account(`${tenant}-editor`, 'editor', tenant);
    await service.account(`${tenant}-member`, 'member', tenant);
  }
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (line: string, as?: string, body?: object, tenant?: string): Promise<Reply> => {
  const headers = tenant === undefined ? {} : { 'Recto-Tenant': tenant };
  const sent: Sent = { headers, ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body }) };
  return service.send(line, sent);
};
const made = async (line: string, as: string | undefined, body: object, tenant?: string): Promise<Reply['json']> => {
  const { status, text: answer, json } = await send(`POST ${line}`, as, body, tenant);
  expect({ status, answer }).toEqual({ status: 201, answer });
  return json;
};
const outcome = ({ status, json }: Reply) => [
  status,
  ...(json.errors?.map((fault: Record<string, string>) => `${fault.field} ${fault.code}`) ?? [json.code]),
];
const titles = async (reply: Promise<Reply>): Promise<readonly string[]> =>
  (await reply).json.items.map(({ title }: { title: string }) => title).toSorted();

describe('whose a new record is', () => {
  test.each([
    ['a member of a tenant', '/api/v1/cms/notes', 'acme-member', undefined, 'acme'],
    ['an editor of a tenant', '/api/v1/admin/cms/notes', 'acme-editor', undefined, 'acme'],
    ['an anonymous caller', '/api/v1/cms/notes', undefined, undefined, null],
    ['an anonymous caller who names a tenant', '/api/v1/cms/notes', undefined, 'acme', 'acme'],
    ['an editor of none', '/api/v1/admin/cms/notes', 'edith', undefined, null],
    ['an editor of none who names a tenant', '/api/v1/admin/cms/notes', 'edith', 'bolt', 'bolt'],
  ])('%s', async (_, line, as, tenant, expected) => {
    expect((await made(line, as, { text: 'a' }, tenant)).tenant_id).toBe(expected);
  });

  test('an editor of none says it; nobody else says another', async () => {
    const body = { text: 'a', tenant_id: 'bolt' };
    expect((await made('/api/v1/admin/cms/notes', 'edith', body)).tenant_id).toBe('bolt');
    const refused = [422, 'tenant_id not_allowed'];
    expect(outcome(await send('POST /api/v1/admin/cms/notes', 'acme-editor', body))).toEqual(refused);
    expect(outcome(await send('POST /api/v1/cms/notes', 'acme-member', body))).toEqual(refused);
    expect(outcome(await send('POST /api/v1/cms/notes', undefined, body))).toEqual(refused);
    expect(outcome(await send('POST /api/v1/cms/notes', 'edith', body))).toEqual(refused);
    const wrong = { ...body, tenant_id: 'Bolt!' };
    expect((await send('POST /api/v1/admin/cms/notes', 'edith', wrong)).status).toBe(422);
  });

  test('it stays so', async () => {
    const { id } = await made('/api/v1/admin/cms/notes', 'acme-editor', { text: 'a' });
    for (const [as, tenant_id] of [
      ['acme-editor', 'bolt'],
      ['acme-editor', null],
      ['edith', 'bolt'],
    ] as const) {
      const moved = await send(`PUT /api/v1/admin/cms/notes/${id}`, as, { tenant_id });
      expect(outcome(moved)).toEqual([422, 'tenant_id immutable']);
    }
    const kept = await send(`PUT /api/v1/admin/cms/notes/${id}`, 'acme-editor', { tenant_id: 'acme', text: 'b' });
    expect(kept.status).toBe(200);
  });
});

test('the header names a tenant, and not another than the caller’s own', async () => {
  const shopsOf = (as: string | undefined, tenant: string) => send('GET /api/v1/cms/shops', as, undefined, tenant);
  expect(outcome(await shopsOf('acme-member', 'bolt'))).toEqual([403, 'other_tenant']);
  expect((await shopsOf('acme-member', 'acme')).status).toBe(200);
  expect(outcome(await shopsOf(undefined, 'A tenant'))).toEqual([400, 'invalid_tenant']);
  expect((await shopsOf(undefined, 'never-heard-of')).json).toMatchObject({ items: [], total: 0 });
});

describe('isolation', () => {
  let mine: Record<string, string>;
  let theirs: Record<string, string>;
  let country: string;
  beforeAll(async () => {
    country = (await made('/api/v1/admin/cms/countries', 'root', { name: 'Portugal' })).id;
    const fill = async (tenant: string) => {
      const as = `${tenant}-editor`;
      const owner = (await made('/api/v1/admin/cms/owners', as, { name: `Owner of ${tenant}` })).id;
      const body = { title: 'Corner', code: 'c1', country, owner, helpers: [owner] };
      const shop = (await made('/api/v1/admin/cms/shops', as, body)).id;
      const below = (await made('/api/v1/admin/cms/shops', as, { title: `Below ${tenant}`, parent_id: shop })).id;
      return { owner, shop, below };
    };
    mine = await fill('acme');
    theirs = await fill('bolt');
    await made('/api/v1/admin/cms/shops', 'edith', { title: 'Of nobody' });
  });

  test('slugs, unique values and positions are those of the tenant', async () => {
    for (const tenant of ['acme', 'bolt']) {
      const { items } = (await send('GET /api/v1/admin/cms/shops', `${tenant}-editor`)).json;
      expect(items.map((shop: Record<string, unknown>) => [shop.slug, shop.position])).toEqual([
        ['corner', 0],
        [`below-${tenant}`, 1],
      ]);
    }
    const again = { title: 'Corner', code: 'c1' };
    expect(outcome(await send('POST /api/v1/cms/shops', 'acme-member', again))).toEqual([422, 'code taken']);
    // Those of no tenant are a lot of their own.
    const free = await made('/api/v1/admin/cms/shops', 'edith', again);
    expect(outcome(await send('POST /api/v1/admin/cms/shops', 'edith', again))).toEqual([422, 'code taken']);
    await send(`DELETE /api/v1/admin/cms/shops/${free.id}`, 'edith');
    await send(`DELETE /api/v1/admin/cms/shops/${free.id}/purge`, 'edith');
  });

  test('lists, searches and totals', async () => {
    const own = ['Below acme', 'Corner'];
    for (const [as, tenant] of [
      ['acme-member', undefined],
      [undefined, 'acme'],
      ['mia', 'acme'],
    ] as const) {
      const list = (query: string) => send(`GET /api/v1/cms/shops${query}`, as, undefined, tenant);
      expect(await titles(list(''))).toEqual(own);
      expect((await list('?page_size=1')).json.total).toBe(2);
      expect(await titles(list('?search=corner'))).toEqual(['Corner']);
      expect((await list(`?owner=${theirs.owner}`)).json.total).toBe(0);
      expect((await list('?tenant_id=bolt')).json.total).toBe(0);
    }
    expect(await titles(send('GET /api/v1/cms/shops'))).toEqual(['Of nobody']);
    expect(await titles(send('GET /api/v1/cms/shops', 'root'))).toEqual(['Of nobody']);
    expect(await titles(send('GET /api/v1/admin/cms/shops', 'acme-admin'))).toEqual(own);
    expect((await send('GET /api/v1/admin/cms/shops', 'root')).json.total).toBe(5);
    expect((await send('GET /api/v1/admin/cms/shops?tenant_id=bolt', 'edith')).json.total).toBe(2);
    expect((await send('GET /api/v1/admin/cms/shops', 'edith', undefined, 'bolt')).json.total).toBe(2);
  });

  test('a cached answer is for its tenant alone', async () => {
    const list = (as?: string, tenant?: string) =>
      titles(send('GET /api/v1/cms/shops?sort=title:asc', as, undefined, tenant));
    for (let round = 0; round < 2; round += 1) {
      expect(await list('acme-member')).toEqual(['Below acme', 'Corner']);
      expect(await list('bolt-member')).toEqual(['Below bolt', 'Corner']);
      expect(await list(undefined, 'bolt')).toEqual(['Below bolt', 'Corner']);
      expect(await list()).toEqual(['Of nobody']);
      const shopsOf = async (as?: string, tenant?: string) =>
        (await send(`GET /api/v1/cms/countries/${country}?include=shops`, as, undefined, tenant)).json.shops.length;
      expect([await shopsOf('acme-member'), await shopsOf(), await shopsOf(undefined, 'bolt')]).toEqual([1, 0, 1]);
    }
  });

  test.each([
    ['get', 'GET', ''],
    ['update', 'PUT', ''],
    ['delete', 'DELETE', ''],
    ['restore', 'POST', '/restore'],
    ['purge', 'DELETE', '/purge'],
    ['move', 'POST', '/move'],
    ['ancestors', 'GET', '/ancestors'],
    ['subtree', 'GET', '/subtree'],
  ])('%s: a record of another tenant is not there', async (_, method, rest) => {
    const body = method === 'PUT' ? { title: 'taken over' } : rest === '/move' ? { parent_id: null } : undefined;
    const line = (base: string) => `${method} ${base}/shops/${theirs.below}${rest}`;
    expect((await send(line('/api/v1/admin/cms'), 'acme-admin', body)).status).toBe(404);
    if (rest === '' || method === 'GET')
      expect((await send(line('/api/v1/cms'), 'acme-member', body)).status).toBe(404);
    const whole = await send(`GET /api/v1/admin/cms/shops/${theirs.below}`, 'bolt-editor');
    expect(whole.json).toMatchObject({ title: 'Below bolt', deleted_at: null, parent_id: theirs.shop });
  });

  test('places of another tenant’s records are not set', async () => {
    const items = [mine.shop, theirs.shop].map((id, position) => ({ id, position: position + 5 }));
    const answer = await send('PUT /api/v1/admin/cms/shops/reorder', 'acme-editor', { items });
    expect(outcome(answer)).toEqual([422, 'items[1].id unknown_record']);
    const all = await send('PUT /api/v1/admin/cms/shops/reorder', 'edith', { items });
    expect(all.json).toEqual({ affected: 2 });
  });

  test('relations do not cross, for any caller', async () => {
    for (const as of ['acme-editor', 'root']) {
      const crossing = await send(`PUT /api/v1/admin/cms/shops/${mine.shop}`, as, {
        owner: theirs.owner,
        helpers: [mine.owner, theirs.owner],
        parent_id: theirs.shop,
      });
      const expected = ['owner', 'parent_id', 'helpers[1]'].map((field) => `${field} unknown_record`);
      expect(outcome(crossing)).toEqual([422, ...expected]);
    }
    const crossing = await send('POST /api/v1/admin/cms/shops', 'root', {
      tenant_id: 'acme',
      title: 'x',
      owner: theirs.owner,
    });
    expect(outcome(crossing)).toEqual([422, 'owner unknown_record']);
  });
});

test('a single type has a record for each tenant, which its own callers and editors begin', async () => {
  const get = (as?: string, tenant?: string) => send('GET /api/v1/cms/desk', as, undefined, tenant);
  expect((await get(undefined, 'acme')).status).toBe(404);
  expect((await get('mia', 'acme')).status).toBe(404);
  const none = (await get()).json;
  const acme = (await get('acme-member')).json;
  const bolt = (await get('edith', 'bolt')).json;
  expect([none.tenant_id, acme.tenant_id, bolt.tenant_id]).toEqual([null, 'acme', 'bolt']);
  expect((await get(undefined, 'acme')).json.id).toBe(acme.id);
  expect((await send('PUT /api/v1/cms/desk', 'acme-member', { motto: 'a' })).json).toMatchObject({
    id: acme.id,
    motto: 'a',
  });
  expect((await get('bolt-member')).json).toMatchObject({ id: bolt.id, motto: null });
  expect((await send('GET /api/v1/admin/cms/desks', 'root')).json.total).toBe(3);
  expect(outcome(await send('POST /api/v1/admin/cms/desks', 'acme-editor', {}))).toEqual([409, 'single_exists']);
});

test('rules read the caller’s tenant', async () => {
  const of = async (as?: string, tenant?: string) =>
    (await send('GET /api/v1/cms/notes', as, undefined, tenant)).json.items.map(
      (note: { tenant_id: string }) => note.tenant_id,
    );
  expect(new Set(await of('acme-member'))).toEqual(new Set(['acme']));
  expect(await of(undefined, 'acme')).toEqual([]);
  expect(new Set(await of())).toEqual(new Set([null]));
});

describe('definitions', () => {
  const faultsOf = (...all: object[]): string => {
    try {
      definitionsOf(...all);
    } catch (error) {
      return String(error);
    }
    return '';
  };

  test('what all share cannot lead to what belongs to one', () => {
    for (const kind of ['many_to_one', 'many_to_many']) {
      const shared = { singular: 'street', plural: 'streets', fields: [relation('best', kind, 'owners')] };
      expect(faultsOf(owners, shared)).toContain(
        'the records of owner belong to tenants, those of street to all of them',
      );
    }
    expect(faultsOf(owners, countries, shops)).toBe('');
  });

  test('no rule counts the records of all tenants', () => {
    const rule = { list: { filter: 'shops:length > 1' } };
    expect(faultsOf(owners, { ...countries, api: rule }, shops)).toContain('of all tenants');
    const through = { ...shops, api: { list: { filter: 'country.shops:isset' } } };
    expect(faultsOf(owners, countries, through)).toContain('of all tenants');
  });
});

describe('accounts', () => {
  test('a tenant holds from the next request on', async () => {
    await service.account('moving');
    const id = service.idOf('moving');
    const set = (tenant_id: string | null) => send(`PUT /api/v1/admin/users/${id}`, 'root', { tenant_id });
    const of = async () => (await made('/api/v1/cms/notes', 'moving', { text: 'a' })).tenant_id;
    expect(await of()).toBeNull();
    expect((await set('acme')).json.tenant_id).toBe('acme');
    expect(await of()).toBe('acme');
    await set('bolt');
    expect(await of()).toBe('bolt');
    await set(null);
    expect(await of()).toBeNull();
    expect(outcome(await send(`PUT /api/v1/admin/users/${id}`, 'root', { tenant_id: 'A b' }))).toEqual([
      422,
      'tenant_id bad_format',
    ]);
    expect((await send('PUT /api/v1/auth/me', 'moving', { tenant_id: 'acme' })).status).toBe(422);
  });

  test('an admin of a tenant sees and makes accounts of it alone', async () => {
    const users = '/api/v1/admin/users';
    const { items } = (await send(`GET ${users}`, 'acme-admin')).json;
    expect(new Set(items.map((user: { tenant_id: string }) => user.tenant_id))).toEqual(new Set(['acme']));
    expect((await send(`GET ${users}?tenant_id=bolt`, 'acme-admin')).json.items).toEqual([]);
    for (const other of ['bolt-member', 'root', 'mia']) {
      const path = `${users}/${service.idOf(other)}`;
      expect((await send(`GET ${path}`, 'acme-admin')).status).toBe(404);
      expect((await send(`PUT ${path}`, 'acme-admin', { role: 'admin' })).status).toBe(404);
      expect((await send(`DELETE ${path}`, 'acme-admin')).status).toBe(404);
    }
    const body = { email: 'new@example.com', password: 'correct horse' };
    expect((await made(users, 'acme-admin', body)).tenant_id).toBe('acme');
    const other = { ...body, email: 'other@example.com', tenant_id: 'bolt' };
    expect(outcome(await send(`POST ${users}`, 'acme-admin', other))).toEqual([422, 'tenant_id not_allowed']);
    const own = `${users}/${service.idOf('acme-admin')}`;
    expect(outcome(await send(`PUT ${own}`, 'acme-admin', { tenant_id: null }))).toEqual([
      422,
      'tenant_id not_allowed',
    ]);
  });

  test('an admin of a tenant is not the admin that must be left', async () => {
    const own = `/api/v1/admin/users/${service.idOf('root')}`;
    for (const body of [{ tenant_id: 'acme' }, { role: 'member' }, { disabled: true }]) {
      expect(outcome(await send(`PUT ${own}`, 'root', body))).toEqual([409, 'last_admin']);
    }
  });

  test('an API token belongs to the tenant of who makes it, or to the one that is named', async () => {
    const tokens = '/api/v1/admin/api-tokens';
    const mine = await made(tokens, 'acme-admin', { name: 'mine', role: 'editor' });
    const named = await made(tokens, 'root', { name: 'named', role: 'editor', tenant_id: 'bolt' });
    const ofNone = await made(tokens, 'root', { name: 'of none', role: 'editor' });
    expect([mine.tenant_id, named.tenant_id, ofNone.tenant_id]).toEqual(['acme', 'bolt', null]);
    const refused = await send(`POST ${tokens}`, 'acme-admin', { name: 'x', tenant_id: 'bolt' });
    expect(outcome(refused)).toEqual([422, 'tenant_id not_allowed']);
    expect((await send(`GET ${tokens}`, 'acme-admin')).json).toMatchObject({ total: 1, items: [{ id: mine.id }] });
    for (const { id } of [named, ofNone]) {
      expect((await send(`GET ${tokens}/${id}`, 'acme-admin')).status).toBe(404);
      expect((await send(`DELETE ${tokens}/${id}`, 'acme-admin')).status).toBe(404);
    }
    const headers = { Authorization: `Bearer ${named.token}` };
    const { json } = await service.send('POST /api/v1/admin/cms/notes', { headers, body: { text: 'by a program' } });
    expect(json.tenant_id).toBe('bolt');
  });
});

test('what all tenants have is for those who belong to none', async () => {
  expect((await send('GET /api/v1/admin/all', 'root')).status).toBe(204);
  expect(outcome(await send('GET /api/v1/admin/all', 'acme-admin'))).toEqual([403, 'other_tenant']);
  expect((await send('GET /api/v1/admin/all', 'edith')).json.code).toBe('insufficient_role');
});

test('the same key with another tenant is another request', async () => {
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const post = (tenant: string) =>
    service.send('POST /api/v1/cms/notes', { headers: { ...key, 'Recto-Tenant': tenant }, body: { text: 'once' } });
  expect((await post('acme')).json.tenant_id).toBe('acme');
  expect((await post('bolt')).status).toBe(422);
});
