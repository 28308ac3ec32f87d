import { expect, test } from 'bun:test';
import { readableName, readableValue } from './readable-name.ts';

test.each([
  ['reading_minutes', 'Reading minutes'],
  ['site-settings', 'Site settings'],
  ['author_id', 'Author'],
  ['id', 'ID'],
  ['seo', 'SEO'],
  ['canonical_url', 'Canonical URL'],
  ['f1', 'F1'],
  ['a__b', 'A b'],
])('the field %s is called %s', (name, text) => {
  expect(readableName(name)).toBe(text);
});

test.each([
  ['review', 'Review'],
  ['in_review', 'In review'],
  ['url-only', 'URL only'],
  ['de', 'de'],
  ['de-at', 'De at'],
  ['A4', 'A4'],
  ['Not yet', 'Not yet'],
  ['not yet', 'not yet'],
  ['1:1', '1:1'],
  ['', ''],
])('the option "%s" is called "%s"', (value, text) => {
  expect(readableValue(value)).toBe(text);
});
