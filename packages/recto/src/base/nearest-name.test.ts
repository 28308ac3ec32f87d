import { expect, test } from 'bun:test';
import { nearestName } from './nearest-name.ts';

test.each([
  ['titel', ['title', 'tile'], 'title'],
  ['Title', ['title'], 'title'],
  ['statu', ['status', 'state'], 'status'],
  ['x', ['id', 'y'], undefined],
  ['naem', ['age', 'name'], 'name'],
  ['xyz', ['title', 'status'], undefined],
  ['author', [], undefined],
  ['constructor', ['contractor'], 'contractor'],
  ['z'.repeat(10_000), ['title'], undefined],
] as const)('%p among %p is %p', (written, names, expected) => {
  expect(nearestName(written, names)).toBe(expected);
});
