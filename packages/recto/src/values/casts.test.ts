import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { castValue, isCast } from './casts.ts';
import { canonicalDecimal } from './decimal.ts';
import { kinds } from './kinds.ts';
import type { JsonValue, Scalar, ValueKind } from './value-kind.ts';

const digits = (max: number) => fc.stringMatching(new RegExp(`^\\d{1,${max}}$`));

const decimals = fc
  .tuple(fc.boolean(), digits(30), digits(20))
  .map(([negative, before, after]) => canonicalDecimal(`${negative ? '-' : ''}${before}.${after}`) ?? '0');

const instants = fc
  .date({ min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T00:00:00.000Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

const bigints = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer().map(BigInt));
const integers = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 1));
const floats = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()).map((value) => value + 0);

const plain: Readonly<Record<Exclude<ValueKind, 'text' | 'json'>, fc.Arbitrary<Scalar>>> = {
  integer: integers,
  bigint: bigints,
  float: floats,
  decimal: decimals,
  boolean: fc.boolean(),
  datetime: fc.oneof(
    instants,
    instants.map((text) => `${text.slice(0, 10)}T00:00:00.000Z`),
  ),
  date: instants.map((text) => text.slice(0, 10)),
  time: instants.map((text) => kinds.time.fromText(text.slice(11, 23)) ?? '00:00:00'),
};

const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.oneof(...Object.values(plain)).map(String));

const values: Readonly<Record<ValueKind, fc.Arbitrary<Scalar | JsonValue>>> = {
  ...plain,
  text: texts,
  json: fc.oneof(texts, floats, integers, fc.boolean(), fc.constant(null), fc.array(fc.integer())),
};

const all = Object.keys(values) as ValueKind[];

describe('casts', () => {
  const pairs = all.flatMap((from) => all.map((to): [ValueKind, ValueKind] => [from, to]));

  test.each(pairs)('%s to %s gives a value of that kind which casts back to the same, or none', (from, to) => {
    fc.assert(
      fc.property(values[from], (value) => {
        const cast = castValue(from, to, value);
        if (cast === undefined) return;
        expect(isCast(from, to)).toBe(true);
        if (to !== 'json')
          expect(kinds[to].fromJson(typeof cast === 'bigint' ? String(cast) : cast)).toBe(cast as Scalar);
        expect(castValue(to, from, cast)).toEqual(value);
      }),
      { numRuns: randomCases(200) },
    );
  });

  // A cast that succeeds has an inverse.
  test.each(pairs)('from %s to %s is a cast where the other way is', (from, to) => {
    expect(isCast(from, to)).toBe(isCast(to, from));
  });
});

const cases: readonly [ValueKind, Scalar | JsonValue, ValueKind, Scalar | JsonValue | undefined][] = [
  ['integer', 5, 'bigint', 5n],
  ['bigint', 5n, 'decimal', '5'],
  ['bigint', 2n ** 60n + 1n, 'float', undefined],
  ['bigint', 2n ** 60n + 1n, 'integer', undefined],
  ['integer', 2 ** 53 - 1, 'float', 2 ** 53 - 1],
  ['integer', 2, 'boolean', undefined],
  ['integer', 1, 'boolean', true],
  ['float', 0.1, 'decimal', '0.1'],
  ['float', 1e21, 'decimal', '1000000000000000000000'],
  ['decimal', '0.1', 'float', 0.1],
  ['decimal', '0.10000000000000000001', 'float', undefined],
  ['decimal', '1.5', 'integer', undefined],
  ['text', '12', 'integer', 12],
  ['text', '012', 'integer', undefined],
  ['text', ' 12', 'integer', undefined],
  ['text', '-0', 'integer', undefined],
  ['text', '1.50', 'decimal', undefined],
  ['text', 'true', 'boolean', true],
  ['text', 'yes', 'boolean', undefined],
  ['text', '2026-11-21', 'datetime', undefined],
  ['date', '2026-11-21', 'datetime', '2026-11-21T00:00:00.000Z'],
  ['datetime', '2026-11-21T00:00:00.000Z', 'date', '2026-11-21'],
  ['datetime', '2026-11-21T00:00:00.001Z', 'date', undefined],
  ['text', 'x', 'json', 'x'],
  ['json', ['x'], 'text', undefined],
  ['json', 5, 'text', undefined],
  ['json', null, 'text', undefined],
  ['time', '10:00:00', 'datetime', undefined],
];

test.each(cases)('%s %p as %s is %p', (from, value, to, wanted) => {
  expect(castValue(from, to, value)).toEqual(wanted as never);
});
