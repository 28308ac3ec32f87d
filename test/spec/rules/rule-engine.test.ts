// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Sent, TestService } from '../../support/service.ts';

// Service specification, section 5.3: every operator, variable and special syntax, each through whole requests.

/** A rule, and the names of the records for which it holds: for an anonymous caller, and for the member `mia` where that differs. */
type RuleRow = readonly [rule: string, visitor: string, member?: string];
const all = 'a b c d';

const operators: readonly RuleRow[] = [
  ['title = "Alpha"', 'a'],
  ["title = 'Alpha'", 'a'],
  ['"Alpha" = title', 'a'],
  ['title = "alpha"', ''],
  [String.raw`title = "say \"hi\" \\"`, ''],
  ['title != "Alpha"', 'b c d'],
  ['title > "Beta"', 'b'],
  ['title >= "Alpha"', 'a b'],
  ['title < "B"', 'a c'],
  ['title <= "Alpha"', 'a c'],
  ['title ~ "%A"', 'a b'],
  ['title ~ "alpha"', 'a'],
  ['title ~ "lph"', ''],
  ['title ~ "_eta"', 'b'],
  ['title ~ "50%"', 'c'],
  ['title !~ "%a"', 'c d'],
  ['views = 10', 'b'],
  ['views != 10', 'a c d'],
  ['views > 9', 'b'],
  ['views >= 9', 'b c'],
  ['views < 9', 'a'],
  ['views <= 9', 'a c'],
  ['10 > views', 'a c'],
  ['views > rating', 'a'],
  ['rating = 0.5', 'a'],
  ['price = 1.50', 'a'],
  ['price > 1.49', 'a b'],
  ['price < 0', 'c'],
  ['big > 9007199254740992', 'a'],
  ['flag = true', 'a'],
  ['flag', 'a'],
  ['flag = false', 'b'],
  ['flag != true', 'b c d'],
  ['day = "2026-01-31"', 'a'],
  ['day < "2026-02-01"', 'a'],
  ['hour >= "10:00"', 'a'],
  ['at = "2020-01-01T01:00:00+01:00"', 'a'],
  ['kind = "high"', 'b c'],
  ['title ~ "%a" && views > 1', 'b'],
  ['views = 1 || views = 9', 'a c'],
  ['views = 1 || views = 10 && kind = "low"', 'a'],
  ['(views = 1 || views = 10) && kind = "high"', 'b'],
  ['((title = null) || ((views = 9)))', 'c d'],
];

const special: readonly RuleRow[] = [
  ['title = null', 'd'],
  ['title != null', 'a b c'],
  ['null = title', 'd'],
  ['views = null', 'd'],
  ['flag = null', 'c d'],
  ['title:isset', 'a b c'],
  ['title:isset = false', 'd'],
  ['flag:isset', 'a b'],
  ['team:isset', 'a b'],
  ['tags:isset', 'a b'],
  ['data.color:isset', 'a b'],
  ['title:length > 4', 'a c'],
  ['title:length = 0', 'd'],
  ['tags:length > 1', 'a'],
  ['tags:length > 0', 'a b'],
  ['tags:length = 0', 'c d'],
  ['data.list:length > 1', 'a'],
  ['data.list:length = 0', 'b c d'],
  ['data.color:length = 3', 'a b'],
  ['data.color = "red"', 'a'],
  ['data.color ~ "RED"', 'a b'],
  ['data.color = null', 'c d'],
  ['data.n = 5', 'a'],
  ['data.n > 4', 'a'],
  ['data.deep.ok = true', 'a'],
  ['team.label = "Red"', 'a'],
  ['team.label != "Red"', 'b c d'],
  ['team = null', 'c d'],
  ['team.size > views', 'a'],
  ['team.country.code = "fr"', 'b'],
  ['team.tags:length > 0', 'a'],
];

const variables: readonly RuleRow[] = [
  ['owner = @request.auth.id', 'b c d', 'a'],
  ['@request.auth.id != null && owner = @request.auth.id', '', 'a'],
  ['@request.auth.id = null', all, ''],
  ['@request.auth.role = "member"', '', all],
  ['@request.auth.role = "admin"', ''],
  ['@request.auth.role != "member"', all, ''],
  ['at < @now', 'a'],
  ['at > @now', 'b'],
  ['@now > "2020-01-01T00:00:00Z"', all],
  ['@request.query.absent = null', all],
  ['title = @request.query.absent', 'd'],
  ['views > @request.query.absent', ''],
];

/** `filter` and `filter_auth`; null where there is none. */
const combinations: readonly (readonly [
  filter: string | null,
  filterAuth: string | null,
  visitor: string,
  member: string,
])[] = [
  [null, null, all, all],
  ['kind = "low"', null, 'a', 'a'],
  [null, 'kind = "low"', '', 'a'],
  ['kind = "low"', 'views = 10', 'a', 'a b'],
  ['kind = "low"', 'owner = @request.auth.id', 'a', 'a'],
  ['title = "none"', 'title != "none"', '', all],
  ['title != "none"', 'title = "none"', all, all],
];

interface Case {
  readonly filter: string | null;
  readonly filterAuth: string | null;
  readonly visitor: string;
  readonly member: string;
}
const cases: readonly Case[] = [
  ...[...operators, ...special, ...variables].map(
    ([filter, visitor, member]): Case => ({ filter, filterAuth: null, visitor, member: member ?? visitor }),
  ),
  ...combinations.map(([filter, filterAuth, visitor, member]): Case => ({ filter, filterAuth, visitor, member })),
];

const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const plain = (field_type: string, name: string) => ({ name, field_type });
const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});
const recordFields = [
  text('name'),
  text('title'),
  plain('integer', 'views'),
  plain('decimal', 'price'),
  plain('float', 'rating'),
  plain('bigint', 'big'),
  plain('boolean', 'flag'),
  plain('datetime', 'at'),
  plain('date', 'day'),
  plain('time', 'hour'),
  { name: 'kind', field_type: 'enum', enum_values: ['low', 'high'] },
  plain('json', 'data'),
  text('owner'),
  relation('team', 'many_to_one', 'teams'),
  relation('tags', 'many_to_many', 'tags'),
];
const tag = { singular: 'tag', plural: 'tags', fields: [text('label')] };
const country = { singular: 'country', plural: 'countries', fields: [text('code')] };
const team = {
  singular: 'team',
  plural: 'teams',
  fields: [
    text('label'),
    plain('integer', 'size'),
    relation('country', 'many_to_one', 'countries'),
    relation('tags', 'many_to_many', 'tags'),
  ],
};

/** A type whose every endpoint is open to all and has the rules of a case. */
function typeOf({ filter, filterAuth }: Case, index: number): object {
  const rules = { ...(filter === null ? {} : { filter }), ...(filterAuth === null ? {} : { filter_auth: filterAuth }) };
  const endpoint = { access: 'public', ...rules };
  const api = { list: endpoint, get: endpoint, create: endpoint, update: endpoint, delete: endpoint };
  return { singular: `case-${index}`, plural: `case-${index}s`, fields: recordFields, api };
}

let service: TestService;
let records: readonly { readonly name: string; readonly [field: string]: unknown }[];

beforeAll(async () => {
  service = await TestService.open([tag, country, team, ...cases.map(typeOf)]);
  const mia = await service.account('mia');
  const [t1, t2] = [await service.seed('tags', { label: '1' }), await service.seed('tags', { label: '2' })];
  const france = await service.seed('countries', { code: 'fr' });
  const red = await service.seed('teams', { label: 'Red', size: 3, tags: [t2.id] });
  const blue = await service.seed('teams', { label: 'Blue', size: 5, country: france.id });
  records = [
    {
      name: 'a',
      title: 'Alpha',
      views: 1,
      price: '1.5',
      rating: 0.5,
      big: '9007199254740993',
      flag: true,
      at: '2020-01-01T00:00:00Z',
      day: '2026-01-31',
      hour: '10:00',
      kind: 'low',
      data: { color: 'red', n: 5, list: [1, 2], deep: { ok: true } },
      owner: mia,
      team: red.id,
      tags: [t1.id, t2.id],
    },
    {
      name: 'b',
      title: 'beta',
      views: 10,
      price: '10',
      rating: 10,
      big: '5',
      flag: false,
      at: '2999-01-01T00:00:00Z',
      day: '2026-02-01',
      hour: '09:59:59',
      kind: 'high',
      data: { color: 'Red', n: '5', deep: true },
      team: blue.id,
      tags: [t1.id],
    },
    { name: 'c', title: '50%_off', views: 9, price: '-2', kind: 'high', data: { color: null, list: [] }, tags: [] },
    { name: 'd' },
  ];
});
afterAll(() => service[Symbol.asyncDispose]());

const holdsFor = (names: string, name: string) => names.split(' ').includes(name);

/** Holds the outcome of all five endpoints against the names for which the rules hold. */
async function checkCase(index: number, names: string, as: Pick<Sent, 'as'>): Promise<void> {
  const plural = `case-${index}s`;
  const base = `/api/v1/cms/${plural}`;
  const made = new Map<string, string>();
  for (const record of records) made.set(record.name, (await service.seed(plural, record)).id);
  const { json } = await service.send(`GET ${base}?sort=name:asc`, as);
  const listed = json.items.map(({ name }: { name: string }) => name).join(' ');
  expect({ endpoint: 'list', names: listed, total: json.total }).toEqual({
    endpoint: 'list',
    names,
    total: names === '' ? 0 : names.split(' ').length,
  });
  for (const record of records) {
    const { name } = record;
    const [holds, path] = [holdsFor(names, name), `${base}/${made.get(name)}`];
    const statuses = {
      name,
      get: (await service.send(`GET ${path}`, as)).status,
      create: (await service.send(`POST ${base}`, { ...as, body: record })).status,
      update: (await service.send(`PUT ${path}`, { ...as, body: {} })).status,
      delete: (await service.send(`DELETE ${path}`, as)).status,
    };
    const expected = holds
      ? { get: 200, create: 201, update: 200, delete: 204 }
      : { get: 404, create: 403, update: 404, delete: 404 };
    expect(statuses).toEqual({ name, ...expected });
    await service.send(`DELETE /api/v1/admin/cms/${plural}/${made.get(name)}`, { as: 'seeding-admin' });
  }
  const left = (await service.send(`GET /api/v1/admin/cms/${plural}`, { as: 'seeding-admin' })).json.items;
  for (const { id } of left) await service.send(`DELETE /api/v1/admin/cms/${plural}/${id}`, { as: 'seeding-admin' });
}

const parts = [
  ['operators', operators.length],
  ['null, literals, :isset, :length, paths', special.length],
  ['variables', variables.length],
] as const;
let at = 0;
for (const [part, length] of parts) {
  const first = at;
  at += length;
  describe(part, () => {
    test.each(cases.slice(first, first + length).map((each, index) => [each.filter, each, first + index] as const))(
      '%s',
      async (_, { visitor, member }, index) => {
        await checkCase(index, visitor, {});
        if (member !== visitor) await checkCase(index, member, { as: 'mia' });
      },
    );
  });
}

describe('filter OR (authenticated AND filter_auth)', () => {
  const rows = cases.slice(at).map((each, index) => [each.filter, each.filterAuth, each, at + index] as const);
  test.each(rows)('filter %p, filter_auth %p', async (_, __, { visitor, member }, index) => {
    await checkCase(index, visitor, {});
    await checkCase(index, member, { as: 'mia' });
  });
});

/** A service of one type, `things`, with these endpoints. */
async function things(
  api: object,
  more: { readonly fields?: readonly object[]; readonly protocols?: readonly string[] } = {},
): Promise<TestService> {
  const fields = [...recordFields.filter(({ name }) => name !== 'team' && name !== 'tags'), ...(more.fields ?? [])];
  const opened = await TestService.open([
    { singular: 'thing', plural: 'things', protocols: more.protocols ?? [], fields, api },
    tag,
  ]);
  await opened.account('mia');
  return opened;
}

describe('update and delete: 404 for who may not get the record, else 403', () => {
  const write = { access: 'public', filter: 'views = 9' };
  const rows = [
    ['may change and get', {}, 'views = 9', [200, 204]],
    ['may change, not get', { filter: 'views = 1' }, 'views = 9', [200, 204]],
    ['may get, not change', {}, 'views = 1', [403, 403]],
    ['may neither', { filter: 'views = 2' }, 'views = 1', [404, 404]],
    ['may not get by access none', { access: 'none' }, 'views = 1', [404, 404]],
    ['may not get by access member', { access: 'member' }, 'views = 1', [404, 404]],
    ['may not get by filter_auth', { filter_auth: 'views = 1' }, 'views = 1', [404, 404]],
  ] as const;
  test.each(rows)('%s', async (_, get, record, [updated, deleted]) => {
    await using opened = await things({ get, update: write, delete: write });
    const { id } = await opened.seed('things', { views: Number(record.slice(-1)) });
    const update = await opened.send(`PUT /api/v1/cms/things/${id}`, { body: { title: 'x' } });
    const remove = await opened.send(`DELETE /api/v1/cms/things/${id}`);
    expect([update.status, remove.status]).toEqual([updated, deleted]);
    const left = await opened.send(`GET /api/v1/admin/cms/things/${id}`, { as: 'seeding-admin' });
    expect([left.status, left.json.title]).toEqual(deleted === 204 ? [404, 'Not found'] : [200, null]);
  });

  test('a rejected write is 403 for callers who may get the record, and 404 for others', async () => {
    await using opened = await things({ get: { access: 'member' }, update: write, delete: write });
    const { id } = await opened.seed('things', { views: 1 });
    for (const line of [`PUT /api/v1/cms/things/${id}`, `DELETE /api/v1/cms/things/${id}`]) {
      const body = line.startsWith('PUT') ? { body: {} } : {};
      expect((await opened.send(line, body)).status).toBe(404);
      expect((await opened.send(line, { as: 'mia', ...body })).status).toBe(403);
    }
  });

  test('403 comes before errors of the body', async () => {
    await using opened = await things({ update: write });
    const { id } = await opened.seed('things', { views: 1 });
    expect((await opened.send(`PUT /api/v1/cms/things/${id}`, { body: { views: 'x', bogus: 1 } })).status).toBe(403);
  });
});

describe('create: the rule is evaluated on the new record', () => {
  const rows: readonly (readonly [rule: string, body: object, status: number])[] = [
    ['views > 1', { views: 2 }, 201],
    ['views > 1', { views: 1 }, 403],
    ['views > 1', {}, 403],
    ['stage = "draft"', {}, 201],
    ['stage = "draft"', { stage: 'done' }, 403],
    ['@request.body.stage = null', {}, 201],
    ['@request.body.stage = null', { stage: 'draft' }, 403],
    ['@request.body.views = views', { views: 3 }, 201],
    ['@request.body.title = "x"', { title: 'x' }, 201],
    ['@request.body.title = "x"', { title: 'y' }, 403],
    ['created_by = @request.auth.id && updated_by = created_by', {}, 201],
    ['created_by = null', {}, 403],
    ['lock_version = 1', {}, 201],
    ['slug = "so-it-is"', { title: 'So it is' }, 201],
    ['__meta.color = "red"', { __meta: { color: 'red' } }, 201],
    ['__meta.color = "red"', {}, 403],
  ];
  const fields = [
    { name: 'stage', field_type: 'enum', enum_values: ['draft', 'done'], default: 'draft' },
    { name: 'slug', field_type: 'uid', target_field: 'title' },
  ];
  const named = rows.map(([rule, body, status]) => [rule, JSON.stringify(body), status, body] as const);
  test.each(named)('%s, sent %s: %i', async (filter, _, status, body) => {
    const api = { create: { filter } };
    await using opened = await things(api, { fields, protocols: ['ownable', 'lockable', 'metaable'] });
    const reply = await opened.send('POST /api/v1/cms/things', { as: 'mia', body });
    expect([reply.status, reply.json.code]).toEqual([status, status === 403 ? 'rule_refused' : undefined]);
    const { total } = (await opened.send('GET /api/v1/cms/things')).json;
    expect(total).toBe(status === 201 ? 1 : 0);
  });

  test('an error of the body comes first: the rule needs a record', async () => {
    await using opened = await things({ create: { access: 'public', filter: 'views = 1' } });
    expect((await opened.send('POST /api/v1/cms/things', { body: { views: 'x' } })).status).toBe(422);
  });
});

test('create: a caller whom the rule rejects learns nothing of other records', async () => {
  const fields = [
    { name: 'secret', field_type: 'text', private: true, unique: true },
    relation('tag', 'many_to_one', 'tags'),
  ];
  await using opened = await things({ create: { access: 'public', filter: 'views = 1' } }, { fields });
  await opened.seed('things', { secret: 'x' });
  for (const body of [{ secret: 'x' }, { secret: 'y' }, { tag: '01900000-0000-7000-8000-000000000000' }]) {
    expect((await opened.send('POST /api/v1/cms/things', { body })).status).toBe(403);
    const allowed = await opened.send('POST /api/v1/cms/things', { body: { ...body, views: 1 } });
    expect(allowed.status).toBe(body.secret === 'y' ? 201 : 422);
  }
});

describe('@request.body.* in an update: the body as sent, the record as it is', () => {
  const filter =
    'kind = "low" && (@request.body.kind = null || @request.body.kind = "low") && @request.body.views != 7';
  const rows = [
    [{ title: 'x' }, 200],
    [{ kind: 'low' }, 200],
    [{ kind: null }, 200],
    [{ kind: 'high' }, 403],
    [{ views: 7 }, 403],
    [{ views: '7' }, 422],
  ] as const;
  const named = rows.map(([body, status]) => [JSON.stringify(body), status, body] as const);
  test.each(named)('%s: %i', async (_, status, body) => {
    await using opened = await things({ update: { access: 'public', filter } });
    const { id } = await opened.seed('things', { kind: 'low' });
    expect((await opened.send(`PUT /api/v1/cms/things/${id}`, { body })).status).toBe(status);
  });
});

describe('@request.query.*: the endpoint whose rule reads a parameter takes it', () => {
  const filter =
    'title = @request.query.code || views = @request.query.v || views > @request.query.min || kind = @request.query.kind';
  let opened: TestService;
  let id = '';
  beforeAll(async () => {
    const rule = { access: 'public', filter };
    opened = await things({ list: rule, get: rule, create: rule, update: rule, delete: rule });
    ({ id } = await opened.seed('things', { title: 'x', views: 5, kind: 'low' }));
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const rows = [
    ['code=x', 1],
    ['code=y', 0],
    ['v=5', 1],
    ['v=5.0', 0],
    ['v=five', 0],
    ['min=4', 1],
    ['min=5', 0],
    ['min=', 0],
    ['code=y&min=1', 1],
    ['kind=low', 1],
    ['kind=high', 0],
    ['code=x&kind=high', 0],
  ] as const;
  test.each(rows)('%s finds %i', async (query, total) => {
    expect((await opened.send(`GET /api/v1/cms/things?${query}`)).json.total).toBe(total);
  });
  test('in every endpoint', async () => {
    const path = '/api/v1/cms/things';
    const statuses = async (query: string) => [
      (await opened.send(`GET ${path}/${id}?${query}`)).status,
      (await opened.send(`POST ${path}?${query}`, { body: { title: 'x', views: 5, kind: 'low' } })).status,
      (await opened.send(`PUT ${path}/${id}?${query}`, { body: {} })).status,
    ];
    expect(await statuses('code=x')).toEqual([200, 201, 200]);
    expect(await statuses('code=y')).toEqual([404, 403, 404]);
    expect(await statuses('code=x&other=1')).toEqual([400, 400, 400]);
    const { id: other } = await opened.seed('things', { title: 'gone', views: 5, kind: 'low' });
    expect((await opened.send(`DELETE ${path}/${other}?code=y`)).status).toBe(404);
    expect((await opened.send(`DELETE ${path}/${other}?code=gone`)).status).toBe(204);
  });
  test('admin routes take none of them', async () => {
    expect((await opened.send('GET /api/v1/admin/cms/things?code=x', { as: 'seeding-admin' })).status).toBe(400);
  });
  test('a parameter that only another endpoint reads is 400', async () => {
    await using other = await things({ get: { filter: 'title = @request.query.code' } });
    expect((await other.send('GET /api/v1/cms/things?code=x')).status).toBe(400);
  });
});

test('rules are values, never text: what would be SQL finds nothing', async () => {
  await using opened = await things({ list: { filter: 'title = @request.query.q || title ~ @request.query.q' } });
  await opened.seed('things', { title: 'x' });
  for (const q of ["' or 1=1 --", '" or ""="', "x' union select 1", '\\', '%\\', '[', 'x%y', '\u{1f642}']) {
    const reply = await opened.send(`GET /api/v1/cms/things?${new URLSearchParams({ q })}`);
    expect({ q, status: reply.status, total: reply.json.total }).toEqual({ q, status: 200, total: 0 });
  }
});
