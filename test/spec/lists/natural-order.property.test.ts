// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// `sort=title:asc:natural` in the lists of the admin, held against all records sorted in memory.

type Json = Reply['json'];

const fields = [
  { name: 'title', field_type: 'text', max_length: 60 },
  { name: 'grade', field_type: 'integer' },
  { name: 'state', field_type: 'enum', enum_values: ['draft', 'live'] },
];
const indexed = fields.map((field) => (field.name === 'title' ? { ...field, indexed: true } : field));

const titles = [
  ...[
    'Draft',
    'Draft (2)',
    'Draft (10)',
    'Draft (1)',
    'Draft [3]',
    'Draft 2',
    'Draft 10',
    'draft 1',
    'Draft (02)',
    'Draft ()',
  ],
  ...[
    '1. Ink',
    '2. Paper',
    '10. Glue',
    '007',
    '7',
    '70',
    '2026-05',
    '2026-11',
    '2026-9',
    '9',
    '0',
    '00',
    '(3)',
    '3)',
    ')',
    '',
  ],
  ...[
    'Version 2.9',
    'Version 2.10',
    'Été 2',
    'Été 10',
    '🙂 3',
    '🙂 12',
    'No number',
    'Q%_\\',
    "it's 4",
    'a]1)',
    '12 of 30 (4)',
  ],
  ...['9999999999999999999999', 'Part 9999999999999999999999', 'Part 10000000000000000000000', null, null],
] as const;

let service: TestService;
/** By plural. */
const stored = new Map<string, readonly Json[]>();

beforeAll(async () => {
  service = await TestService.open([
    { singular: 'page_plain', plural: 'plains', fields },
    { singular: 'page_listed', plural: 'listeds', fields: indexed },
    { singular: 'page_tenanted', plural: 'tenanteds', fields: indexed, protocols: ['tenantable'] },
  ]);
  await service.account('admin', 'admin');
  for (const plural of ['plains', 'listeds', 'tenanteds']) {
    const made: Json[] = [];
    for (const [place, title] of titles.entries()) {
      const body = { title, grade: place % 3 };
      const { status, json, text } = await service.send(`POST /api/v1/admin/cms/${plural}`, { as: 'admin', body });
      if (status !== 201) throw new Error(text);
      made.push(json);
    }
    stored.set(plural, made);
  }
});
afterAll(() => service[Symbol.asyncDispose]());

/** The parts of a title: the number that it begins with, the text between, the number that it ends with. */
const numberOf = (digits: string): string => {
  const significant = digits.replace(/^0+/, '');
  return `${String(significant.length).padStart(4, '0')}${significant}`;
};
function key(title: string): string {
  const [, leading = '', rest = ''] = /^([0-9]*)(.*)$/s.exec(title) ?? [];
  const [, base = '', trailing = ''] = /^(.*?)([0-9]*)[)\]]*$/s.exec(rest) ?? [];
  return `${leading === '' ? '' : numberOf(leading)}${trailing === '' ? rest : base + numberOf(trailing)}`;
}

/** By code point, as databases have it, and not by the units of UTF-16. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === 'number' || typeof b === 'number') return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function list(line: string): Promise<Json> {
  const { status, json, text } = await service.send(line, { as: 'admin' });
  if (status !== 200) throw new Error(text);
  return json;
}
const titlesOf = ({ items }: Json): readonly (string | null)[] => items.map(({ title }: Json) => title);

describe.each(['plains', 'listeds', 'tenanteds'])('%s', (plural) => {
  test('pages by cursor and by number are the whole list, sorted', async () => {
    const direction = fc.constantFrom('asc' as const, 'desc' as const);
    const sort = fc.record({ title: direction, grade: fc.option(direction), isFirst: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(sort, fc.integer({ min: 1, max: 12 }), async ({ title, grade, isFirst }, size) => {
        const ofTitle = {
          asked: `title:${title}:natural`,
          value: (one: Json) => one.title && key(one.title),
          direction: title,
        };
        const ofGrade = grade && { asked: `grade:${grade}`, value: (one: Json) => one.grade, direction: grade };
        const terms = [
          ofGrade !== null && isFirst ? ofGrade : undefined,
          ofTitle,
          isFirst ? undefined : ofGrade,
        ].filter((term) => term !== undefined && term !== null);
        const whole = [...terms, { value: (one: Json) => one.id, direction: terms.at(-1)?.direction ?? 'asc' }];
        const wanted = (stored.get(plural) ?? [])
          .toSorted((a, b) => {
            for (const { value, direction } of whole) {
              const order = compare(value(a), value(b));
              if (order !== 0) return direction === 'asc' ? order : -order;
            }
            return 0;
          })
          .map(({ title }) => title);
        const path = `GET /api/v1/admin/cms/${plural}?sort=${terms.map(({ asked }) => asked).join(',')}&page_size=${size}`;
        const found: (string | null)[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const page: Json = await list(cursor === '' ? path : `${path}&cursor=${cursor}`);
          found.push(...titlesOf(page));
          cursor = page.next_cursor;
        }
        expect(found).toEqual(wanted);
        expect(titlesOf(await list(`${path}&page=2`))).toEqual(wanted.slice(size, 2 * size));
      }),
      { numRuns: randomCases(60) },
    );
  }, 600_000);
});

test('numbers at the end and at the beginning count as numbers', async () => {
  const filter = encodeURIComponent('title ~ "Draft (%" || title ~ "%. %"');
  const page = await list(`GET /api/v1/admin/cms/listeds?sort=title:asc:natural&filter=${filter}`);
  expect(titlesOf(page)).toEqual([
    ...['1. Ink', '2. Paper', '10. Glue'],
    ...['Draft ()', 'Draft (1)', 'Draft (2)', 'Draft (02)', 'Draft (10)'],
  ]);
});

test('a cursor belongs to its order', async () => {
  const { next_cursor: cursor } = await list('GET /api/v1/admin/cms/listeds?sort=title:asc:natural&page_size=3');
  const other = await service.send(`GET /api/v1/admin/cms/listeds?sort=title:asc&page_size=3&cursor=${cursor}`, {
    as: 'admin',
  });
  expect([other.status, other.json.code]).toEqual([400, 'invalid_cursor']);
});

test('public lists have no such order, and neither have numbers and choices', async () => {
  for (const line of [
    'GET /api/v1/cms/listeds?sort=title:asc:natural',
    'GET /api/v1/admin/cms/listeds?sort=grade:asc:natural',
    'GET /api/v1/admin/cms/listeds?sort=state:asc:natural',
    'GET /api/v1/admin/cms/listeds?sort=title:asc:other',
    'GET /api/v1/admin/cms/listeds?sort=title:asc,title:asc:natural',
  ]) {
    const { status, json } = await service.send(line, { as: 'admin' });
    expect([line, status, json.code]).toEqual([line, 400, 'invalid_parameter']);
  }
});
