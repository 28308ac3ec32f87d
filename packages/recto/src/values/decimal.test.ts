import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { canonicalDecimal, compareDecimals, plainDecimal, sortableDecimal } from './decimal.ts';

/** A decimal as its count of 10^-40, so that exact arithmetic can say how two of them compare. */
function scaled(canonical: string): bigint {
  const [before = '', after = ''] = canonical.replace('-', '').split('.');
  const magnitude = BigInt(before + after.padEnd(40, '0'));
  return canonical.startsWith('-') ? -magnitude : magnitude;
}

const digits = (minimum: number, most: number) =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom('0', '1', '9'), minLength: minimum, maxLength: 3 }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: minimum, maxLength: most }),
  );

const decimal = fc
  .tuple(fc.constantFrom('', '-'), digits(1, 60), digits(0, 40))
  .map(([sign, before, after]) => canonicalDecimal(`${sign}${before}${after === '' ? '' : `.${after}`}`) ?? 'none');

const bytes = (text: string) => Buffer.from(sortableDecimal(text));

describe('decimals', () => {
  test('have one canonical form for each value', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(canonicalDecimal(a)).toBe(a);
        expect(a === b).toBe(scaled(a) === scaled(b));
      }),
    );
  });

  test('compare exactly, and so do their sortable forms, byte by byte', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const difference = scaled(a) - scaled(b);
        const expected = difference < 0n ? -1 : difference > 0n ? 1 : 0;
        expect(Math.sign(compareDecimals(a, b))).toBe(expected);
        expect(Buffer.compare(bytes(a), bytes(b))).toBe(expected);
      }),
      { numRuns: randomCases(2000) },
    );
  });

  test('come back from their sortable form', () => {
    fc.assert(fc.property(decimal, (value) => plainDecimal(sortableDecimal(value)) === value));
  });

  test.each([
    ['0', '1010 0'],
    ['1.5', '10115 1.5'],
    ['-1', '0988~ -1'],
    ['-12.5', '097874~ -12.5'],
  ])('%s is stored as %p', (value, stored) => {
    expect(sortableDecimal(value)).toBe(stored);
  });
});
