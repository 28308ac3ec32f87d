import { expect, test } from 'bun:test';
import { trendOf } from './trend.ts';

test('the line through points of a line is that line', () => {
  const trend = trendOf([0, 1, 2, 3, 10].map((at) => ({ at, value: 5 + 0.25 * at })));
  expect(trend.start).toBeCloseTo(5, 10);
  expect(trend.slope).toBeCloseTo(0.25, 10);
  expect(trend.error).toBeCloseTo(0, 10);
});

test('the error shows whether a slope differs from zero', () => {
  // By hand: slope 0.5, residuals ±0.25 and ±0.75 around 1.25 + 0.5 x; error = sqrt(1.25 / 2 / 5).
  const trend = trendOf([1, 2.5, 1.5, 3].map((value, at) => ({ at, value })));
  expect(trend.slope).toBeCloseTo(0.5, 10);
  expect(trend.start).toBeCloseTo(1.25, 10);
  expect(trend.error).toBeCloseTo(Math.sqrt(1.25 / 2 / 5), 10);
});
