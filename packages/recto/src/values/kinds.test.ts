import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { kinds } from './kinds.ts';
import type { Scalar, ScalarKind } from './value-kind.ts';

const nothing = undefined;

/** [kind, value of a JSON body, its canonical form] */
const fromJson: readonly (readonly [ScalarKind, unknown, Scalar | undefined])[] = [
  ['text', 'grün 🙂', 'grün 🙂'],
  ['text', '', ''],
  ['text', 'a\0b', nothing],
  ['text', 'a\ud800', nothing],
  ['text', 1, nothing],
  ['text', null, nothing],
  ['integer', 12, 12],
  ['integer', -0, 0],
  ['integer', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['integer', 2 ** 53, nothing],
  ['integer', 1.5, nothing],
  ['integer', '12', nothing],
  ['integer', true, nothing],
  ['bigint', 12, 12n],
  ['bigint', '9223372036854775807', 9223372036854775807n],
  ['bigint', '-9223372036854775808', -9223372036854775808n],
  ['bigint', '9223372036854775808', nothing],
  ['bigint', '-9223372036854775809', nothing],
  ['bigint', 2 ** 53, nothing],
  ['bigint', '1.0', nothing],
  ['bigint', '0x10', nothing],
  ['bigint', '', nothing],
  ['float', 1.5, 1.5],
  ['float', -0, 0],
  ['float', Number.NaN, nothing],
  ['float', Number.POSITIVE_INFINITY, nothing],
  ['float', '1.5', nothing],
  ['decimal', '012.50', '12.5'],
  ['decimal', '-0.00', '0'],
  ['decimal', '-0.10', '-0.1'],
  ['decimal', '9'.repeat(60), '9'.repeat(60)],
  ['decimal', '9'.repeat(61), nothing],
  ['decimal', `0${'9'.repeat(60)}`, '9'.repeat(60)],
  ['decimal', `0.${'1'.repeat(40)}000`, `0.${'1'.repeat(40)}`],
  ['decimal', `0.${'1'.repeat(41)}`, nothing],
  ['decimal', '1e3', nothing],
  ['decimal', '.5', nothing],
  ['decimal', '5.', nothing],
  ['decimal', '+5', nothing],
  ['decimal', ' 5', nothing],
  ['decimal', 12.5, nothing],
  ['boolean', true, true],
  ['boolean', 0, nothing],
  ['boolean', 'true', nothing],
  ['datetime', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['datetime', '2026-11-21t10:00:00.5z', '2026-11-21T10:00:00.500Z'],
  ['datetime', '2026-11-21T10:00:00.1239+02:30', '2026-11-21T07:30:00.123Z'],
  ['datetime', '2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
  ['datetime', '0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
  ['datetime', '0000-01-01T00:00:00+00:01', nothing],
  ['datetime', '9999-12-31T23:59:59-00:01', nothing],
  ['datetime', '2026-02-29T10:00:00Z', nothing],
  ['datetime', '2026-11-21T10:00:60Z', nothing],
  ['datetime', '2026-11-21T24:00:00Z', nothing],
  ['datetime', '2026-11-21T10:00:00+24:00', nothing],
  ['datetime', '2026-11-21T10:00:00', nothing],
  ['datetime', '2026-11-21 10:00:00Z', nothing],
  ['datetime', '2026-11-21', nothing],
  ['datetime', 1763719200000, nothing],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '2000-02-29', '2000-02-29'],
  ['date', '1900-02-29', nothing],
  ['date', '2026-04-31', nothing],
  ['date', '2026-00-10', nothing],
  ['date', '2026-13-01', nothing],
  ['date', '2026-1-1', nothing],
  ['date', '2026-11-21T00:00:00Z', nothing],
  ['date', '2026-11-21\n', nothing],
  ['time', '10:00', '10:00:00'],
  ['time', '23:59:59', '23:59:59'],
  ['time', '10:00:00.25', '10:00:00.250'],
  ['time', '10:00:00.000', '10:00:00'],
  ['time', '10:00:00.0009', '10:00:00'],
  ['time', '24:00', nothing],
  ['time', '10:60', nothing],
  ['time', '10:00:60', nothing],
  ['time', '1:00', nothing],
];

/** [kind, text of a query parameter, its canonical form] */
const fromText: readonly (readonly [ScalarKind, string, Scalar | undefined])[] = [
  ['text', 'abc', 'abc'],
  ['text', '\0', nothing],
  ['integer', '-12', -12],
  ['integer', '007', 7],
  ['integer', '-0', 0],
  ['integer', '9007199254740992', nothing],
  ['integer', '1.0', nothing],
  ['integer', '1e3', nothing],
  ['integer', '', nothing],
  ['integer', ' 1', nothing],
  ['bigint', '-00012', -12n],
  ['bigint', '9223372036854775808', nothing],
  ['float', '1.5', 1.5],
  ['float', '1e3', 1000],
  ['float', '-0', 0],
  ['float', '1e999', nothing],
  ['float', 'NaN', nothing],
  ['float', 'Infinity', nothing],
  ['float', '0x10', nothing],
  ['float', '', nothing],
  ['decimal', '1.50', '1.5'],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', 'TRUE', nothing],
  ['boolean', '1', nothing],
  ['datetime', '2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['datetime', '2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z'],
  ['datetime', '2026-02-30', nothing],
  ['date', '2026-11-21', '2026-11-21'],
  ['time', '10:00', '10:00:00'],
];

describe('fromJson', () => {
  test.each(fromJson)('%s %p is %p', (kind, value, canonical) => {
    expect(Object.is(kinds[kind].fromJson(value), canonical)).toBe(true);
  });
});

describe('fromText', () => {
  test.each(fromText)('%s %p is %p', (kind, text, canonical) => {
    expect(Object.is(kinds[kind].fromText(text), canonical)).toBe(true);
  });
});

/** Canonical values in ascending order. */
const ascending: Record<ScalarKind, readonly Scalar[]> = {
  text: ['', 'A', 'a', 'aa', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'],
  integer: [-10, -9, 0, 9, 10],
  bigint: [-(2n ** 63n), -1n, 0n, 2n ** 62n, 2n ** 62n + 1n],
  float: [-1e300, -0.5, 0, 1e-300, 0.5, 1e300],
  decimal: ['-10', '-9.5', '-9', '-0.1', '-0.09', '0', '0.09', '0.1', '9', '9.5', '10'],
  boolean: [false, true],
  datetime: ['0000-01-01T00:00:00.000Z', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.001Z'],
  date: ['0999-12-31', '2026-01-31', '2026-02-01'],
  time: ['00:00:00', '09:59:59', '10:00:00', '10:00:00.001', '10:00:01'],
};

describe('compare', () => {
  test.each(Object.keys(kinds) as ScalarKind[] /* the keys of a Record<ScalarKind, …> */)('orders %s', (kind) => {
    const values = ascending[kind];
    values.forEach((a, i) => {
      values.forEach((b, j) => {
        expect(Math.sign(kinds[kind].compare(a, b))).toBe(Math.sign(i - j));
      });
    });
  });

  test('orders texts as their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(kinds.text.compare(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

describe('canonical forms', () => {
  test('are taken for themselves, from JSON and from text', () => {
    const instant = fc.date({
      min: new Date('0000-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (date, big) => {
        const text = date.toISOString();
        expect(kinds.datetime.fromJson(text)).toBe(text);
        expect(kinds.datetime.fromText(text)).toBe(text);
        expect(kinds.date.fromText(text.slice(0, 10))).toBe(text.slice(0, 10));
        expect(kinds.bigint.fromJson(String(big))).toBe(big);
      }),
    );
  });
});
