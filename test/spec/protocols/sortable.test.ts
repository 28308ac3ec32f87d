// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../support/definitions.ts';
import { type Reply, TestService } from '../../support/service.ts';

// The order of lists that ask for none: places that editors set, or a field of the type.

const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const title = { name: 'title', field_type: 'text' };
const day = { name: 'day', field_type: 'date' };
const sortable = (options: object) => [{ name: 'sortable', ...options }];
const definitions = [
  {
    singular: 'step',
    plural: 'steps',
    protocols: ['sortable', 'lockable'],
    fields: [title],
    api: { ...open, list: { cache: true } },
  },
  {
    singular: 'strict',
    plural: 'stricts',
    protocols: ['sortable', { name: 'lockable', required: true }],
    fields: [title],
  },
  { singular: 'gone', plural: 'gones', protocols: ['sortable', 'soft_deletable'], fields: [title] },
  { singular: 'rising', plural: 'risings', protocols: sortable({ field: 'day' }), fields: [title, day] },
  {
    singular: 'falling',
    plural: 'fallings',
    protocols: sortable({ field: 'day', direction: 'desc' }),
    fields: [title, day],
  },
  {
    singular: 'aged',
    plural: 'ageds',
    protocols: ['timestampable', { name: 'sortable', field: 'created_at', direction: 'desc' }],
    fields: [title],
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

type JsonObject = Readonly<Record<string, unknown>>;
const list = async (plural: string, query = ''): Promise<readonly JsonObject[]> =>
  (await service.send(`GET /api/v1/cms/${plural}?${query}`)).json.items;
const titles = async (plural: string, query = '') => (await list(plural, query)).map((item) => item.title);
const reorder = (plural: string, items: unknown, as = 'eve'): Promise<Reply> =>
  service.send(`PUT /api/v1/admin/cms/${plural}/reorder`, { as, body: { items } });
const seed = async (plural: string, names: string): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const name of names) ids.push((await service.seed(plural, { title: name })).id);
  return ids;
};

test('new records come last, editors set the places, and caches end', async () => {
  const [a, b, c] = await seed('steps', 'abc');
  expect(await titles('steps')).toEqual(['a', 'b', 'c']);
  expect((await list('steps')).map(({ position }) => position)).toEqual([0, 1, 2]);
  const done = await reorder('steps', [
    { id: c, position: 0 },
    { id: a, position: 5 },
  ]);
  expect([done.status, done.json]).toEqual([200, { affected: 2 }]);
  expect(await titles('steps')).toEqual(['c', 'b', 'a']);
  expect(await titles('steps', 'sort=title:asc')).toEqual(['a', 'b', 'c']);
  expect(await titles('steps', 'sort=position:desc')).toEqual(['a', 'b', 'c']);
  expect(await titles('steps', 'position=5')).toEqual(['a']);
  await service.send('POST /api/v1/cms/steps', { body: { title: 'd', position: -1 } });
  expect((await list('steps')).map(({ title: name, position }) => [name, position])).toEqual([
    ['c', 0],
    ['b', 1],
    ['a', 5],
    ['d', 6],
  ]);
  // Equal places stand by age, and paging loses and repeats nothing.
  await reorder(
    'steps',
    [a, b, c].map((id) => ({ id, position: 9 })),
  );
  expect(await titles('steps')).toEqual(['d', 'a', 'b', 'c']);
  const paged = [1, 2, 3, 4].map((page) => titles('steps', `page_size=1&page=${page}`));
  expect((await Promise.all(paged)).flat()).toEqual(['d', 'a', 'b', 'c']);
  // What is sent in an update is ignored: places are for editors.
  const { json } = await service.send(`PUT /api/v1/cms/steps/${a}`, { body: { position: 0 } });
  expect(json.position).toBe(9);
  // A place is a part of the record: setting it is an update.
  expect(json.lock_version).toBe(4);
});

test('negative and the greatest places', async () => {
  const [x, y] = await seed('gones', 'xy');
  await reorder('gones', [
    { id: y, position: -3 },
    { id: x, position: Number.MAX_SAFE_INTEGER },
  ]);
  expect(await titles('gones')).toEqual(['y', 'x']);
  await seed('gones', 'z');
  expect(await titles('gones')).toEqual(['y', 'x', 'z']);
});

describe('a reorder that is rejected sets nothing', () => {
  const unknown = '01990000-0000-7000-8000-000000000001';
  test.each<[string, (id: string) => unknown, number, readonly string[]]>([
    [
      'an unknown id',
      (id) => [
        { id, position: 3 },
        { id: unknown, position: 1 },
      ],
      422,
      ['items[1].id unknown_record'],
    ],
    [
      'no id',
      (id) => [
        { id: 'nonsense', position: 1 },
        { id, position: 3 },
      ],
      422,
      ['items[0].id unknown_record'],
    ],
    [
      'an id twice',
      (id) => [
        { id, position: 3 },
        { id, position: 4 },
      ],
      422,
      ['items[1].id doubled'],
    ],
    ['no place', (id) => [{ id }], 422, ['items[0].position required']],
    ['half a place', (id) => [{ id, position: 1.5 }], 422, ['items[0].position wrong_type']],
    ['nothing', () => [], 422, ['items too_few']],
  ])('%s', async (_, items, status, faults) => {
    const [id = ''] = await seed('stricts', 'x');
    const before = await list('stricts');
    const reply = await reorder('stricts', items(id));
    const reported = (reply.json.errors ?? []).map((fault: JsonObject) => `${fault.field} ${fault.code}`);
    expect(reply.status).toBe(status);
    expect(reported.map((fault: string) => fault.split(' ')[0])).toEqual(faults.map((fault) => fault.split(' ')[0]));
    if (/unknown|doubled/.test(String(faults))) expect(reported).toEqual(faults);
    expect(await list('stricts')).toEqual(before);
  });
  test('a deleted record', async () => {
    const [id] = await seed('gones', 'g');
    await service.send(`DELETE /api/v1/admin/cms/gones/${id}`, { as: 'ada' });
    expect((await reorder('gones', [{ id, position: 1 }])).status).toBe(422);
  });
});

test('who may', async () => {
  const [id] = await seed('stricts', 'y');
  expect((await service.send('PUT /api/v1/admin/cms/stricts/reorder', { body: { items: [] } })).status).toBe(401);
  expect((await reorder('stricts', [{ id, position: 1 }], 'mia')).status).toBe(403);
  for (const as of ['eve', 'ada']) expect((await reorder('stricts', [{ id, position: 1 }], as)).status).toBe(200);
});

test('by a field of the type, up or down', async () => {
  for (const plural of ['risings', 'fallings']) {
    for (const [name, date] of [
      ['b', '2026-02-02'],
      ['a', '2026-01-01'],
      ['c', '2026-03-03'],
      ['b2', '2026-02-02'],
    ]) {
      await service.seed(plural, { title: name, day: date });
    }
  }
  expect(await titles('risings')).toEqual(['a', 'b', 'b2', 'c']);
  expect(await titles('fallings')).toEqual(['c', 'b2', 'b', 'a']);
  expect(await titles('fallings', 'sort=title:asc')).toEqual(['a', 'b', 'b2', 'c']);
  expect((await list('risings'))[0]).not.toHaveProperty('position');
  const route = await service.send('PUT /api/v1/admin/cms/risings/reorder', { as: 'ada', body: { items: [] } });
  expect(route.status).toBe(404);
});

test('by the column of another protocol', async () => {
  await seed('ageds', 'a');
  await Bun.sleep(2);
  await seed('ageds', 'b');
  expect(await titles('ageds')).toEqual(['b', 'a']);
});

test.each([
  [{ protocols: sortable({ direction: 'desc' }) }, /a direction is for an order by a field/],
  [{ protocols: sortable({ field: 'day', direction: 'down' }) }, /direction/],
  [{ protocols: sortable({ field: 'dy' }) }, /no field "dy" to sort by/],
  [{ protocols: sortable({ field: 1 }) }, /string|text/],
  [{ protocols: sortable({ field: 'hidden' }) }, /the private field "hidden"/],
  [{ protocols: sortable({ field: 'word' }) }, /the private field "word"/],
  [{ protocols: sortable({ field: 'data' }) }, /json, which has no order/],
  [{ protocols: sortable({ field: 'to' }) }, /relation, which has no order/],
  [{ protocols: sortable({ field: 'day' }), api: { list: { fields: ['data'] } } }, /would show what it holds/],
  [{ protocols: ['sortable'], api: { list: { fields: ['day'] } } }, /add "position"/],
  [{ kind: 'single', protocols: ['sortable'] }, /for a type that is a collection/],
  [{ protocols: ['sortable'], fields: [{ name: 'position', field_type: 'text' }] }, /the name "position" is taken/],
])('a definition with %j is refused', (more, message) => {
  const fields = [
    day,
    { name: 'hidden', field_type: 'text', private: true },
    { name: 'word', field_type: 'password' },
    { name: 'data', field_type: 'json' },
    { name: 'to', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'as' } },
  ];
  expect(() => definitionsOf({ singular: 'a', plural: 'as', fields, ...more })).toThrow(message);
});
