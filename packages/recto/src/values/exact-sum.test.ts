import { expect, test } from 'bun:test';
import { average, compareExact, exactNumber, exactText } from './exact-sum.ts';

const number = (text: string) => exactNumber(text) ?? { units: 0n, scale: -1 };

test.each([
  ['1', 3, '0.33333333333333333333'],
  ['2', 3, '0.66666666666666666667'],
  ['-2', 3, '-0.66666666666666666667'],
  ['0.00000000000000000001', 2, '0.00000000000000000001'],
  ['-0.00000000000000000001', 2, '-0.00000000000000000001'],
  ['0.00000000000000000001', 3, '0'],
  ['18446744073709551614', 2, '9223372036854775807'],
  ['0.0', 7, '0'],
])('the average of %s by %d is %s', (sum, count, expected) => {
  expect(exactText(average(number(sum), count))).toBe(expected);
});

test('numbers compare whatever their scale', () => {
  expect(compareExact(number('1.50'), number('1.5'))).toBe(0);
  expect(compareExact(number('-2'), number('1.5'))).toBe(-1);
  expect(compareExact(number('10'), number('9.99'))).toBe(1);
  expect(exactNumber('1e3')).toBeUndefined();
});
