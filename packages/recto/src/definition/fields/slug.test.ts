import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { slugify } from './slug.ts';

test.each([
  ['Hello, World!', 'hello-world'],
  ['  Crème brûlée  ', 'creme-brulee'],
  ['Straße & Fluß', 'strasse-fluss'],
  ['ẞ', 'ss'],
  ['Æsop, Ødegård, Łódź, Đorđe', 'aesop-odegard-lodz-dorde'],
  ["Don't stop", 'dont-stop'],
  ['ﬁne™', 'finetm'],
  ['İstanbul', 'istanbul'],
  ['2026', '2026'],
  ['日本語 2026', '2026'],
])('%p → %p', (text, slug) => expect(slugify(text)).toBe(slug));

test('a text without a Latin form has a slug of its own, always the same', () => {
  expect(slugify('日本語')).toMatch(/^n-[0-9a-f]{10}$/);
  expect(slugify('日本語')).toBe(slugify('日本語'));
  expect(slugify('日本語')).not.toBe(slugify('中文'));
  expect(slugify('')).toMatch(/^n-[0-9a-f]{10}$/);
});

test('a long text is cut between words', () => {
  expect(slugify(`${'word '.repeat(40)}`)).toBe('word-'.repeat(24).slice(0, -1));
  expect(slugify('x'.repeat(500))).toBe('x'.repeat(120));
});

test('any text gives a slug that stays itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const slug = slugify(text);
      expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(120);
      expect(slugify(slug)).toBe(slug);
    }),
  );
});
