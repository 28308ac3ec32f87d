import { expect, test } from 'bun:test';
import { postgresName, quoted } from './postgres-names.ts';

const long = (end: string): string => `cms_${'a'.repeat(50)}$${'b'.repeat(40)}$${end}`;

test('a name that fits stays as it is', () => {
  expect(postgresName('cms_article$title$index')).toBe('cms_article$title$index');
  expect(postgresName('a'.repeat(63))).toBe('a'.repeat(63));
});

test('a longer one is cut to what PostgreSQL keeps, differently for every name, always alike', () => {
  const names = [long('index'), long('unique'), long('search'), 'a'.repeat(64), 'a'.repeat(65)];
  const kept = names.map(postgresName);
  expect(kept.map(({ length }) => length)).toEqual(names.map(() => 63));
  expect(new Set(kept).size).toBe(names.length);
  expect(names.map(postgresName)).toEqual(kept);
  expect(kept.map(postgresName)).toEqual(kept);
});

test('a name is quoted as an identifier', () => {
  expect(quoted('sub-title')).toBe('"sub-title"');
  expect(quoted('a"b')).toBe('"a""b"');
});
