import { expect, test } from 'bun:test';
import {
  allSeen,
  changedSince,
  firstVisit,
  markOf,
  pauseMs,
  readVisit,
  resumed,
  type Visit,
  withSeen,
} from './visit.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const record = (updated: number, more: object = {}) => ({
  ...{ id: 'a', created_at: at(0), updated_at: at(updated), ...more },
});

test('a first visit marks nothing that was there', () => {
  expect(markOf(firstVisit(at(5)), record(5), 'me')).toBeUndefined();
  expect(markOf(firstVisit(at(5)), record(6), 'me')).toBe('changed');
});

test('who comes back soon is on the same visit, and later on the next, which begins where the last one ended', () => {
  const visit: Visit = { since: at(0), last: at(10), seen: { a: at(9), b: at(20) } };
  expect(resumed(visit, at(20))).toEqual({ since: at(0), last: at(20), seen: { a: at(9), b: at(20) } });
  expect(resumed(visit, at(10 + pauseMs / 60_000))).toMatchObject({ since: at(0) });
  expect(resumed(visit, at(11 + pauseMs / 60_000))).toEqual({ since: at(10), last: at(41), seen: { b: at(20) } });
});

test('what was made since is new, what was changed is changed, and what oneself has done is neither', () => {
  const visit = firstVisit(at(10));
  expect(markOf(visit, record(12, { created_at: at(11) }), 'me')).toBe('new');
  expect(markOf(visit, record(12, { updated_by: 'eve' }), 'me')).toBe('changed');
  expect(markOf(visit, record(12, { updated_by: null }), 'me')).toBe('changed');
  expect(markOf(visit, record(12, { updated_by: 'me' }), 'me')).toBeUndefined();
});

test('a record that was looked at has no mark until it is changed again', () => {
  const visit = withSeen(firstVisit(at(10)), 'a', at(12));
  expect(markOf(visit, record(12), 'me')).toBeUndefined();
  expect(markOf(visit, record(13), 'me')).toBe('changed');
  expect(markOf(visit, { ...record(12), id: 'b' }, 'me')).toBe('changed');
  expect(markOf(allSeen(at(20)), record(13), 'me')).toBeUndefined();
});

test('what is remembered stays within what a preference holds', () => {
  let visit = firstVisit(at(0));
  for (let number = 0; number < 1_000; number += 1)
    visit = withSeen(visit, `01a1fc5b-7859-739f-b95f-${String(number).padStart(12, '0')}`, at(1));
  expect(JSON.stringify(visit).length).toBeLessThan(16_384);
  expect(Object.keys(visit.seen)).toContain('01a1fc5b-7859-739f-b95f-000000000999');
  // Nothing is remembered that has no mark.
  expect(withSeen(firstVisit(at(5)), 'a', at(5)).seen).toEqual({});
});

test('what others have kept under the name is no visit', () => {
  for (const value of [null, 3, {}, { since: 'x', last: at(1) }, { since: at(1) }])
    expect(readVisit(value)).toBeUndefined();
  expect(readVisit({ since: at(1), last: at(2), seen: { a: at(1), b: 3 } })).toEqual({
    ...{ since: at(1), last: at(2), seen: { a: at(1) } },
  });
});

test('the filter leaves out oneself where records say who has changed them', () => {
  expect(changedSince(at(1), 'me')).toBe(`updated_at > "${at(1)}" && updated_by != "me"`);
  expect(changedSince(at(1), undefined)).toBe(`updated_at > "${at(1)}"`);
});
