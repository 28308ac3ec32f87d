import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { bigintKind } from '../../../../recto/src/values/bigint-kind.ts';
import { canonicalDecimal } from '../../../../recto/src/values/decimal.ts';
import { readBigint, readDecimal, readFloat, readInteger } from './number-text.ts';

const readValue = (read: object): unknown => ('value' in read ? read.value : undefined);

describe('whole numbers', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['42', 42],
    [' -7 ', -7],
    ['−7', -7],
    ['+7', 7],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
  ])('%p is %p', (text, value) => {
    expect(readInteger(text)).toEqual({ value });
    expect(Object.is(readValue(readInteger(text)), -0)).toBe(false);
  });

  test('what is none says why', () => {
    expect(readInteger('1.5')).toEqual({ issue: 'whole' });
    expect(readInteger('9007199254740992')).toEqual({ issue: 'range' });
    expect(readInteger('1e3')).toEqual({ issue: 'number' });
    expect(readInteger('12abc')).toEqual({ issue: 'number' });
  });

  test('64-bit numbers keep every digit', () => {
    expect(readBigint('9223372036854775807')).toEqual({ value: '9223372036854775807' });
    expect(readBigint('-9223372036854775808')).toEqual({ value: '-9223372036854775808' });
    expect(readBigint('0009007199254740993')).toEqual({ value: '9007199254740993' });
    expect(readBigint('9223372036854775808')).toEqual({ issue: 'range' });
    expect(readBigint('99999999999999999999')).toEqual({ issue: 'range' });
  });
});

describe('decimals and floats', () => {
  test('decimals are exact, and as the service returns them', () => {
    expect(readDecimal('8.50')).toEqual({ value: '8.5' });
    expect(readDecimal('.5')).toEqual({ value: '0.5' });
    expect(readDecimal('-0.00')).toEqual({ value: '0' });
    expect(readDecimal('0.1234567890123456789012345678901234567890')).toEqual({
      value: '0.123456789012345678901234567890123456789',
    });
    expect(readDecimal('1,5')).toEqual({ issue: 'number' });
    expect(readDecimal('.')).toEqual({ issue: 'number' });
    expect(readDecimal(`1${'0'.repeat(60)}`)).toEqual({ issue: 'digits' });
  });

  test('floats are finite', () => {
    expect(readFloat('1.5e3')).toEqual({ value: 1500 });
    expect(readFloat('1.')).toEqual({ value: 1 });
    expect(readFloat('1e999')).toEqual({ issue: 'range' });
    expect(readFloat('NaN')).toEqual({ issue: 'number' });
    expect(readFloat('0x10')).toEqual({ issue: 'number' });
  });
});

/** Texts near numbers: digits, signs, points and what people type beside them. */
const nearNumber = fc.stringMatching(/^-?[0-9]{0,64}(?:\.[0-9]{0,44})?[ ,e]?$/);

test('what the service accepts, the form reads as the same value', () => {
  fc.assert(
    fc.property(nearNumber, (text) => {
      const decimal = canonicalDecimal(text);
      if (decimal !== undefined) expect(readDecimal(text)).toEqual({ value: decimal });
      const read = readValue(readDecimal(text));
      if (typeof read === 'string') expect(canonicalDecimal(read)).toBe(read);
      const whole = bigintKind.fromText(text);
      if (whole !== undefined) expect(readBigint(text)).toEqual({ value: String(whole) });
      const large = readValue(readBigint(text));
      if (typeof large === 'string') expect(String(bigintKind.fromText(large))).toBe(large);
    }),
    { numRuns: randomCases(2000) },
  );
});
