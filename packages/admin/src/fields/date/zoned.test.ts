import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { instantOf, localTime, offsetText } from './zoned.ts';

describe('instants in a time zone', () => {
  test('are shown as its clocks show them, and read back', () => {
    expect(localTime('2026-07-01T10:00:00.000Z', 'Europe/Lisbon')).toBe('2026-07-01T11:00');
    expect(localTime('2026-01-01T10:00:30.000Z', 'Asia/Kolkata')).toBe('2026-01-01T15:30:30');
    expect(localTime('2026-01-01T10:00:30.250Z', 'UTC')).toBe('2026-01-01T10:00:30.250');
    expect(instantOf('2026-07-01T11:00', 'Europe/Lisbon')).toBe('2026-07-01T10:00:00.000Z');
    expect(instantOf('2026-12-31T23:59:59.999', 'America/New_York')).toBe('2027-01-01T04:59:59.999Z');
  });

  test('say how far the clocks are from UTC', () => {
    expect(offsetText('2026-07-01T10:00:00.000Z', 'Europe/Lisbon')).toBe('UTC+01:00');
    expect(offsetText('2026-01-01T10:00:00.000Z', 'Europe/Lisbon')).toBe('UTC');
    expect(offsetText('2026-01-01T10:00:00.000Z', 'America/St_Johns')).toBe('UTC−03:30');
  });

  test('an hour that the clocks skip is as far behind the change; one that they show twice is the first', () => {
    // In Berlin, 02:00 became 03:00 on 29 March 2026, and 03:00 became 02:00 on 25 October.
    expect(instantOf('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(instantOf('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(instantOf('2026-10-25T03:30', 'Europe/Berlin')).toBe('2026-10-25T02:30:00.000Z');
    // Apia has no 30 December 2011.
    expect(instantOf('2011-12-30T12:00', 'Pacific/Apia')).toBe('2011-12-30T22:00:00.000Z');
  });

  test('what is no time is none', () => {
    expect(instantOf('', 'UTC')).toBeUndefined();
    expect(instantOf('2026-13-01T10:00', 'UTC')).toBeUndefined();
    expect(localTime('no time', 'UTC')).toBe('');
  });
});

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'];

test('what a field shows of an instant means that instant, or in a doubled hour the first that looks so', () => {
  const moments = fc.date({
    min: new Date('0002-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (moment, zone) => {
      // Before standard time, offsets have seconds, which the clocks show and the round trip keeps.
      const instant = moment.toISOString();
      const shown = localTime(instant, zone);
      const back = instantOf(shown, zone);
      expect(localTime(String(back), zone)).toBe(shown);
      if (back !== instant) expect(String(back) < instant).toBe(true);
    }),
    { numRuns: randomCases(500) },
  );
});
