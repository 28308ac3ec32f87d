// databases: sqlite, postgres

import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Caller } from '../../../packages/recto/src/base/caller.ts';
import { noVisibilityParams } from '../../../packages/recto/src/query/read-view.ts';
import { countMatching, matchingIds, readAdminFilter } from '../../../packages/recto/src/records/batch/matching-ids.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';

// A filter through relations begins at the related records. In an alternative it cannot: `(F) || 1 = 2` says the same as F and is
// checked for each record in the order of the list. Both give the same pages, totals and aggregates to everyone, and batches select
// the same records by both.

const asked = randomCases(400);
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const text = (name: string) => ({ name, field_type: 'text', max_length: 50 });
const shown = { filter: 'shown = true', filter_auth: 'shown = true || name = "b"' };

const definitions = [
  {
    singular: 'item',
    plural: 'items',
    protocols: ['soft_deletable'],
    fields: [
      { ...text('name'), indexed: true },
      { name: 'views', field_type: 'integer', indexed: true },
      { name: 'shown', field_type: 'boolean' },
      relation('author', 'many_to_one', 'authors'),
      relation('topics', 'many_to_many', 'topics'),
      relation('parent', 'many_to_one', 'items'),
    ],
    api: { list: shown, get: shown },
  },
  {
    singular: 'author',
    plural: 'authors',
    protocols: ['soft_deletable'],
    fields: [
      { ...text('name'), indexed: true },
      { name: 'data', field_type: 'json' },
      { name: 'shown', field_type: 'boolean' },
      relation('team', 'many_to_one', 'topics'),
      relation('items', 'one_to_many', 'items', { mapped_by: 'author' }),
    ],
    api: { list: shown, get: shown },
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [text('name'), { name: 'shown', field_type: 'boolean' }],
    api: { list: shown, get: { ...shown, access: 'member' } },
  },
];

// So few that a page is found in each of the ways.
const service = await TestService.open(definitions, { walk: { ends: 3, rows: 4 } });
afterAll(() => service[Symbol.asyncDispose]());
await service.account('ada', 'admin');
await service.account('mia');
const names = ['a', 'b', 'c', null];
const ids: Record<string, string[]> = { items: [], authors: [], topics: [] };
const one = <T>(values: readonly T[], place: number): T | null => values[place % (values.length + 1)] ?? null;

async function seed(plural: string, count: number, body: (at: number) => object): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const { id } = await service.seed(plural, { name: names[(at * 7) % 4], shown: at % 3 !== 0, ...body(at) });
    ids[plural]?.push(id);
  }
}
const { items = [], authors = [], topics = [] } = ids;
await seed('topics', 6, () => ({}));
await seed('authors', 9, (at) => ({
  data: one([{ color: 'red', tags: ['x', 'y'] }, { color: null, tags: 'x' }, { tags: [] }], at),
  team: one(topics, at),
}));
await seed('items', 40, (at) => ({
  views: one([1, 2, 3, 5, 8], at),
  author: at % 7 === 0 ? null : (authors[at % 4] ?? null),
  topics: topics.filter((_, place) => (at >> (place % 5)) % 2 === 1),
  parent: one(items.slice(0, 6), at),
}));

for (const line of [
  ...authors.slice(1, 2).map((each) => `authors/${each}`),
  ...items.slice(3, 6).map((each) => `items/${each}`),
]) {
  expect((await service.send(`DELETE /api/v1/admin/cms/${line}`, { as: 'ada' })).status).toBe(204);
}

const word = fc.constantFrom('"a"', '"b"', '"c"', '"%"', '"A"', '""');
const number = fc.constantFrom('0', '1', '3', '8');
const comparison = fc.constantFrom('=', '!=', '<', '<=', '>', '>=');
const like = fc.constantFrom('=', '!=', '~', '!~', '>', '<=');
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(' '));
const any = (operator: fc.Arbitrary<string>) => operator.map((each) => `?${each}`);
const textPath = fc.constantFrom(
  'author.name',
  'author.team.name',
  'parent.author.name',
  'author.data.color',
  'parent.name',
);
const manyPath = fc.constantFrom(
  ...['topics.name', 'author.items.name', 'parent.topics.name', 'author.items.topics.name', 'author.data.tags'],
);
const id = fc.constantFrom(...items, ...authors, ...topics).map((each) => `"${each}"`);
const through = fc.oneof(
  joined(textPath, like, word),
  joined(textPath, fc.constantFrom('= null', '!= null', 'in ["a", "c"]', 'not in ["b"]')),
  joined(fc.constantFrom('author.name:lower', 'parent.name:lower'), like, fc.constantFrom('"a"', '"b%"')),
  joined(fc.constantFrom('parent.views', 'author.name:length'), comparison, number),
  joined(manyPath, any(like), word),
  joined(fc.constant('author.items.views'), any(comparison), number),
  joined(fc.constantFrom('author.id', 'parent.author', 'author'), fc.constantFrom('=', '!='), id),
  joined(fc.constantFrom('topics', 'topics.id', 'author.items', 'parent.topics'), fc.constantFrom('?=', '?!='), id),
);
const own = fc.oneof(joined(fc.constant('views'), comparison, number), joined(fc.constant('name'), like, word));
const filters = fc.oneof(
  through,
  joined(through, fc.constant('&&'), fc.oneof(own, through)),
  joined(own, fc.constant('&&'), through, fc.constant('&&'), fc.oneof(own, through)),
);
const asks = fc.record({
  filter: filters,
  more: fc.constantFrom(
    ...['', '&sort=views:desc', '&sort=name:asc,views:desc', '&page_size=3', '&page_size=2&page=2&sort=views:asc'],
    ...['&page=2', '&name=a', '&page_size=100&page=2', '&include=author,topics'],
  ),
  group: fc.constantFrom('group=views&count=true&max=name', 'group=topics&sum=views', 'count=true'),
  as: fc.constantFrom(undefined, 'mia', 'ada'),
});

test('a filter through relations finds the same, however it begins', async () => {
  const counted = { found: 0, pages: 0 };
  const check = async (
    line: string,
    { filter, more, as }: { filter: string; more: string; as: string | undefined },
  ) => {
    const send = (text: string, cursor: string) =>
      service.send(`GET ${line}?filter=${encodeURIComponent(text)}${more}${cursor}`, as === undefined ? {} : { as });
    let cursors = ['', ''];
    for (let page = 0; page < 3; page += 1) {
      const [begun, checked] = [
        await send(filter, cursors[0] ?? ''),
        await send(`(${filter}) || 1 = 2`, cursors[1] ?? ''),
      ];
      const { next_cursor: next, ...shown } = begun.json;
      const { next_cursor: other, ...expected } = checked.json;
      expect({ filter, more, as, status: begun.status, shown }).toEqual({
        filter,
        more,
        as,
        status: 200,
        shown: expected,
      });
      counted.found += shown.items.length;
      counted.pages += 1;
      expect(typeof next).toBe(typeof other);
      if (typeof next !== 'string' || more.includes('&page=')) return;
      cursors = [`&cursor=${next}`, `&cursor=${other}`];
    }
  };
  const checkAggregate = async (
    line: string,
    { filter, as, group }: { filter: string; as: string | undefined; group: string },
  ) => {
    const answers = [filter, `(${filter}) || 1 = 2`].map((expression) =>
      service.send(
        `GET ${line}/aggregate?${group}&filter=${encodeURIComponent(expression)}`,
        as === undefined ? {} : { as },
      ),
    );
    const [begun, checked] = await Promise.all(answers);
    expect({ filter, group, as, status: begun?.status, shown: begun?.json }).toEqual({
      ...{ filter, group, as, status: 200 },
      shown: checked?.json,
    });
  };
  const checkBatch = async (filter: string) => {
    const { records, types } = service;
    const caller: Caller = { kind: 'account', id: 'a', role: 'admin', session: 's' };
    const selected = async (text: string) => {
      const type = types.get('item');
      const expression = readAdminFilter(text, { type, caller }, records);
      const rows = { type, caller, expression, search: null, among: noVisibilityParams };
      const first = await matchingIds(null, records, rows, { most: 7 });
      const rest = await matchingIds(null, records, rows, { after: first[2] ?? '', most: 5 });
      return { first, rest, count: await countMatching(records, rows) };
    };
    expect({ filter, selected: await selected(filter) }).toEqual({
      filter,
      selected: await selected(`(${filter}) || 1 = 2`),
    });
  };
  await fc.assert(
    fc.asyncProperty(asks, async ({ more, ...ask }) => {
      const base = ask.as === 'ada' ? '/api/v1/admin/cms/items' : '/api/v1/cms/items';
      await check(base, { ...ask, more });
      await checkAggregate(base, ask);
      if (ask.as === 'ada') await checkBatch(ask.filter);
    }),
    { numRuns: asked },
  );
  expect(counted.found).toBeGreaterThan(asked / 4);
}, 600_000);
