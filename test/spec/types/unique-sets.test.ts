// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOf } from '../../support/check-files.ts';
import { runBeside } from '../../support/run-beside.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { plantedId } from '../rules/planted.ts';

// Sets of fields whose values no two records share all of: `unique` at the head of a definition.

const relation = (name: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type: 'many_to_one', target },
});
const text = (name: string) => ({ name, field_type: 'text', max_length: 100 });
const definitions = [
  { singular: 'product', plural: 'products', fields: [text('name')] },
  { singular: 'customer', plural: 'customers', fields: [text('name')] },
  {
    singular: 'review',
    plural: 'reviews',
    protocols: ['soft_deletable', 'ownable'],
    fields: [
      relation('customer', 'customers'),
      relation('product', 'products'),
      text('title'),
      { name: 'stars', field_type: 'integer' },
    ],
    unique: [
      ['customer', 'product'],
      ['title', 'stars'],
    ],
  },
  {
    singular: 'vote',
    plural: 'votes',
    protocols: ['ownable'],
    fields: [text('poll')],
    unique: [['poll', 'created_by']],
  },
  {
    singular: 'seat',
    plural: 'seats',
    protocols: ['tenantable'],
    fields: [text('row'), { name: 'number', field_type: 'integer' }],
    unique: [['row', 'number']],
  },
];

let service: TestService;
let one: string;
let two: string;
let product: string;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  for (const name of ['mia', 'tom']) await service.account(name);
  await service.account('eve', 'editor');
  await service.account('ann', 'member', 'acme');
  await service.account('bob', 'member', 'globex');
  one = (await service.seed('customers', { name: 'One' })).id;
  two = (await service.seed('customers', { name: 'Two' })).id;
});
afterAll(() => service[Symbol.asyncDispose]());

const create = (plural: string, body: object, as = 'mia') => service.send(`POST /api/v1/cms/${plural}`, { as, body });
const taken = ({ status, json }: Reply): unknown =>
  status === 422 ? json.errors.map(({ field, code }: Record<string, unknown>) => `${field} ${code}`) : status;
const newProduct = async () => {
  product = (await service.seed('products', { name: 'A product' })).id;
  return product;
};

describe('a set', () => {
  test('refuses a record that shares all of it, at each of its fields', async () => {
    const body = { customer: one, product: await newProduct() };
    expect((await create('reviews', body)).status).toBe(201);
    const refused = await create('reviews', body);
    expect(taken(refused)).toEqual(['customer taken', 'product taken']);
    expect(refused.json.errors[0].message).toBe('Another record has this customer and product already.');
    expect((await create('reviews', { ...body, customer: two })).status).toBe(201);
  });

  test('reports itself beside other errors', async () => {
    const body = { customer: one, product: await newProduct() };
    await create('reviews', body);
    const refused = await create('reviews', { ...body, stars: 'many' });
    expect(taken(refused)).toEqual(['stars wrong_type', 'customer taken', 'product taken']);
  });

  test('takes no record without one of the values for another', async () => {
    await newProduct();
    for (const body of [{ product }, { product }, { product, customer: null }, {}, {}]) {
      expect((await create('reviews', body)).status).toBe(201);
    }
  });

  test('holds for updates, whichever of its fields they set', async () => {
    await newProduct();
    await create('reviews', { customer: one, product });
    const { json: other } = await create('reviews', { customer: two, product });
    const path = `/api/v1/cms/reviews/${other.id}`;
    const change = (body: object) => service.send(`PUT ${path}`, { as: 'mia', body });
    expect(taken(await change({ customer: one }))).toEqual(['customer taken', 'product taken']);
    expect(
      taken(await service.send(`PATCH /api/v1/admin/cms/reviews/${other.id}`, { as: 'eve', body: { customer: one } })),
    ).toEqual(['customer taken', 'product taken']);
    expect((await change({ title: 'Fine' })).status).toBe(200);
    // A fetched record can be sent back whole.
    expect((await change(other)).status).toBe(200);
    expect((await change({ customer: null })).status).toBe(200);
  });

  test('counts deleted records that can be restored', async () => {
    await newProduct();
    const { json } = await create('reviews', { customer: one, product });
    await service.send(`DELETE /api/v1/admin/cms/reviews/${json.id}`, { as: 'eve' });
    expect(taken(await create('reviews', { customer: one, product }))).toEqual(['customer taken', 'product taken']);
  });

  test('is free again when what it refers to is gone', async () => {
    await newProduct();
    await create('reviews', { customer: one, product });
    const gone = product;
    await create('reviews', { customer: one, product: await newProduct() });
    expect((await service.send(`DELETE /api/v1/admin/cms/products/${gone}`, { as: 'eve' })).status).toBe(204);
    expect((await service.send(`DELETE /api/v1/admin/cms/products/${product}`, { as: 'eve' })).status).toBe(204);
  });

  test('can hold who created the record', async () => {
    expect((await create('votes', { poll: 'a' })).status).toBe(201);
    expect(taken(await create('votes', { poll: 'a' }))).toEqual(['poll taken', 'created_by taken']);
    expect((await create('votes', { poll: 'a' }, 'tom')).status).toBe(201);
  });

  test('holds within a tenant', async () => {
    const seat = { row: 'A', number: 1 };
    for (const as of ['ann', 'bob', 'mia']) {
      expect((await create('seats', seat, as)).status).toBe(201);
      expect(taken(await create('seats', seat, as))).toEqual(['row taken', 'number taken']);
    }
  });

  test('holds among concurrent writes', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => create('reviews', { title: 'Same', stars: n % 2 })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(taken(reply)).toEqual(['title taken', 'stars taken']);
    }
  });

  test('holds for an import, relations included', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recto-sets-'));
    try {
      await newProduct();
      const record = (n: number) => ({ id: plantedId(n), customer: one, product, title: null, stars: null });
      writeFileSync(join(folder, 'reviews.ndjson'), [1, 2].map((n) => JSON.stringify(record(n))).join('\n'));
      const { exitCode, err } = await runBeside(service, definitions, ['import', 'json', folder]);
      expect(exitCode).toBe(1);
      expect(err).toContain('Another record has this customer and product already');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a definition', () => {
  const type = (unique: unknown, fields: readonly unknown[] = [text('a'), text('b')]) => ({
    singular: 'thing',
    plural: 'things',
    fields,
    unique,
  });
  test.each<readonly [unknown, string, ...(readonly object[])]>([
    [[['a', 'x']], 'unique[0][1]: there is no field "x" — there are: a, b'],
    [[['a']], 'unique[0]: a set has two fields or more — write unique = true on the field itself'],
    [[[]], 'unique[0]: a set has two fields or more — name two fields or more'],
    [[['a', 'a']], 'unique[0][1]: "a" stands in the set twice — write it once'],
    [
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      'unique[1]: these fields are already such a set — write it once',
    ],
    [['a'], 'unique[0]: must be an array, not "a" — write unique = [["customer", "product"]]'],
    ['a', 'unique: must be an array, not "a" — write unique = [["customer", "product"]]'],
    [
      [['a', 'c']],
      'unique[0][1]: "c" is a json, which cannot be compared — there are: a, b',
      { name: 'c', field_type: 'json' },
    ],
    [[['a', 'c']], 'unique[0][1]: "c" is unique by itself — there are: a, b', { name: 'c', field_type: 'uid' }],
    [
      [['a', 'c']],
      'unique[0]: the text "c" is too long for an index — give the texts a max_length, together at most 600',
      { name: 'c', field_type: 'text' },
    ],
  ])('%j', async (unique, expected, ...more) => {
    const fields = [text('a'), text('b'), ...more.filter((field) => typeof field === 'object')];
    expect(await faultsOf(type(unique, fields))).toEqual([expected]);
  });
});
