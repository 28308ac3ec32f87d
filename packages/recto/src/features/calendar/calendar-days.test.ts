import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { timeZone } from '../../values/time-zone.ts';
import { daysBetween } from './calendar-days.ts';

const hour = 3_600_000;
const days = (from: string, to: string, zone: string) => {
  const found = timeZone(zone);
  if (found === undefined) throw new Error(`There is no zone ${zone}.`);
  return daysBetween(from, to, found);
};
const hours = ({ from, to }: { readonly from: string; readonly to: string }) =>
  (Date.parse(to) - Date.parse(from)) / hour;

describe('days on which the clocks change', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    // At midnight, which there is not then.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
    ['Asia/Kathmandu', '2026-03-29', '2026-03-28T18:15:00.000Z', 24],
    ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z', 24],
  ])('%s, %s', (zone, date, from, length) => {
    const next = new Date(Date.parse(date) + 24 * hour).toISOString().slice(0, 10);
    const [day] = days(date, next, zone);
    expect([day?.date, day?.from, day && hours(day)]).toEqual([date, from, length]);
  });

  test('one that a zone has left out has no hours', () => {
    const around = days('2011-12-29', '2012-01-01', 'Pacific/Apia');
    expect(around.map((day) => [day.date, hours(day)])).toEqual([
      ['2011-12-29', 24],
      ['2011-12-30', 0],
      ['2011-12-31', 24],
    ]);
  });
});

test('days follow one another without a gap, and begin when the clocks show their date', () => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland', 'Africa/Casablanca', 'Asia/Tehran', 'UTC'];
  const cases = fc.record({
    zone: fc.constantFrom(...zones),
    begin: fc.integer({ min: Date.parse('1995-01-01') / (24 * hour), max: Date.parse('2040-01-01') / (24 * hour) }),
    count: fc.integer({ min: 1, max: 62 }),
  });
  fc.assert(
    fc.property(cases, ({ zone, begin, count }) => {
      const date = (day: number) => new Date(day * 24 * hour).toISOString().slice(0, 10);
      const found = days(date(begin), date(begin + count), zone);
      expect(found).toHaveLength(count);
      const shown = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
      for (const [index, day] of found.entries()) {
        if (index > 0) expect(day.from).toBe(found[index - 1]?.to ?? '');
        expect(shown.format(Date.parse(day.from))).toBe(day.date);
        expect(shown.format(Date.parse(day.from) - 1) < day.date).toBe(true);
      }
    }),
    { numRuns: randomCases(200) },
  );
});
