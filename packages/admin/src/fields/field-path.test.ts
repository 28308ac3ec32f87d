import { expect, test } from 'bun:test';
import { childPath } from '../../../recto/src/values/field-path.ts';
import { isInside, memberPath, pathsTo } from './field-path.ts';
import { unreadable, unreadableIn } from './unreadable.ts';
import { valueAt } from './value-at.ts';

test('the way to a path has every part of it', () => {
  expect(pathsTo('title')).toEqual(['title']);
  expect(pathsTo('body[2].items[0].author')).toEqual([
    'body',
    'body[2]',
    'body[2].items',
    'body[2].items[0]',
    'body[2].items[0].author',
  ]);
  expect(pathsTo('__meta["odd.key[1]"].a')).toEqual(['__meta', '__meta["odd.key[1]"]', '__meta["odd.key[1]"].a']);
});

test('paths are spelled as the service spells them', () => {
  for (const name of ['title', 'meta_title', 'odd key', '__meta', 'a"b']) {
    expect(memberPath('', name)).toBe(childPath('', name));
    expect(memberPath('body[2]', name)).toBe(childPath('body[2]', name));
  }
});

test('inside is a whole part, and no beginning of a name', () => {
  expect(isInside('body[2].author', 'body[2]')).toBe(true);
  expect(isInside('body[20].author', 'body[2]')).toBe(false);
  expect(isInside('titles', 'title')).toBe(false);
});

test('values are found by path', () => {
  const record = { body: [{ 'odd key': 1 }], __proto__: null };
  expect(valueAt(record, pathsTo('body[0]["odd key"]'))).toBe(1);
  expect(valueAt(record, pathsTo('body[1].a'))).toBeUndefined();
  expect(valueAt(record, pathsTo('toString'))).toBeUndefined();
});

test('what cannot be sent is found wherever it stands', () => {
  const record = { title: 'a', meta: unreadable('{', 'ends'), body: [{ price: unreadable('x', 'no number') }] };
  expect(unreadableIn(record)).toEqual({ meta: 'ends', 'body[0].price': 'no number' });
});

test('very many items are no hindrance', () => {
  const many = Array.from({ length: 1_000_000 }, (_, index): unknown => index);
  expect(unreadableIn({ data: many })).toEqual({});
  expect(unreadableIn({ data: [...many, unreadable('x', 'no number')] })).toEqual({ 'data[1000000]': 'no number' });
});
