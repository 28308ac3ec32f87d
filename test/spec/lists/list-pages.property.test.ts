// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// A list is read by statements that fit the indexes of its type: parts of a rule, runs behind a cursor. Here it is
// held against the plainest way to list: look at each record, sort, cut.

type Json = Reply['json'];

interface Asker {
  readonly as: 'reader' | null;
  readonly tenant: 'acme' | null;
  /** `@request.query.want` */
  readonly want: string | null;
}

type Rule = (record: Json, asker: Asker) => boolean;
interface RuledType {
  readonly filter: string;
  readonly lets: Rule;
  readonly filterAuth?: string;
  readonly letsReader?: Rule;
}

/** Rules of one alternative and of several, of which some hold for the same records, for nulls, or for none. */
const rules: readonly RuledType[] = [
  { filter: 'code = "x" || size = 1', lets: ({ code, size }) => code === 'x' || size === 1 },
  { filter: 'code = "x" || code = "x" && size = 1', lets: ({ code }) => code === 'x' },
  {
    filter: 'code = "x" || flag = true || size = 1',
    lets: ({ code, flag, size }) => code === 'x' || flag === true || size === 1,
  },
  { filter: 'code = @request.query.want || size = 1', lets: ({ code, size }, { want }) => code === want || size === 1 },
  {
    filter: 'size = 1 && code != "x" || code = "x" && (size = 2 || flag = false)',
    lets: ({ code, size, flag }) => (size === 1 && code !== 'x') || (code === 'x' && (size === 2 || flag === false)),
  },
  {
    filter: 'code = "x"',
    lets: ({ code }) => code === 'x',
    filterAuth: 'owner = @request.auth.id || price = 1.5',
    letsReader: ({ own, price }) => own || price === '1.5',
  },
  { filter: 'flag = false || flag = true', lets: ({ flag }) => flag !== null },
  { filter: 'code = null || size = 2', lets: ({ code, size }) => code === null || size === 2 },
  { filter: 'weight = 0.5 || price = 1.5', lets: ({ weight, price }) => weight === 0.5 || price === '1.5' },
  {
    filter: 'code = "x" || code = "Y" || code = "é" || size = 0',
    lets: ({ code, size }) => ['x', 'Y', 'é'].includes(code) || size === 0,
  },
  {
    filter: 'code = "x" || code = "Y" || code = "é" || size = 0 || size = 2',
    lets: ({ code, size }) => ['x', 'Y', 'é'].includes(code) || size === 0 || size === 2,
  },
  {
    filter: 'at = "2026-01-01T00:00:00.000Z" || (flag = true && size = 1)',
    lets: ({ at, flag, size }) => at === '2026-01-01T00:00:00.000Z' || (flag === true && size === 1),
  },
];

const fieldTypes = {
  code: 'text',
  size: 'integer',
  price: 'decimal',
  weight: 'float',
  flag: 'boolean',
  at: 'datetime',
} as const;

const definitions = rules.map(({ filter, filterAuth }, index) => ({
  singular: `kind${index}`,
  plural: `kinds${index}`,
  protocols: ['tenantable', 'soft_deletable'],
  fields: [
    ...Object.entries(fieldTypes).map(([name, field_type]) => ({ name, field_type, indexed: index % 2 === 0 })),
    { name: 'owner', field_type: 'text', max_length: 36 },
  ].map((field) => ('indexed' in field && field.field_type === 'text' ? { ...field, max_length: 20 } : field)),
  api: { list: { filter, cache: index % 3 === 0, ...(filterAuth === undefined ? {} : { filter_auth: filterAuth }) } },
}));

const values = fc.record({
  code: fc.option(fc.constantFrom('x', 'Y', 'é', '')),
  size: fc.option(fc.integer({ min: 0, max: 2 })),
  price: fc.option(fc.constantFrom('-10', '1.5', '9', '10')),
  weight: fc.option(fc.constantFrom(-1, 0.5, 1e21)),
  flag: fc.option(fc.boolean()),
  at: fc.option(fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z')),
  own: fc.boolean(),
  tenant: fc.constantFrom(null, null, 'acme', 'other'),
  deleted: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});

let service: TestService;
/** By type, what an admin sees of each record that is not deleted. */
let records: readonly (readonly Json[])[];

beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('admin', 'admin');
  const reader = await service.account('reader');
  records = await Promise.all(
    definitions.map(async ({ plural }, index) => {
      const made: Json[] = [];
      for (const { own, tenant, deleted, ...body } of fc.sample(values, { numRuns: 40, seed: index })) {
        const record = await service.send(`POST /api/v1/admin/cms/${plural}`, {
          as: 'admin',
          body: { ...body, owner: own ? reader : null, tenant_id: tenant },
        });
        if (record.status !== 201) throw new Error(record.text);
        const { id } = record.json;
        if (deleted) await service.send(`DELETE /api/v1/admin/cms/${plural}/${id}`, { as: 'admin' });
        else made.push({ ...record.json, own });
      }
      return made;
    }),
  );
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

/** Numbers by their value, texts by their code points. */
const sortable = (name: string, value: Json): Json => (name === 'price' ? Number(value) : value);

function compare(name: string, a: Json, b: Json): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return sortable(name, a) < sortable(name, b) ? -1 : 1;
}

type Sort = readonly (readonly [name: string, direction: 'asc' | 'desc'])[];

/** The ids that a list has, in its order. */
function plainly(index: number, asker: Asker, sort: Sort, filter: readonly [string, string] | null): string[] {
  const { lets, letsReader } = rules[index] ?? {};
  const whole: Sort = sort.some(([name]) => name === 'id') ? sort : [...sort, ['id', sort.at(-1)?.[1] ?? 'asc']];
  return (records[index] ?? [])
    .filter((record) => record.tenant_id === asker.tenant)
    .filter((record) => filter === null || String(record[filter[0]]) === filter[1])
    .filter((record) => lets?.(record, asker) || (asker.as !== null && letsReader?.(record, asker)))
    .toSorted((a, b) => {
      for (const [name, direction] of whole) {
        const order = compare(name, a[name], b[name]);
        if (order !== 0) return direction === 'asc' ? order : -order;
      }
      return 0;
    })
    .map(({ id }) => id);
}

const ids = (pages: readonly Json[]): string[] => pages.flatMap(({ items }) => items.map(({ id }: Json) => id));

test('a list returns what the plainest way to list does, by number and by cursor, with its total', async () => {
  const sort: fc.Arbitrary<Sort> = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...Object.keys(fieldTypes), 'id'), fc.constantFrom('asc' as const, 'desc' as const)),
    { selector: ([name]) => name, maxLength: 5 },
  );
  const filters: readonly (readonly [string, string])[] = [
    ['flag', 'true'],
    ['size', '1'],
    ['price', '1.5'],
    ['code', 'x'],
  ];
  const filter = fc.option(fc.constantFrom(...filters));
  const asker: fc.Arbitrary<Asker> = fc.record({
    as: fc.constantFrom(null, 'reader' as const),
    tenant: fc.constantFrom(null, 'acme' as const),
    want: fc.constantFrom(null, 'x', 'Y'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(rules.length - 1),
      asker,
      sort,
      filter,
      fc.integer({ min: 1, max: 9 }),
      async (index, who, terms, only, pageSize) => {
        const reads = rules[index]?.filter.includes('@request.query.want') === true && who.want !== null;
        const parameters = [
          ...(terms.length === 0 ? [] : [`sort=${terms.map((term) => term.join(':')).join(',')}`]),
          ...(only === null ? [] : [only.join('=')]),
          ...(reads ? [`want=${who.want}`] : []),
        ];
        const ask = async (...more: readonly string[]): Promise<Json> => {
          const line = `GET /api/v1/cms/kinds${index}?${[...parameters, ...more].join('&')}`;
          const { status, json, text } = await service.send(line, {
            ...(who.as === null ? {} : { as: who.as }),
            headers: who.tenant === null ? {} : { 'Recto-Tenant': who.tenant },
          });
          if (status !== 200) throw new Error(text);
          return json;
        };
        const wanted = plainly(index, who, terms, only);
        const pages = Math.ceil(wanted.length / pageSize);
        const numbered: Json[] = [];
        for (let page = 1; page <= pages + 1; page++) numbered.push(await ask(`page=${page}`, `page_size=${pageSize}`));
        expect(ids(numbered)).toEqual(wanted);
        expect(numbered.map(({ total }) => total)).toEqual(numbered.map(() => wanted.length));
        const followed: Json[] = [await ask(`page_size=${pageSize}`)];
        for (let next = followed[0].next_cursor; next !== undefined; next = followed.at(-1)?.next_cursor)
          followed.push(await ask(`page_size=${pageSize}`, `cursor=${next}`));
        expect(ids(followed)).toEqual(wanted);
        expect(followed.map(({ total }) => total)).toEqual(followed.map(() => wanted.length));
      },
    ),
    { numRuns: randomCases(300) },
  );
}, 600_000);
