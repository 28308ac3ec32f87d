import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  firstPage,
  type ListState,
  lastNumbered,
  nextSort,
  type PagePlace,
  pageAfter,
  pageBefore,
  pageRange,
  readState,
  reversedSort,
  stateQuery,
} from './list-state.ts';

const cursor = fc.string({ minLength: 1, maxLength: 10 });
const place: fc.Arbitrary<PagePlace> = fc.oneof(
  fc.record({ from: fc.constant('page' as const), page: fc.integer({ min: 1, max: 999 }) }),
  fc.record({ from: fc.constant('start' as const), cursor, before: fc.nat() }),
  fc.record({ from: fc.constant('end' as const), cursor: fc.option(cursor), before: fc.nat() }),
);
const state: fc.Arbitrary<ListState> = fc.record({
  ...{
    filter: fc.string(),
    search: fc.string(),
    sort: fc.string(),
    view: fc.string(),
    columns: fc.uniqueArray(fc.stringMatching(/^[a-z_]+$/)),
    deleted: fc.boolean(),
    language: fc.string(),
    missing: fc.string(),
    asOf: fc.constantFrom('', '2100-01-01T09:00:00.000Z'),
  },
  ...{ size: fc.constantFrom(20, 50, 100), place },
});

test('an address has all of the state', () => {
  fc.assert(
    fc.property(state, (shown) => {
      expect(readState(new URLSearchParams(stateQuery(shown, 50)), 50)).toEqual(shown);
    }),
  );
});

test('an address that someone typed is read as far as it makes sense', () => {
  expect(readState(new URLSearchParams('page=-1&size=7&at=x&columns=title,,title'), 50)).toEqual({
    ...{
      filter: '',
      search: '',
      sort: '',
      view: '',
      columns: ['title'],
      deleted: false,
      language: '',
      missing: '',
      asOf: '',
    },
    ...{ size: 50, place: firstPage },
  });
  // What was to come when the address was kept has come.
  expect(readState(new URLSearchParams('as_of=2020-01-01T00:00:00Z'), 50).asOf).toBe('');
});

describe('pages', () => {
  const at = (of: PagePlace, nextCursor: string | undefined, more = {}) => ({
    ...{ place: of, size: 50, count: 50, total: undefined, nextCursor },
    ...more,
  });

  test('near the start are numbers, and then cursors', () => {
    expect(pageAfter(at(firstPage, 'c'))).toEqual({ from: 'page', page: 2 });
    expect(pageAfter(at(firstPage, undefined))).toBeUndefined();
    const last = { from: 'page', page: lastNumbered(50) } as const;
    const behind = pageAfter(at(last, 'c'));
    expect(behind).toEqual({ from: 'start', cursor: 'c', before: 5_000 });
    if (behind === undefined) return;
    expect(pageBefore(at(behind, 'd'))).toEqual(last);
    expect(pageAfter(at(behind, 'd'))).toEqual({ from: 'start', cursor: 'd', before: 5_050 });
    expect(pageRange(at(behind, 'd'))).toEqual({ first: 5_001, last: 5_050 });
  });

  test('at the end are counted from there', () => {
    const end = { from: 'end', cursor: null, before: 0 } as const;
    expect(pageAfter(at(end, 'c'))).toBeUndefined();
    expect(pageRange(at(end, 'c'))).toBeUndefined();
    expect(pageRange(at(end, 'c', { total: 1_000_000 }))).toEqual({ first: 999_951, last: 1_000_000 });
    const before = pageBefore(at(end, 'c'));
    expect(before).toEqual({ from: 'end', cursor: 'c', before: 50 });
    if (before !== undefined) expect(pageAfter(at(before, 'd'))).toEqual(end);
  });

  test('before the first there is none', () => {
    expect(pageBefore(at(firstPage, 'c'))).toBeUndefined();
    expect(pageBefore(at({ from: 'end', cursor: 'c', before: 50 }, undefined))).toBeUndefined();
  });
});

test('a header sorts up, down, and no more', () => {
  expect(nextSort('', 'title')).toBe('title:asc');
  expect(nextSort('title:asc', 'title')).toBe('title:desc');
  expect(nextSort('title:desc', 'title')).toBe('');
  expect(nextSort('title:asc', 'views')).toBe('views:asc');
  expect(nextSort('title:asc,views:asc', 'title')).toBe('title:asc');
  expect(reversedSort('title:asc,views:desc')).toBe('title:desc,views:asc');
});
