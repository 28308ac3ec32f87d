// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, mock, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { type Planted, plant, plantedId } from '../rules/planted.ts';

// Whatever the callers of one tenant ask and write, they get the same answers, to the last byte, whether the records of
// another tenant are there or not: two services, of which one alone has them, answer the same requests alike.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
  ...more,
});
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const cached = { list: { cache: true }, get: { cache: true } };

const definitions = [
  {
    singular: 'country',
    plural: 'countries',
    fields: [text('name'), relation('shops', 'one_to_many', 'shops')],
    api: { ...open, ...cached },
  },
  {
    singular: 'owner',
    plural: 'owners',
    protocols: ['tenantable', 'statusable'],
    fields: [text('name'), relation('shops', 'one_to_many', 'shops'), relation('home', 'many_to_one', 'countries')],
    api: { ...open, ...cached },
  },
  {
    singular: 'shop',
    plural: 'shops',
    protocols: ['tenantable', 'nestable', 'soft_deletable', 'lockable', 'metaable'],
    fields: [
      text('title'),
      { name: 'slug', field_type: 'uid', target_field: 'title' },
      text('code', { unique: true }),
      { name: 'price', field_type: 'integer' },
      relation('country', 'many_to_one', 'countries'),
      relation('owner', 'many_to_one', 'owners'),
      relation('twin', 'one_to_one', 'shops'),
      relation('helpers', 'many_to_many', 'owners'),
    ],
    api: {
      ...open,
      ...cached,
      // What a new record leads to is read by a rule before it is found that it may not lead there.
      create: {
        access: 'public',
        filter: 'owner.name != "zinc" && parent_id.title != "zinc" && owner.shops:length < 9',
      },
    },
  },
  {
    singular: 'desk',
    plural: 'desks',
    kind: 'single',
    protocols: ['tenantable'],
    fields: [text('motto')],
    api: { get: { cache: true } },
  },
];

type TypeName = 'country' | 'owner' | 'shop';
const pluralOf = { country: 'countries', owner: 'owners', shop: 'shops' } as const;
const words = ['amber', 'birch', 'zinc'];
const first = { country: 0, owner: 100, shop: 200 } as const;
const idOf = (type: TypeName, number: number): string => plantedId(first[type] + number);

/** 1 to 3 are the asking tenant's (of countries: everyone's), 4 to 6 the other's. */
const word = fc.constantFrom(...words);
const number = fc.integer({ min: 1, max: 6 });
const idsOf = (type: TypeName) => number.map((at) => idOf(type, at));
const ownOf = (type: TypeName, tenant: 'acme' | 'bolt') =>
  fc.integer({ min: 1, max: 3 }).map((at) => idOf(type, tenant === 'acme' || type === 'country' ? at : at + 3));

const bodyOf = (type: TypeName, tenant: 'acme' | 'bolt') => {
  const name = fc.record({ name: word });
  if (type === 'country') return name;
  const home = fc.option(ownOf('country', tenant));
  if (type === 'owner') return fc.record({ name: word, home });
  return fc.record({
    title: word,
    price: fc.option(fc.integer({ min: 0, max: 3 })),
    country: home,
    owner: fc.option(ownOf('owner', tenant)),
    helpers: fc.uniqueArray(ownOf('owner', tenant), { maxLength: 2 }),
  });
};

const plantedOf = (tenant: 'acme' | 'bolt'): fc.Arbitrary<readonly Planted[]> => {
  const types = tenant === 'acme' ? (['country', 'owner', 'shop'] as const) : (['owner', 'shop'] as const);
  const records = types.flatMap((type) =>
    [1, 2, 3].map((at) =>
      bodyOf(type, tenant).map((body): Planted => {
        const id = idOf(type, tenant === 'acme' ? at : at + 3);
        const isTenants = type !== 'country';
        const unique = type === 'shop' ? { slug: `${tenant === 'acme' ? 'own' : 'amber'}-${at}`, code: `c${at}` } : {};
        return { type, id, body: { ...body, ...unique, ...(isTenants ? { tenant_id: tenant } : {}) } };
      }),
    ),
  );
  return fc.tuple(...records);
};

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly as: 'ann' | 'eda' | undefined;
  readonly body?: object;
}

/** An id that was planted, mostly one of the tenant's, or `$3`: that of the third record that these requests have made. */
const anyId = (type: TypeName) =>
  fc.oneof(
    { weight: 6, arbitrary: ownOf(type, 'acme') },
    { weight: 2, arbitrary: idsOf(type) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 }).map((made) => `$${made}`) },
  );
const seldom = <T>(some: fc.Arbitrary<T>) => fc.option(some, { freq: 2 });
const type = fc.constantFrom<TypeName>('country', 'owner', 'shop', 'shop');
const who = fc.constantFrom<Ask['as']>('ann', 'eda', undefined);

const tenantSent = { tenant_id: fc.constantFrom('acme', 'acme', null, null, 'bolt') };
const shopSent = fc.record(
  {
    title: word,
    code: seldom(fc.constantFrom('c1', 'c2', 'x')),
    slug: seldom(fc.constantFrom('amber', 'amber-1', 'amber-2')),
    owner: seldom(anyId('owner')),
    twin: fc.option(anyId('shop'), { freq: 1 }),
    parent_id: seldom(anyId('shop')),
    helpers: fc.uniqueArray(anyId('owner'), { maxLength: 1 }),
    __meta: fc.constant({ color: 'amber' }),
    ...tenantSent,
  },
  { requiredKeys: [] },
);
const ownerSent = fc.record({ name: word, home: fc.option(anyId('country')), ...tenantSent }, { requiredKeys: [] });
const sentOf = { country: fc.record({ name: word }), owner: ownerSent, shop: shopSent } as const;
const sent = (of: TypeName): fc.Arbitrary<object> => sentOf[of];

const parameters = fc.oneof(
  fc.constantFrom(
    '',
    'page_size=1',
    'page=2&page_size=2',
    'sort=id:desc',
    'search=amber',
    'search=z',
    'skip_total=true',
    'filter=owner.name ~ "a%25" || owner.home = null',
    'filter=shops:length > 0 || helpers:length = 1',
    'filter=owner.shops:length != 1',
    'filter=twin.title != "amber"',
  ),
  fc.constantFrom('include=owner,country,helpers', 'include=shops', 'include=owner.shops', 'include=parent_id,twin'),
  fc.constantFrom('tenant_id=bolt', 'tenant_id=acme', '__meta.color=amber', 'deleted=with', 'deleted=only', 'depth=1'),
  fc
    .tuple(fc.constantFrom('owner', 'helpers', 'parent_id', 'country', 'home', 'id'), idsOf('owner'))
    .map((p) => p.join('=')),
);

const base = (as: Ask['as'], of: TypeName, admin: boolean) =>
  `/api/v1/${admin && as === 'eda' ? 'admin/' : ''}cms/${pluralOf[of]}`;

const asks: fc.Arbitrary<Ask> = fc.tuple(who, type, fc.boolean()).chain(([as, of, admin]) => {
  const at = base(as, of, admin);
  const ask = (method: string, path: fc.Arbitrary<string>, body?: fc.Arbitrary<object>): fc.Arbitrary<Ask> =>
    body === undefined
      ? path.map((one) => ({ method, path: one, as }))
      : fc.tuple(path, body).map(([one, sent]) => ({ method, path: one, as, body: sent }));
  const one = anyId(of).map((id) => `${at}/${id}`);
  const below = (name: string) => anyId('shop').map((id) => `/api/v1/admin/cms/shops/${id}/${name}`);
  const place = fc.record({ id: anyId('shop'), position: fc.integer({ min: 0, max: 3 }) });
  const items = fc.record({ items: fc.array(place, { minLength: 1, maxLength: 2 }) });
  return fc.oneof(
    {
      weight: 4,
      arbitrary: ask(
        'GET',
        parameters.map((query) => `${at}?${query}`),
      ),
    },
    { weight: 3, arbitrary: ask('GET', one) },
    { weight: 4, arbitrary: ask('POST', fc.constant(at), sent(of)) },
    { weight: 4, arbitrary: ask('PUT', one, sent(of)) },
    { weight: 2, arbitrary: ask('DELETE', one) },
    ask('GET', fc.oneof(below('ancestors'), below('subtree'))),
    ask('POST', below('restore')),
    ask('DELETE', below('purge')),
    ask('POST', below('move'), fc.record({ parent_id: fc.option(anyId('shop')) })),
    ask('PUT', fc.constant('/api/v1/admin/cms/shops/reorder'), items),
    ask('GET', fc.constantFrom('/api/v1/cms/desk', '/api/v1/admin/users', '/api/v1/admin/cms/desks')),
    ask('PUT', fc.constant('/api/v1/cms/desk'), fc.record({ motto: word })),
  );
});

class World {
  readonly service: TestService;
  readonly #made: string[] = [];
  #sent = 0;

  static async open(records: readonly Planted[], others: boolean, cacheSeconds: number): Promise<World> {
    const service = await TestService.open(definitions, { cacheSeconds });
    await service.account('ann', 'member', 'acme');
    await service.account('eda', 'editor', 'acme');
    if (others) await service.account('bea', 'admin', 'bolt');
    await plant(service, records);
    const world = new World(service);
    if (others) await world.#moreOfOthers();
    return world;
  }

  private constructor(service: TestService) {
    this.service = service;
  }

  /** What is kept by what is there: places, and the record of a single type. */
  async #moreOfOthers(): Promise<void> {
    for (const title of ['amber', 'zinc']) {
      await this.service.send('POST /api/v1/admin/cms/shops', { as: 'bea', body: { title } });
    }
    await this.service.send('PUT /api/v1/cms/desk', { as: 'bea', body: { motto: 'bolt' } });
  }

  /** Sends a request, with the ids that records have got here. Anonymous requests are sent to the tenant. */
  async send({ method, path, as, body }: Ask): Promise<Reply> {
    this.#sent += 1;
    random.begin(this.#sent);
    const filled = (text: string) => text.replace(/\$(\d)/g, (_, place) => this.#made[Number(place)] ?? plantedId(999));
    const headers = as === undefined ? { 'Recto-Tenant': 'acme' } : {};
    const payload = body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) };
    const reply = await this.service.send(`${method} ${filled(path)}`, {
      headers,
      ...(as === undefined ? {} : { as }),
      ...payload,
    });
    if (reply.status === 201) this.#made.push(reply.json.id);
    return reply;
  }

  /** What of an answer is the same in both: ids that were given here by their number, and nothing that passes. */
  comparable({ status, text: body }: Reply): object {
    const known = new Map(this.#made.map((id, place) => [id, `<made ${place}>`]));
    const accounts = ['ann', 'eda'].map((name) => [this.service.idOf(name), `<${name}>`] as const);
    const named = new Map([...known, ...accounts]);
    const plain = body
      .replace(/"(request_id|next_cursor)":"[^"]*"/g, '"$1":""')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
      .replace(
        /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g,
        (id) => named.get(id) ?? (id.startsWith('01900000') ? id : '<desk>'),
      );
    return { status, body: plain };
  }
}

/** The random endings of slugs are the same in both worlds: those of their n-th request. */
const random = {
  place: 0,
  begin(request: number): void {
    random.place = request * 7;
  },
  fill<T extends ArrayBufferView | null>(bytes: T): T {
    if (bytes instanceof Uint8Array) for (const index of bytes.keys()) bytes[index] = random.place++ * 17;
    return bytes;
  },
};

beforeAll(() => void spyOn(crypto, 'getRandomValues').mockImplementation(random.fill));
afterAll(() => mock.restore());

const worlds = randomCases(8);
const requestsAWorld = 120;

test('what a tenant’s callers get does not depend on another tenant’s records', async () => {
  const statuses = new Map<number, number>();
  let shops = 0;
  await fc.assert(
    fc.asyncProperty(
      plantedOf('acme'),
      plantedOf('bolt'),
      fc.boolean(),
      fc.array(asks, { minLength: requestsAWorld, maxLength: requestsAWorld, size: 'max' }),
      async (own, others, othersFirst, all) => {
        // Countries come first: both lead to them.
        const [shared, rest] = [own.slice(0, 3), own.slice(3)];
        const together = othersFirst ? [...shared, ...others, ...rest] : [...own, ...others];
        const left = await World.open(together, true, 30);
        const right = await World.open(own, false, 0);
        await using _left = left.service;
        await using _right = right.service;
        for (const ask of all) {
          // What is cached for the one is not sent to the other.
          if (ask.method === 'GET') await left.service.send(`GET ${ask.path}`, { as: 'bea' });
          const [a, b] = [await left.send(ask), await right.send(ask)];
          expect({ ask, ...left.comparable(a) }).toEqual({ ask, ...right.comparable(b) });
          expect({ ask, failed: a.status >= 500 }).toEqual({ ask, failed: false });
          if (a.status === 201 && ask.path.endsWith('/shops')) shops += 1;
          statuses.set(a.status, (statuses.get(a.status) ?? 0) + 1);
        }
        // The other tenant's records are as they were.
        const { json } = await left.service.send('GET /api/v1/admin/cms/shops?deleted=with', { as: 'bea' });
        const planted = [4, 5, 6].map((at) => idOf('shop', at));
        const found: readonly string[] = json.items.map(({ id }: { id: string }) => id).toSorted();
        expect(found.slice(0, 3)).toEqual(planted);
        expect(found).toHaveLength(5);
        for (const { lock_version, deleted_at } of json.items) expect([lock_version, deleted_at]).toEqual([1, null]);
      },
    ),
    { numRuns: worlds, endOnFailure: true },
  );
  // Else it would say nothing.
  expect(shops).toBeGreaterThan(worlds);
  for (const status of [200, 201, 204, 404, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(worlds);
}, 600_000);
