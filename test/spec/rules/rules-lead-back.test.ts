// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Rules about a new record that lead back to it: what it refers to has it among its records, as it would be stored.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});

const rules = [
  'host.entries:length = 1',
  'host.entries:length < 2',
  'host.entries:isset',
  'host.entries.title ?= "red"',
  'host.entries.title ?= title',
  'host.entries.title ?= null',
  'host.entries.views ?> views',
  'host.entries ?= id',
  'host.entries.topics:length ?= 2',
  'host.entries.topics.name ?= "Red"',
  'host.entries.host.name ?= "Ines"',
  'host.entries.topic.name ?= "Red"',
  'host.entries.data.tags ?= "a"',
  'host.chief.entries:length = 0',
  'host.chief.entries.title ?= "blue"',
  'topics.entries.title ?= "red"',
  'friend.replies:length = 1',
  'friend.replies.topics.name ?= "Red"',
  'replies:length = 0',
];

const definitions = [
  ...rules.map((rule, index) => {
    const filter = rule.replaceAll('.entries', `.entries${index}`);
    const plural = `entries${index}`;
    return {
      singular: `entry${index}`,
      plural,
      fields: [
        { name: 'title', field_type: 'text' },
        { name: 'views', field_type: 'integer' },
        { name: 'data', field_type: 'json' },
        relation('host', 'many_to_one', 'hosts'),
        relation('topics', 'many_to_many', 'topics'),
        relation('topic', 'many_to_one', 'topics'),
        relation('friend', 'many_to_one', plural),
        relation('replies', 'one_to_many', plural, { mapped_by: 'friend' }),
      ],
      api: { list: { filter }, create: { access: 'public', filter } },
    };
  }),
  {
    singular: 'host',
    plural: 'hosts',
    fields: [
      { name: 'name', field_type: 'text' },
      relation('chief', 'many_to_one', 'hosts'),
      ...rules.map((_, index) => relation(`entries${index}`, 'one_to_many', `entries${index}`, { mapped_by: 'host' })),
    ],
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [
      { name: 'name', field_type: 'text' },
      ...rules.map((_, index) => relation(`entries${index}`, 'one_to_many', `entries${index}`, { mapped_by: 'topic' })),
    ],
  },
];

let service: TestService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('ada', 'admin');
  const seed = async (name: string, plural: string, body: object) => {
    ids[name] = (await service.seed(plural, { name, ...body })).id;
  };
  await seed('Red', 'topics', {});
  await seed('Blue', 'topics', {});
  await seed('Ines', 'hosts', {});
  await seed('Max', 'hosts', { chief: ids.Ines });
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

test.each(rules.map((rule, index) => [rule, index] as const))('%s', async (_rule, index) => {
  const plural = `entries${index}`;
  const create = (path: string, body: object) =>
    service.send(`POST /api/v1/${path}/${plural}`, { body, ...(path === 'cms' ? {} : { as: 'ada' }) });
  const remove = (id: string) => service.send(`DELETE /api/v1/admin/cms/${plural}/${id}`, { as: 'ada' });
  const { json: friend } = await create('admin/cms', { title: 'blue', views: 9, host: ids.Ines });
  const payloads = [
    {},
    { host: ids.Ines },
    { host: ids.Max },
    { host: ids.Max, title: 'red', views: 9, topics: [ids.Red, ids.Blue], data: { tags: ['a'] }, friend: friend.id },
    { host: ids.Ines, title: 'red', views: 1, topics: [ids.Red], topic: ids.Red, friend: friend.id },
    { title: 'red', topic: ids.Red, topics: [ids.Blue, ids.Red] },
  ];
  const outcomes = new Set<boolean>();
  for (const body of payloads) {
    const { json: stored } = await create('admin/cms', body);
    const list = await service.send(`GET /api/v1/cms/${plural}?page_size=100`);
    const holds = list.json.items.some(({ id }: { id: string }) => id === stored.id);
    await remove(stored.id);
    const sent = await create('cms', body);
    expect({ body, status: sent.status }).toEqual({ body, status: holds ? 201 : 403 });
    if (sent.status === 201) await remove(sent.json.id);
    outcomes.add(holds);
  }
  // The last rule holds for each of them: nothing refers to a new record.
  expect(outcomes.size).toBe(index === rules.length - 1 ? 1 : 2);
});

test('a record of another tenant does not lead back, so that nothing shows that it is there', async () => {
  const protocols = ['tenantable'];
  await using tenants = await TestService.open([
    {
      singular: 'entry',
      plural: 'entries',
      protocols,
      fields: [relation('host', 'many_to_one', 'hosts')],
      api: { create: { access: 'public', filter: 'host.entries:length = 1 || host.entries ?= id' } },
    },
    {
      singular: 'host',
      plural: 'hosts',
      protocols,
      fields: [relation('entries', 'one_to_many', 'entries', { mapped_by: 'host' })],
    },
  ]);
  const { id: theirs } = await tenants.seed('hosts', { tenant_id: 'acme' });
  const create = async (tenant: string, host: string) => {
    const headers = { 'Recto-Tenant': tenant };
    return (await tenants.send('POST /api/v1/cms/entries', { headers, body: { host } })).status;
  };
  expect(await create('bolt', theirs)).toBe(403);
  expect(await create('bolt', '01900000-0000-7000-8000-000000000000')).toBe(403);
  expect(await create('acme', theirs)).toBe(201);
});
