// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Where roles of other systems showed or refused what they should not have. Each test is a report that users wrote about one of them.

const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const closed = { list: { access: 'none' }, get: { access: 'none' } };

const definitions = [
  {
    singular: 'vendor',
    plural: 'vendors',
    fields: [
      text('name'),
      text('company'),
      text('contract', { private: true }),
      relation('products', 'one_to_many', 'products', { mapped_by: 'vendor' }),
    ],
    api: closed,
  },
  {
    singular: 'product',
    plural: 'products',
    protocols: [
      'ownable',
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['draft', 'published'], default: 'draft', published: 'published' },
    ],
    fields: [
      text('title', { required: true }),
      text('region'),
      text('folder'),
      { name: 'listed', field_type: 'boolean' },
      relation('vendor', 'many_to_one', 'vendors'),
      relation('vendors', 'many_to_many', 'vendors'),
    ],
    api: { list: { filter: 'status = "published"' }, get: { filter: 'status = "published"' } },
  },
];

const every = { list: true, get: true, create: true, update: true, delete: true, publish: true };

const roles = [
  {
    // One company's people: they see its vendors, and products of these.
    name: 'company_a',
    types: {
      vendor: { list: 'company = "a"', get: 'company = "a"' },
      product: { ...every, list: 'vendor.company = "a"', get: 'vendor.company = "a"', update: 'vendor.company = "a"' },
    },
  },
  { name: 'open', types: { product: every } },
  { name: 'none', types: {} },
  // The rule reads a field that the role does not.
  {
    name: 'listed_only',
    types: {
      product: {
        ...{ list: 'listed = true', get: 'listed = true', update: 'listed = true' },
        read: { except: ['listed'] },
      },
    },
  },
  // The rule reads who wrote a record, and the role sees other people's records whole.
  { name: 'team', types: { product: { list: true, get: true, update: 'created_by = @request.auth.id' } } },
  { name: 'folders', types: { product: { ...every, create: 'folder = "public"' } } },
];

const base = '/api/v1/admin/cms';

let service: TestService;
let vendorA: string;
let vendorB: string;
let productA: string;
let productB: string;

beforeAll(async () => {
  service = await TestService.open(definitions, { roles });
  for (const { name } of roles) await service.account(name, name);
  await service.account('open2', 'open');
  await service.account('none2', 'none');
  await service.account('ada', 'admin');
  const made = async (plural: string, body: Readonly<Record<string, unknown>>): Promise<string> =>
    (await service.seed(plural, body)).id;
  vendorA = await made('vendors', { name: 'Aalto', company: 'a', contract: 'hidden terms' });
  vendorB = await made('vendors', { name: 'Bauer', company: 'b', contract: 'hidden terms' });
  productA = await made('products', { title: 'Lamp', vendor: vendorA, vendors: [vendorA, vendorB], listed: true });
  productB = await made('products', { title: 'Bowl', vendor: vendorB, vendors: [vendorB], listed: false });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const get = (path: string, as: string) => service.send(`GET ${base}/${path}`, { as });
const titles = (json: { items: readonly { title: string }[] }) => json.items.map(({ title }) => title).sort();

describe('related records (strapi/strapi#14226, #18900, #20474)', () => {
  test('a picker of related records lists those that the role lists', async () => {
    const { json } = await get('vendors?search=bauer', 'company_a');
    expect(json.total).toBe(0);
    expect((await get('vendors', 'company_a')).json.items.map(({ id }: { id: string }) => id)).toEqual([vendorA]);
  });

  test('a record that includes others includes those that the role gets', async () => {
    const { json, text: body } = await get(`products/${productA}?include=vendor,vendors`, 'company_a');
    expect(json.vendor.name).toBe('Aalto');
    expect(json.vendors.map(({ name }: { name: string }) => name)).toEqual(['Aalto']);
    expect(body).not.toContain('Bauer');
    expect(body).not.toContain('hidden terms');
  });

  test('a filter through a relation finds nothing behind a hidden record', async () => {
    for (const filter of ['vendors.name ?= "Bauer"', 'vendors.company ?= "b"']) {
      const { json } = await get(`products?filter=${encodeURIComponent(filter)}`, 'company_a');
      expect({ filter, total: json.total }).toEqual({ filter, total: 0 });
    }
  });

  test('the other company sees none of them', async () => {
    expect((await get(`vendors/${vendorB}`, 'company_a')).status).toBe(404);
    expect((await get(`products/${productB}`, 'company_a')).status).toBe(404);
    expect((await get(`products?include=vendor`, 'open')).text).not.toContain('Bauer');
  });
});

describe('conditions on related records (strapi/strapi#17622)', () => {
  test('what the list shows, opens and can be changed', async () => {
    const { json } = await get('products', 'company_a');
    expect(titles(json)).toEqual(['Lamp']);
    for (const { id } of json.items) {
      expect((await get(`products/${id}`, 'company_a')).status).toBe(200);
      const changed = await service.send(`PUT ${base}/products/${id}`, { as: 'company_a', body: { region: 'north' } });
      expect(changed.status).toBe(200);
    }
  });
});

describe('records of other people (strapi/strapi#10010)', () => {
  test('are in the list with the same values as alone', async () => {
    const { json } = await get('products', 'team');
    expect(json.items.length).toBe(2);
    for (const item of json.items) expect((await get(`products/${item.id}`, 'team')).json).toEqual(item);
    for (const item of json.items) expect(item.title).toBeString();
    const change = await service.send(`PUT ${base}/products/${productA}`, { as: 'team', body: { region: 'x' } });
    expect({ status: change.status, code: change.json.code }).toEqual({ status: 403, code: 'rule_refused' });
  });
});

describe('two accounts (directus/directus#22935)', () => {
  test('get what their own role grants, whoever has asked before', async () => {
    for (const [as, status] of [
      ['open', 200],
      ['none', 403],
      ['open2', 200],
      ['none2', 403],
      ['company_a', 200],
      ['none', 403],
    ] as const) {
      expect({ as, status: (await get('products', as)).status }).toEqual({ as, status });
    }
    expect(titles((await get('products', 'open')).json)).toEqual(['Bowl', 'Lamp']);
    expect(titles((await get('products', 'company_a')).json)).toEqual(['Lamp']);
  });
});

describe('rules for everybody (directus/directus#25864, #24995)', () => {
  test('do not narrow what a role may do, nor widen it', async () => {
    // The public endpoints show published records alone; the role works with drafts.
    expect((await get(`products/${productB}`, 'open')).json.status).toBe('draft');
    const made = await service.send(`POST ${base}/products`, {
      as: 'open',
      body: { title: 'Chair', folder: 'private' },
    });
    expect(made.status).toBe(201);
    await service.send(`DELETE ${base}/products/${made.json.id}`, { as: 'open' });
    const refused = await service.send(`POST ${base}/products`, { as: 'folders', body: { title: 'Chair' } });
    expect(refused.status).toBe(403);
  });

  test('still let anonymous callers read what is public', async () => {
    const { status, json } = await service.send('GET /api/v1/cms/products');
    expect({ status, total: json.total }).toEqual({ status: 200, total: 0 });
  });
});

describe('names and ids (directus/docs#520)', () => {
  test('an account has a role by its name, and a name that is no role is refused where it is given', async () => {
    for (const role of ['company-a', 'COMPANY_A', '0', productA, '']) {
      const { status } = await service.send('POST /api/v1/admin/users', {
        as: 'ada',
        body: { email: 'new@example.com', password: 'correct horse', role },
      });
      expect({ role, status }).toEqual({ role, status: 422 });
    }
  });

  test('an account whose role is gone has no rights', async () => {
    await service.account('gone', 'gone');
    expect((await get('products', 'gone')).status).toBe(403);
    expect((await service.send('GET /api/v1/cms/products', { as: 'gone' })).status).toBe(403);
  });
});

describe('permissions (payloadcms/payload#17928)', () => {
  test('say "some" where a rule decides, never "all"', async () => {
    const { json } = await service.send('GET /api/v1/auth/me/permissions', { as: 'company_a' });
    expect(json.types.product).toMatchObject({ list: 'some', get: 'some', create: 'all', update: 'some' });
    expect(json.types.vendor).toMatchObject({ list: 'some', get: 'some', create: 'none', delete: 'none' });
  });
});

describe('permissions of many types (payloadcms/payload PR#14631)', () => {
  test('take no statement of their own, and lists none for each type', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      singular: `type_${index}`,
      plural: `types_${index}`,
      fields: [text('name'), text('owner')],
      api: closed,
    }));
    const own = 'owner = @request.auth.id';
    const role = { name: 'ruled', types: { '*': { list: own, get: own, update: own } } };
    const costs = async (definitions: readonly unknown[]): Promise<readonly number[]> => {
      let statements = 0;
      const observe = () => {
        statements += 1;
      };
      await using service = await TestService.open(definitions, { roles: [role], database: { observe } });
      await service.account('ruth', 'ruled');
      const cost = async (path: string): Promise<number> => {
        const costs: number[] = [];
        for (let time = 0; time < 10; time += 1) {
          statements = 0;
          expect((await service.send(`GET ${path}`, { as: 'ruth' })).status).toBe(200);
          costs.push(statements);
        }
        // Plans are made, and the caller is known; now and then a request also asks whether others have changed something.
        return Math.min(...costs);
      };
      return [await cost('/api/v1/auth/me/permissions'), await cost(`${base}/types_0?may=true`)];
    };
    expect(await costs(many)).toEqual(await costs(many.slice(0, 1)));
  });
});

describe('rules on fields that the role does not read (payloadcms/payload#6515, #2592)', () => {
  test('hold in lists, totals, records, drafts, searches and aggregates', async () => {
    const { json, text: body } = await get('products', 'listed_only');
    expect(titles(json)).toEqual(['Lamp']);
    expect(json.total).toBe(1);
    expect(body).not.toContain('listed"');
    expect((await get(`products/${productA}`, 'listed_only')).status).toBe(200);
    expect((await get(`products/${productB}`, 'listed_only')).status).toBe(404);
    expect((await get('products?search=bowl', 'listed_only')).json.total).toBe(0);
    expect((await get('products/aggregate?count=true', 'listed_only')).json.items).toEqual([{ count: 1 }]);
    expect((await get('products?filter=listed%20%3D%20false', 'listed_only')).status).toBe(400);
    const changed = await service.send(`PUT ${base}/products/${productA}`, {
      as: 'listed_only',
      body: { region: 'y' },
    });
    expect(changed.status).toBe(200);
    expect(changed.text).not.toContain('listed"');
  });
});
