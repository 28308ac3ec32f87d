import { expect, test } from 'bun:test';
import { Cache } from './cache.ts';

test('keeps what was used last', () => {
  const gone: string[] = [];
  const cache = new Cache<string>({ entries: 2, dispose: (value) => gone.push(value) });
  cache.set('a', 'A');
  cache.set('b', 'B');
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C');
  expect([cache.size, cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([2, 'A', undefined, 'C']);
  cache.delete('a');
  expect([cache.size, gone]).toEqual([1, ['B', 'A']]);
  cache.clear();
  expect([cache.size, gone]).toEqual([0, ['B', 'A', 'C']]);
});

test('a look is no use', () => {
  const cache = new Cache<string>({ entries: 2 });
  cache.set('a', 'A');
  cache.set('b', 'B');
  expect(cache.peek('a')).toBe('A');
  cache.set('c', 'C');
  expect(cache.get('a')).toBeUndefined();
});

test('is bounded in size and in entries', () => {
  const cache = new Cache<string>({
    entries: 3,
    size: { most: 10, of: (value, key) => value.length + key.length },
  });
  cache.set('a', 'four');
  cache.set('b', 'four');
  expect([cache.size, cache.calculatedSize]).toEqual([2, 10]);
  cache.set('c', 'four');
  expect([cache.size, cache.get('a')]).toEqual([2, undefined]);
  for (const key of ['d', 'e', 'f', 'g']) cache.set(key, '.');
  expect([cache.size, cache.calculatedSize]).toEqual([3, 6]);
  cache.set('h', 'longer than all');
  expect(cache.get('h')).toBeUndefined();
});

test('stays within its bound over many entries', () => {
  const cache = new Cache<{ readonly number: number }>({ entries: 100 });
  for (let number = 0; number < 10_000; number += 1) {
    cache.set(`${number % 150}`, { number });
    expect(cache.size).toBeLessThanOrEqual(100);
    expect(cache.get(`${number % 150}`)?.number).toBe(number);
  }
});
