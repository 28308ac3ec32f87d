import { expect, test } from 'bun:test';
import { toolsThatFit } from './tools-that-fit.ts';

const sizes = { tool: 10, gap: 2 };

test.each<[number, readonly number[]]>([
  [54, [3, 2]],
  [52, [3, 2]],
  [51, [3, 0]],
  [42, [3, 0]],
  [41, [2, 0]],
  [12, [0, 0]],
])('in %i pixels, %p of three and two tools of ten are shown, and a menu', (room, shown) => {
  expect(toolsThatFit([3, 2], { ...sizes, room })).toEqual(shown);
});
