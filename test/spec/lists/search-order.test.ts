// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { becomes } from '../../support/database/database.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { type Planted, plant, plantedId } from '../rules/planted.ts';

// A search without `sort`: best match first, up to a number of matches; of more, as the records were stored. The bound is 10,000
// (search-totals.test.ts), here 5.

const bound = 5;
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const story = {
  singular: 'story',
  plural: 'stories',
  fields: [
    text('title'),
    text('body'),
    text('secret', { private: true }),
    text('group', { max_length: 20 }),
    { name: 'open', field_type: 'boolean' },
    { name: 'writer', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'writers' } },
  ],
  api: { list: { filter: 'open = true', cache: true } },
};
const writer = { singular: 'writer', plural: 'writers', fields: [text('name')] };

type Json = Reply['json'];

async function open(): Promise<TestService> {
  const service = await TestService.open([story, writer], { mostMatches: bound, maxPageSize: 1000 });
  await service.account('ada', 'admin');
  return service;
}

async function list(service: TestService, query: string, as?: string): Promise<Json> {
  const path = as === undefined ? '/api/v1/cms/stories' : '/api/v1/admin/cms/stories';
  const reply = await service.send(`GET ${path}?${query}`, as === undefined ? {} : { as });
  expect([query, reply.status]).toEqual([query, 200]);
  return reply.json;
}

const titles = ({ items }: Json): string[] => items.map(({ group }: Json) => group);

describe('at the bound and beyond', () => {
  let service: TestService;
  /** Each one matches better than the one before. */
  const seed = (group: string, better: boolean) =>
    service.seed('stories', { title: better ? 'red' : 'x', body: better ? 'x' : 'red', group, open: true });
  beforeAll(async () => {
    service = await open();
    await seed('a', false);
    await seed('b', false);
    for (const group of ['c', 'd', 'e']) await seed(group, true);
    await service.seed('stories', { title: 'blue', body: 'reduced', group: 'z', open: false });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('up to the bound the best match comes first, and beyond it the oldest', async () => {
    const ranked = await list(service, 'search=re');
    expect([titles(ranked).join(''), ranked.total, ranked.total_is_estimate]).toEqual(['cdeab', bound, undefined]);
    const first = await list(service, 'search=re&page_size=2');
    expect(titles(first)).toEqual(['c', 'd']);
    const last = await seed('f', true);
    const stored = await list(service, 'search=re');
    expect([titles(stored).join(''), stored.total, stored.total_is_estimate]).toEqual(['abcdef', bound, true]);
    // A cursor keeps the order that it was given in, in both directions.
    const second = await list(service, `search=re&page_size=2&cursor=${first.next_cursor}`);
    expect(titles(second)).toEqual(['e', 'f']);
    const third = await list(service, `search=re&page_size=2&cursor=${second.next_cursor}`);
    expect(titles(third)).toEqual(['a', 'b']);
    const begun = await list(service, 'search=re&page_size=2');
    expect(titles(begun)).toEqual(['a', 'b']);
    await service.send(`DELETE /api/v1/admin/cms/stories/${last.id}`, { as: 'ada' });
    const rest = await list(service, `search=re&page_size=2&cursor=${begun.next_cursor}`);
    expect(titles(rest)).toEqual(['c', 'd']);
    expect(titles(await list(service, `search=re&page_size=2&cursor=${rest.next_cursor}`))).toEqual(['e']);
    expect(titles(await list(service, 'search=re')).join('')).toBe('cdeab');
  });

  test('each caller gets the order of what it sees', async () => {
    // One more match is in a record that only admins see.
    expect(titles(await list(service, 'search=re', 'ada')).join('')).toBe('abcdez');
    expect((await list(service, 'search=re', 'ada')).total_is_estimate).toBe(true);
    expect(titles(await list(service, 'search=re')).join('')).toBe('cdeab');
    expect(titles(await list(service, 'search=re&filter=open', 'ada')).join('')).toBe('cdeab');
  });

  test('a filter, a sort, skip_total and a page number', async () => {
    const more = await seed('g', true);
    expect(titles(await list(service, 'search=re')).join('')).toBe('abcdeg');
    expect(titles(await list(service, 'search=re&skip_total=true')).join('')).toBe('abcdeg');
    expect(titles(await list(service, 'search=re&page=2&page_size=4')).join('')).toBe('eg');
    expect(titles(await list(service, 'search=re&sort=group:desc')).join('')).toBe('gedcba');
    expect(titles(await list(service, 'search=re&group=b'))).toEqual(['b']);
    expect(titles(await list(service, 'search=re&filter=group%20!%3D%20%22a%22')).join('')).toBe('cdegb');
    // Large enough to be weighed.
    expect(titles(await list(service, 'search=re&page_size=500&include=writer')).join('')).toBe('abcdeg');
    await service.send(`DELETE /api/v1/admin/cms/stories/${more.id}`, { as: 'ada' });
  });
});

test('well beyond the bound, a search is counted again while nobody waits', async () => {
  await using service = await open();
  const seeded: { id: string }[] = [];
  for (const group of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    seeded.push(await service.seed('stories', { title: group < 'c' ? 'x' : 'red', body: 'red', group, open: true }));
  }
  expect(titles(await list(service, 'search=re')).join('')).toBe('abcdefgh');
  for (const { id } of seeded.slice(4)) await service.send(`DELETE /api/v1/admin/cms/stories/${id}`, { as: 'ada' });
  // The records are those of the moment; their order and the total are still those of a search for many.
  const first = await service.send('GET /api/v1/cms/stories?search=re');
  expect([titles(first.json).join(''), first.json.total, first.json.total_is_estimate]).toEqual(['abcd', bound, true]);
  expect(first.headers.get('cache-status')).not.toContain('stored');
  const settled = async (): Promise<Json> => {
    const json = await list(service, 'search=re');
    return { order: titles(json).join(''), total: json.total, estimate: json.total_is_estimate };
  };
  await becomes(settled, { order: 'cdab', total: 4, estimate: undefined });
  // Not so well beyond it, it is counted at once.
  for (const group of ['i', 'j']) await service.seed('stories', { title: 'x', body: 'red', group, open: true });
  expect(titles(await list(service, 'search=re')).join('')).toBe('abcdij');
  await service.send(`DELETE /api/v1/admin/cms/stories/${seeded[0]?.id}`, { as: 'ada' });
  expect(titles(await list(service, 'search=re')).join('')).toBe('cdbij');
});

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly group: string;
}

/** What a search finds among the records that are shown, in its order. */
function expected(all: readonly Shown[], word: string, group: string | undefined): string[] {
  const has = (value: string) => value.split(' ').some((each) => each.startsWith(word));
  const found = all.flatMap((each, place) => {
    const isFound = (has(each.title) || has(each.body)) && (group === undefined || each.group === group);
    const rank = (has(each.title) ? 2 : 0) + (has(each.body) ? 1 : 0);
    return isFound ? [{ id: plantedId(place + 1), rank }] : [];
  });
  // Stable: equal matches stay in the order of their creation.
  const ordered = found.length > bound ? found : found.toSorted((a, b) => b.rank - a.rank);
  return ordered.map(({ id }) => id);
}

const words = fc.constantFrom('', 'red', 'reed', 'rye', 'blue red');
const shown = fc.record({ title: words, body: words, group: fc.constantFrom('p', 'q') });
const hidden = fc.record({ title: words, body: words, group: fc.constantFrom('p', 'q'), secret: words });
const search = fc.tuple(
  fc.constantFrom('r', 're', 'red', 'reed'),
  fc.option(fc.constantFrom('p', 'q'), { nil: undefined }),
);

test('pages are those of the matches that are shown, whatever is hidden', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(shown, { maxLength: 14 }),
      fc.array(hidden, { maxLength: 8 }),
      fc.array(search, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 6 }),
      async (records, others, searches, pageSize) => {
        await using service = await open();
        const planted: Planted[] = [];
        for (const [place, body] of records.entries()) {
          const other = others[place];
          if (other !== undefined)
            planted.push({ type: 'story', id: plantedId(100 + place), body: { ...other, open: false } });
          // Private text matches nothing either.
          const secret = others.length > 0 ? 'red reed' : 'x';
          planted.push({ type: 'story', id: plantedId(place + 1), body: { ...body, secret, open: true } });
        }
        await plant(service, planted);
        for (const [word, group] of searches) {
          const ids = expected(records, word, group);
          const query = `search=${word}&page_size=${pageSize}${group === undefined ? '' : `&group=${group}`}`;
          const read: string[] = [];
          for (let cursor: string | undefined = ''; cursor !== undefined && read.length <= ids.length; ) {
            const page: Json = await list(service, `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
            read.push(...page.items.map(({ id }: Json) => id));
            expect([page.total, page.total_is_estimate]).toEqual(
              ids.length > bound ? [bound, true] : [ids.length, undefined],
            );
            cursor = page.next_cursor;
          }
          expect(read).toEqual(ids);
          const second = await list(service, `${query}&page=2`);
          expect(second.items.map(({ id }: Json) => id)).toEqual(ids.slice(pageSize, 2 * pageSize));
        }
      },
    ),
    { numRuns: randomCases(12) },
  );
}, 600_000);
