// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// An aggregate is what one computes from the items of the list that the same caller gets with the same filters.

type Json = Reply['json'];

const shop = { singular: 'shop', plural: 'shops', fields: [{ name: 'name', field_type: 'text' }] };
const sale = {
  singular: 'sale',
  plural: 'sales',
  protocols: ['tenantable', 'soft_deletable', 'statusable'],
  fields: [
    { name: 'note', field_type: 'text' },
    { name: 'views', field_type: 'integer' },
    { name: 'big', field_type: 'bigint' },
    { name: 'price', field_type: 'decimal' },
    { name: 'weight', field_type: 'float' },
    { name: 'flag', field_type: 'boolean' },
    { name: 'at', field_type: 'datetime' },
    { name: 'day', field_type: 'date' },
    { name: 'hour', field_type: 'time' },
    { name: 'shop', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'shops' } },
    { name: 'sellers', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'shops' } },
    { name: 'owner', field_type: 'text' },
  ],
  api: {
    list: {
      filter: 'status = "published" || (flag = true && views = 1)',
      filter_auth: 'owner = @request.auth.id',
      cache: true,
    },
  },
};

const edges = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-10-25T00:59:59.999Z',
  '2026-10-25T01:00:00Z',
];
const instant = fc.oneof(
  fc.constantFrom(...edges, '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z', '1950-06-01T22:30:00.000Z'),
  fc
    .integer({ min: Date.parse('2025-12-20T00:00:00Z'), max: Date.parse('2027-01-10T00:00:00Z') })
    .map((at) => new Date(at).toISOString()),
);
const digits = (most: number) =>
  fc.stringMatching(/^[0-9]{1,60}$/).map((text) => text.slice(0, most).replace(/^0+(?=.)/, ''));
const decimal = fc
  .tuple(fc.constantFrom('', '-'), digits(60), fc.option(fc.stringMatching(/^[0-9]{1,40}$/)))
  .map(([sign, before, after]) => `${sign}${before}${after === null ? '' : `.${after}`}`);

const values = fc.record({
  note: fc.option(fc.constantFrom('x', 'Y', 'é', 'one two')),
  views: fc.option(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.maxSafeInteger())),
  big: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  price: fc.option(fc.oneof(fc.constantFrom('1.5', '-1.5', '0.1', '0.2'), decimal)),
  weight: fc.option(fc.constantFrom(0.5, 0.1, 0.2, 1000.25)),
  flag: fc.option(fc.boolean()),
  at: fc.option(instant),
  day: fc.option(instant.map((text) => text.slice(0, 10))),
  hour: fc.option(fc.constantFrom('10:00:00', '10:00:00.250', '23:59:59')),
  shop: fc.option(fc.nat(2)),
  sellers: fc.uniqueArray(fc.nat(2)),
  own: fc.boolean(),
  status: fc.constantFrom('draft', 'published', 'published', 'archived'),
  tenant_id: fc.constantFrom(null, null, 'acme'),
  deleted: fc.integer({ min: 0, max: 6 }).map((number) => number === 0),
});

let service: TestService;

beforeAll(async () => {
  service = await TestService.open([shop, sale]);
  await service.account('admin', 'admin');
  const reader = await service.account('reader');
  const shops = await Promise.all(['a', 'b', 'c'].map((name) => service.seed('shops', { name })));
  for (const { own, deleted, shop: at, sellers, ...body } of fc.sample(values, { numRuns: 90 })) {
    const made = await service.send('POST /api/v1/admin/cms/sales', {
      as: 'admin',
      body: {
        ...body,
        owner: own ? reader : null,
        shop: at === null ? null : shops[at].id,
        sellers: sellers.map((each) => shops[each].id),
      },
    });
    if (made.status !== 201) throw new Error(made.text);
    if (deleted) await service.send(`DELETE /api/v1/admin/cms/sales/${made.json.id}`, { as: 'admin' });
  }
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

/** The calendar of a place, by the runtime's own formatting of each time. */
function local(at: string, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return format.format(new Date(at)).replace(' ', 'T');
}

/** The ISO week of a day, counted in days from the week of 4 January. */
function isoWeek(day: string): string {
  const mondayOf = (time: number): number => time - ((new Date(time).getUTCDay() + 6) % 7) * 86_400_000;
  const monday = mondayOf(Date.parse(day));
  const first = (year: number): number => mondayOf(Date.UTC(year, 0, 4));
  let year = Number(day.slice(0, 4)) + 1;
  while (first(year) > monday) year -= 1;
  return `${year}-W${String((monday - first(year)) / (7 * 86_400_000) + 1).padStart(2, '0')}`;
}

const lengths: Readonly<Record<string, number>> = { year: 4, month: 7, day: 10, hour: 13 };

function keyOf(record: Json, key: string): Json {
  const [, name = '', unit, zone] = /^([^:]+)(?::([^@]+)(?:@(.+))?)?$/.exec(key) ?? [];
  const value = record[name];
  if (value === null || unit === undefined) return value;
  const shown = zone === undefined ? value : local(value, zone);
  return unit === 'week' ? isoWeek(shown.slice(0, 10)) : shown.slice(0, lengths[unit]);
}

/** Numbers × 10^40, exactly. */
const unitsOf = (value: Json): bigint => {
  const [whole = '', after = ''] = String(value).split('.');
  return BigInt(`${whole}${after.padEnd(40, '0')}`);
};

const plain = (units: bigint, scale: number): string => {
  const text = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const shown = `${text.slice(0, -scale)}.${text.slice(-scale)}`.replace(/\.?0+$/, '');
  return `${units < 0n ? '-' : ''}${shown}`;
};

function compute(of: string, name: string, records: readonly Json[]): Json {
  const all = records.map((record) => record[name]).filter((value) => value !== null);
  if (all.length === 0) return null;
  if (of === 'min' || of === 'max') {
    const less = (a: Json, b: Json): boolean =>
      name === 'price' || name === 'big' || name === 'views' ? unitsOf(a) < unitsOf(b) : a < b;
    return all.reduce((found, value) => (less(value, found) === (of === 'min') && value !== found ? value : found));
  }
  if (name === 'weight') {
    const sum = all.reduce((total, value) => total + value, 0);
    return of === 'sum' ? sum : sum / all.length;
  }
  const sum = all.reduce((total, value) => total + unitsOf(value), 0n);
  const isText = name !== 'views';
  if (of === 'sum') return isText ? plain(sum, 40) : Number(plain(sum, 40));
  // Half away from zero, to 20 digits.
  const divisor = BigInt(all.length) * 10n ** 20n;
  const size = sum < 0n ? -sum : sum;
  const rounded = (2n * size + divisor) / (2n * divisor);
  const text = plain(sum < 0n ? -rounded : rounded, 20);
  return isText ? text : Number(text);
}

const keys = [
  ...['status', 'note', 'flag', 'views', 'day', 'shop', 'hour', 'price', 'big', 'weight', 'id', 'tenant_id', 'sellers'],
  ...['day:year', 'day:month', 'day:week', 'day:day', 'at', 'at:year', 'at:month', 'at:week', 'at:day', 'at:hour'],
  ...['at:month@Europe/Lisbon', 'at:day@America/New_York', 'at:week@Asia/Kolkata', 'at:hour@Europe/Lisbon'],
  ...['at:year@Pacific/Apia', 'at:hour@Australia/Lord_Howe', 'at:day@UTC'],
];
const computed = ['views', 'big', 'price', 'weight'].flatMap((name) =>
  ['sum', 'avg', 'min', 'max'].map((of) => [of, name]),
);
const extremes = ['note', 'at', 'day', 'hour'].flatMap((name) => ['min', 'max'].map((of) => [of, name]));

const filters = [
  ...['', 'filter=views>0', 'flag=true', 'search=two', 'status=published', 'filter=shop.name!="a"&flag=false'],
  'filter=at>="2026-06-01"||price=null',
].map((text) => text.replace(/[>"|]/g, encodeURIComponent));

/** Floats are added up in whatever order. */
const rough = (of: string, value: Json): Json =>
  typeof value === 'number' && of !== '' ? Number(value.toPrecision(12)) : value;

test('aggregates are what the items of the list give', async () => {
  const asker = fc.constantFrom(
    { path: '/api/v1/cms/sales', tenant: null },
    { path: '/api/v1/cms/sales', as: 'reader', tenant: null },
    { path: '/api/v1/cms/sales', tenant: 'acme' },
    { path: '/api/v1/admin/cms/sales', as: 'admin', tenant: null },
    { path: '/api/v1/admin/cms/sales', as: 'admin', tenant: 'acme', more: 'deleted=with' },
  );
  let groups = 0;
  await fc.assert(
    fc.asyncProperty(
      asker,
      fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 3 }),
      fc.uniqueArray(fc.constantFrom(...computed, ...extremes), { maxLength: 4, selector: (one) => one.join() }),
      fc.constantFrom(...filters),
      async ({ path, as, tenant, more = '' }, group, wanted, filter) => {
        const sent = {
          ...(as === undefined ? {} : { as }),
          headers: tenant === null ? {} : { 'Recto-Tenant': tenant },
        };
        const conditions = [filter, more].filter((text) => text !== '').join('&');
        const list = await service.send(`GET ${path}?page_size=100&${conditions}`, sent);
        const parameters = [
          conditions,
          'count=true',
          ...(group.length === 0 ? [] : [`group=${group.join(',')}`]),
          ...['sum', 'avg', 'min', 'max'].flatMap((of) => {
            const names = wanted.flatMap(([each, name]) => (each === of ? [name] : []));
            return names.length === 0 ? [] : [`${of}=${names.join(',')}`];
          }),
        ];
        const got = await service.send(
          `GET ${path}/aggregate?${parameters.filter((text) => text !== '').join('&')}`,
          sent,
        );
        expect([list.status, got.status], got.text).toEqual([200, 200]);
        expect(list.json.items.length).toBe(list.json.total);
        // With a relation to many, a record is in the group of each of its ids.
        const all: Json[] = list.json.items.flatMap((record: Json) =>
          !group.includes('sellers')
            ? [record]
            : record.sellers.length === 0
              ? [{ ...record, sellers: null }]
              : record.sellers.map((id: string) => ({ ...record, sellers: id })),
        );
        const byKeys = Map.groupBy(all, (record: Json) => JSON.stringify(group.map((key) => keyOf(record, key))));
        if (group.length === 0 && byKeys.size === 0) byKeys.set('[]', []);
        const expected = [...byKeys].map(([text, records]) => ({
          keys: JSON.parse(text),
          count: records.length,
          values: wanted.map(([of = '', name = '']) => rough(name === 'weight' ? of : '', compute(of, name, records))),
        }));
        const items = got.json.items.map((item: Json) => ({
          keys: group.map((key) => item[key]),
          count: item.count,
          values: wanted.map(([of = '', name = '']) => rough(name === 'weight' ? of : '', item[of][name])),
        }));
        const byText = (a: Json, b: Json) => (JSON.stringify(a.keys) < JSON.stringify(b.keys) ? -1 : 1);
        expect(items.toSorted(byText)).toEqual(expected.toSorted(byText));
        expect(got.json.truncated).toBe(false);
        groups += items.length;
      },
    ),
    { numRuns: randomCases(250) },
  );
  expect(groups).toBeGreaterThan(250);
}, 600_000);
