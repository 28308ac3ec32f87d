import { describe, expect, test } from 'bun:test';
import { daysLater, firstWeekday, isDate, monthsLater, rangeOf, todayIn, turned, weeksOf } from './calendar-range.ts';

describe('the days of a view', () => {
  test.each([
    ['month', '2026-03-15', 1, '2026-02-23', '2026-04-06'],
    ['month', '2026-03-15', 7, '2026-03-01', '2026-04-05'],
    // Four weeks and no day more.
    ['month', '2027-02-10', 1, '2027-02-01', '2027-03-01'],
    // Six weeks.
    ['month', '2026-08-31', 1, '2026-07-27', '2026-09-07'],
    ['week', '2026-03-29', 1, '2026-03-23', '2026-03-30'],
    ['week', '2026-03-29', 7, '2026-03-29', '2026-04-05'],
    ['week', '2026-03-29', 6, '2026-03-28', '2026-04-04'],
  ] as const)('%s of %s, weeks from day %d', (view, date, first, from, to) => {
    expect(rangeOf(view, date, first)).toEqual({ from, to });
  });

  test('a month is whole weeks', () => {
    for (let month = 0; month < 40; month += 1)
      for (const first of [1, 6, 7]) {
        const { from, to } = rangeOf('month', monthsLater('2024-01-31', month), first);
        expect((Date.parse(to) - Date.parse(from)) % (7 * 86_400_000)).toBe(0);
      }
  });
});

test('months and weeks are turned, also where a month is shorter', () => {
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28');
  expect(monthsLater('2026-03-31', -1)).toBe('2026-02-28');
  expect(monthsLater('2026-12-05', 1)).toBe('2027-01-05');
  expect([turned('month', '2026-03-15', -1), turned('week', '2026-03-29', 1)]).toEqual(['2026-02-15', '2026-04-05']);
  expect(daysLater('2026-02-28', 1)).toBe('2026-03-01');
});

test('today is the day that the clocks of the zone show', () => {
  const late = Date.parse('2026-03-31T23:30:00Z');
  expect([todayIn('UTC', late), todayIn('Europe/Berlin', late), todayIn('America/New_York', late)]).toEqual([
    ...['2026-03-31', '2026-04-01', '2026-03-31'],
  ]);
});

test('weeks begin where the reader expects it', () => {
  expect([firstWeekday('de'), firstWeekday('fr')]).toEqual([1, 1]);
  expect([1, 7]).toContain(firstWeekday('en-US'));
});

test('only days that there are count as dates', () => {
  expect(['2026-02-28', '2026-02-29', '2026-2-1', '0999-01-01', '', 'today'].map(isDate)).toEqual([
    ...[true, false, false, false, false, false],
  ]);
  expect(isDate(null)).toBe(false);
});

test('days are put into weeks', () => {
  expect(weeksOf([1, 2, 3, 4, 5, 6, 7, 8])).toEqual([[1, 2, 3, 4, 5, 6, 7], [8]]);
});
