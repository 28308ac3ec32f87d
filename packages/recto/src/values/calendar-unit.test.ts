import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { type CalendarUnit, unitPieces, unitPrefix, weekPieces } from './calendar-unit.ts';
import { type TimeZone, timeZone } from './time-zone.ts';

const names = [
  ...['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'],
  ...['Africa/Casablanca', 'America/St_Johns', 'Asia/Kathmandu', 'Africa/Monrovia', 'Etc/GMT+5'],
];

const zoneOf = (name: string): TimeZone => {
  const zone = timeZone(name);
  if (zone === undefined) throw new Error(name);
  return zone;
};

/** `2026-11-21T10` as the runtime formats it. */
function shown(at: number, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
  });
  return format.format(at).replace(' ', 'T').padStart(13, '0');
}

/** The unit that the pieces of an instant's prefix say. */
function looked(at: number, unit: CalendarUnit, zone: TimeZone): string[] {
  const text = new Date(at).toISOString();
  const pieces = unitPieces(text.slice(0, unitPrefix[unit]), unit, zone);
  return pieces.filter(([, from, until]) => text >= from && text < until).map(([, , , name]) => name);
}

test('a time is in the unit that the clocks of its zone show', () => {
  const instant = fc.oneof(
    fc.integer({ min: Date.parse('1900-01-01T00:00:00Z'), max: Date.parse('2100-01-01T00:00:00Z') }),
    fc.integer({ min: Date.parse('2400-01-01T00:00:00Z'), max: Date.parse('3300-01-01T00:00:00Z') }),
    // Around changes of clocks.
    fc
      .tuple(
        fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2011-12-30T10:00:00Z'),
        fc.integer({ min: -2, max: 2 }),
      )
      .map(([text, more]) => Date.parse(text) + more),
  );
  const unit = fc.constantFrom<CalendarUnit>('year', 'month', 'day', 'hour');
  fc.assert(
    fc.property(instant, unit, fc.constantFrom(...names), (at, each, zone) => {
      expect(looked(at, each, zoneOf(zone))).toEqual([shown(at, zone).slice(0, unitPrefix[each])]);
    }),
    { numRuns: randomCases(1_500) },
  );
});

test('the pieces of a prefix cover it once, in order', () => {
  const day = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(day, fc.constantFrom(...names), fc.constantFrom<CalendarUnit>('week', 'day'), (at, zone, unit) => {
      const pieces = unitPieces(at.toISOString().slice(0, 10), unit, zoneOf(zone));
      expect(pieces[0]?.[1]).toBe('');
      expect(pieces.at(-1)?.[2]).toBe('~');
      for (const [index, [, from, until]] of pieces.entries()) {
        expect(from < until).toBe(true);
        expect(pieces[index + 1]?.[1] ?? '~').toBe(until);
      }
    }),
    { numRuns: randomCases(500) },
  );
});

test.each([
  ['2026-01-01', '2026-W01'],
  ['2025-12-29', '2026-W01'],
  ['2027-01-01', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-12-31', '2025-W01'],
  ['2021-01-03', '2020-W53'],
  ['0000-01-03', '0000-W01'],
])('%s is in week %s', (date, week) => {
  expect(weekPieces(date)).toEqual([[date, '', '~', week]]);
});

test.each(['', 'Nowhere', 'Europe/Nowhere', '+01:00', 'Europe/Lisbon ', '__proto__', 'a'.repeat(65)])(
  '%p is no zone',
  (name) => expect(timeZone(name)).toBeUndefined(),
);

test('weeks beyond the years of four digits are named as other units are', () => {
  expect(weekPieces('0000-01-01').map(([, , , name]) => name)).toEqual(['-000001-W52']);
  expect(weekPieces('0000-01-03').map(([, , , name]) => name)).toEqual(['0000-W01']);
  expect(weekPieces('9999-12-31').map(([, , , name]) => name)).toEqual(['9999-W52']);
});
