import { expect, test } from 'bun:test';
import { ItemKeys } from './item-keys.ts';

test('very many items have keys as soon as few have, and keep them', () => {
  const keys = new ItemKeys();
  const first = keys.of(300_000);
  expect(new Set(first).size).toBe(300_000);
  expect(keys.of(300_001).slice(0, -1)).toEqual([...first]);
});
