// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Any-of comparisons in rules: a rule about a new record says what it says of the same record when it is stored.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});

const rules = [
  'topics ?= @request.auth.id',
  'topics.name ?= "red"',
  'topics.name ?!= "red"',
  'topics.name ?= null',
  'topics.name ?~ "%e%"',
  'topics.name ?!~ "%e%"',
  'topics.name:lower ?= "blue"',
  'topics.name:length ?> 3',
  'topics.weight ?> 1',
  '2 ?<= topics.weight',
  'topics.weight ?!= topics:length',
  'topics.weight ?= views',
  'topics.name ?= title',
  'topics.name ?~ title',
  'title ?~ topics.name',
  'topics.name ?!= data.color',
  'topics.price ?>= price',
  'topics.big ?= big',
  'topics.keeper ?= keeper',
  'topics.keeper.name ?= "Ines"',
  'topics.keeper.name ?= null',
  'topics.keeper.topics:length ?> 1',
  'topics.keeper.topics.name ?= "Blue"',
  'topics.data.tags ?= "a"',
  'topics.data.tags ?!= "a"',
  'keeper.topics ?!= "01900000-0000-7000-8000-000000000000"',
  'keeper.topics.name ?= "red"',
  'keeper.topics.name ?!= "red"',
  'keeper.topics.name ?= title',
  'keeper.topics.weight ?< topics:length',
  'keeper.topics.data.tags ?~ "%"',
  'keeper.data.tags ?= title',
  'notes.title ?= "x"',
  'data.tags ?= "a"',
  'data.tags ?!= "a"',
  'data.tags ?!= 1',
  'data.items.sku ?= "s1"',
  'data.tags ?= title',
  'facts.label ?= "red"',
  'facts.label ?!= title',
  'facts.amount ?>= views',
  'facts.tags ?= "a"',
  'facts.notes.body ?~ "%e%"',
  'facts.notes.block ?= "note"',
  'facts.link.url:lower ?= "x"',
  'marks ?!= "a"',
  'topics.facts.label ?= "red"',
  'keeper.facts.label ?!= "red"',
  'keeper.topics.facts.label ?= "blue"',
  'topics.name ?= @request.query.name',
  'topics.name ?!= @request.query.name && keeper:isset',
  'topics.name ?= "red" || keeper.topics.name ?= "blue" && views > 0',
];

const facts = {
  name: 'facts',
  field_type: 'list',
  fields: [
    { name: 'label', field_type: 'text' },
    { name: 'amount', field_type: 'integer' },
    { name: 'tags', field_type: 'list', item: { field_type: 'text' } },
    { name: 'link', field_type: 'group', fields: [{ name: 'url', field_type: 'text' }] },
    {
      name: 'notes',
      field_type: 'blocks',
      blocks: ['note', 'aside'].map((name) => ({ name, fields: [{ name: 'body', field_type: 'text' }] })),
    },
  ],
};
const fields = [
  { name: 'title', field_type: 'text' },
  { name: 'views', field_type: 'integer' },
  { name: 'price', field_type: 'decimal' },
  { name: 'big', field_type: 'bigint' },
  { name: 'data', field_type: 'json' },
  facts,
  { name: 'marks', field_type: 'list', item: { field_type: 'text' } },
  relation('keeper', 'many_to_one', 'keepers'),
  relation('topics', 'many_to_many', 'topics'),
];
const definitions = [
  ...rules.map((filter, index) => ({
    singular: `piece${index}`,
    plural: `pieces${index}`,
    fields: [...fields, relation('notes', 'one_to_many', 'notes', { mapped_by: `piece${index}` })],
    api: { list: { filter }, create: { access: 'public', filter } },
  })),
  {
    singular: 'note',
    plural: 'notes',
    fields: [
      { name: 'title', field_type: 'text' },
      ...rules.map((_, index) => relation(`piece${index}`, 'many_to_one', `pieces${index}`)),
    ],
  },
  {
    singular: 'keeper',
    plural: 'keepers',
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'data', field_type: 'json' },
      facts,
      relation('topics', 'one_to_many', 'topics', { mapped_by: 'keeper' }),
    ],
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'weight', field_type: 'integer' },
      { name: 'price', field_type: 'decimal' },
      { name: 'big', field_type: 'bigint' },
      { name: 'data', field_type: 'json' },
      facts,
      relation('keeper', 'many_to_one', 'keepers'),
    ],
  },
];

let service: TestService;
const payloads: Record<string, unknown>[] = [];

beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('ada', 'admin');
  const seed = async (plural: string, body: Record<string, unknown>) => (await service.seed(plural, body)).id;
  const ines = await seed('keepers', { name: 'Ines', data: { tags: ['red', 'x'] }, facts: [{ label: 'red' }] });
  const none = await seed('keepers', { name: null, data: { tags: 'a\\b' }, facts: [{}, { label: 'blue' }] });
  const red = await seed('topics', {
    name: 'red',
    weight: 1,
    price: '1.50',
    big: '9007199254740993',
    keeper: ines,
    facts: [{ label: 'red' }],
  });
  const blue = await seed('topics', {
    name: 'Blue',
    weight: 2,
    keeper: ines,
    data: { tags: ['a', 'b'] },
    facts: [{ label: 'blue' }],
  });
  const odd = await seed('topics', { name: 'a\\b', weight: 3, data: { tags: [1, null] }, keeper: none });
  const bare = await seed('topics', { name: null });
  payloads.push(
    {},
    { topics: [] },
    { topics: [red], keeper: ines, title: 'red', views: 1, price: '1.5', data: { color: 'red', tags: ['a', 1] } },
    { topics: [blue, bare], title: 'B%', views: 2, price: '2', data: { color: 7, tags: 'a', items: [{ sku: 's1' }] } },
    { topics: [odd], keeper: none, title: 'a\\b', big: '9007199254740993', data: { tags: [null] } },
    { topics: [red, blue, odd, bare], title: '%', views: 3, big: '9007199254740993', data: { tags: [] } },
    { topics: [bare], keeper: ines, data: ['a'], price: '0' },
    { keeper: ines, title: 'Blue', views: 1, data: { items: { sku: ['s1', 's2'] } } },
    { keeper: none, title: `${'%'.repeat(10_001)}`, topics: [red] },
    { keeper: ines, title: 'a', topics: [red, blue], data: { tags: ['b', 'a'] } },
    { keeper: ines, title: 'x', topics: [blue], big: '-1', price: '-0.5' },
    { facts: [{ label: 'red', amount: 3, tags: ['a', 'b'] }, { notes: [{ block: 'aside', body: 'e' }] }], views: 3 },
    { facts: [{ label: 'blue', amount: 1, link: { url: 'X' } }], marks: ['a'], title: 'blue', views: 2 },
    { facts: [{ tags: [], notes: [{ block: 'note' }] }, { link: {} }], marks: ['a', 'b'], title: 'red', keeper: none },
    { facts: [], marks: [], title: 'red', views: 0 },
  );
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

describe('of a new record, a rule says what it says of the stored one', () => {
  test.each(rules.map((rule, index) => [rule, index] as const))('%s', async (rule, index) => {
    const plural = `pieces${index}`;
    const query = rule.includes('@request.query.name') ? '?name=red' : '';
    for (const body of payloads) {
      const stored = await service.send(`POST /api/v1/admin/cms/${plural}`, { as: 'ada', body });
      expect(stored.status).toBe(201);
      const list = await service.send(`GET /api/v1/cms/${plural}${query}`);
      const holds = list.json.items.some(({ id }: { id: string }) => id === stored.json.id);
      const sent = await service.send(`POST /api/v1/cms/${plural}${query}`, { body });
      expect({ body, status: sent.status }).toEqual({ body, status: holds ? 201 : 403 });
    }
  });

  test('and each of them holds for some records and not for others', async () => {
    const counts = await Promise.all(
      rules.map(async (_, index) => {
        const all = await service.send(`GET /api/v1/admin/cms/pieces${index}?page_size=1`, { as: 'ada' });
        const some = await service.send(`GET /api/v1/cms/pieces${index}?page_size=1&name=red`);
        const plain = await service.send(`GET /api/v1/cms/pieces${index}?page_size=1`);
        return [(some.status === 200 ? some : plain).json.total, all.json.total];
      }),
    );
    const oneSided = counts.flatMap(([some, all], index) => (some === 0 || some === all ? [rules[index]] : []));
    // The first compares with an account, the others with what no new record has.
    expect(oneSided).toEqual(['topics ?= @request.auth.id', 'notes.title ?= "x"']);
  });
});

test('members of a team see its records, and nobody else', async () => {
  const team = {
    singular: 'team',
    plural: 'teams',
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'members', field_type: 'json' },
    ],
  };
  const plan = {
    singular: 'plan',
    plural: 'plans',
    fields: [{ name: 'title', field_type: 'text' }, relation('teams', 'many_to_many', 'teams')],
    api: {
      list: { filter_auth: 'teams.members ?= @request.auth.id' },
      create: { access: 'member', filter_auth: 'teams.members ?= @request.auth.id' },
      delete: { access: 'member', filter_auth: 'teams.members ?= @request.auth.id' },
    },
  };
  await using own = await TestService.open([team, plan]);
  await own.account('ada', 'admin');
  const [mia, max] = [await own.account('mia', 'member'), await own.account('max', 'member')];
  const { id: ours } = await own.seed('teams', { name: 'ours', members: [mia, max] });
  const { id: theirs } = await own.seed('teams', { name: 'theirs', members: [max] });
  const titles = async (as?: string) => {
    const { json } = await own.send('GET /api/v1/cms/plans', as === undefined ? {} : { as });
    return [json.total, json.items.map(({ title }: { title: string }) => title).join('')];
  };
  const create = async (as: string, title: string, teams: readonly string[]) =>
    (await own.send('POST /api/v1/cms/plans', { as, body: { title, teams } })).status;
  expect(await create('mia', 'a', [ours])).toBe(201);
  expect(await create('mia', 'b', [theirs])).toBe(403);
  expect(await create('mia', 'b', [theirs, ours])).toBe(201);
  expect(await create('mia', 'c', [])).toBe(403);
  expect(await create('max', 'c', [theirs])).toBe(201);
  expect([await titles('mia'), await titles('max'), await titles()]).toEqual([
    [2, 'ab'],
    [3, 'abc'],
    [0, ''],
  ]);
  await own.send(`PUT /api/v1/admin/cms/teams/${ours}`, { as: 'ada', body: { members: [max] } });
  expect([await titles('mia'), await titles('max')]).toEqual([
    [0, ''],
    [3, 'abc'],
  ]);
});

test("a rule about a new record does not see another tenant's records", async () => {
  const rule = { create: { access: 'member', filter_auth: 'tags.name ?= "x" || tag.marks ?= "x"' } };
  await using tenants = await TestService.open([
    {
      singular: 'tag',
      plural: 'tags',
      protocols: ['tenantable'],
      fields: [
        { name: 'name', field_type: 'text' },
        { name: 'marks', field_type: 'json' },
      ],
    },
    {
      singular: 'piece',
      plural: 'pieces',
      protocols: ['tenantable'],
      fields: [relation('tags', 'many_to_many', 'tags'), relation('tag', 'many_to_one', 'tags')],
      api: rule,
    },
  ]);
  await tenants.account('ada', 'admin');
  await tenants.account('mia', 'member', 'acme');
  const tag = async (tenant: string) => {
    const sent = { as: 'ada', body: { name: 'x', marks: ['x'] }, headers: { 'Recto-Tenant': tenant } };
    return (await tenants.send('POST /api/v1/admin/cms/tags', sent)).json.id;
  };
  const [mine, other] = [await tag('acme'), await tag('bolt')];
  const create = async (body: object) => {
    const { status, json } = await tenants.send('POST /api/v1/cms/pieces', { as: 'mia', body });
    return [status, json.code];
  };
  for (const payload of [(id: string) => ({ tags: [id] }), (id: string) => ({ tag: id })]) {
    expect(await create(payload(mine))).toEqual([201, undefined]);
    expect(await create(payload(other))).toEqual([403, 'rule_refused']);
    expect(await create(payload(Bun.randomUUIDv7()))).toEqual([403, 'rule_refused']);
  }
});
