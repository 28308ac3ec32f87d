import { expect, test } from 'bun:test';
import { importedSlug } from './wordpress-slug.ts';

const slugs: readonly [postName: string, title: string, slug: string | undefined][] = [
  ['hello-world', 'Something else', 'hello-world'],
  ['caf%c3%a9-%c3%b8st', 'x', 'cafe-ost'],
  ['2015', 'A year', '2015'],
  ['%ce%b5%cf%80%ce%af%cf%80%ce%b5%ce%b4%ce%bf-2', 'Επίπεδο 2 – second level', '2-second-level'],
  ['%ce%b5%cf%80%ce%af%cf%80%ce%b5%ce%b4%ce%bf-3', 'Επίπεδο 3', 'n-2a25c3de06-3'],
  ['%e6%97%a5%e6%9c%ac', '日本', 'n-cf2abf0c5b'],
  ['thrown-out__trashed', 'Thrown out', 'thrown-out'],
  ['', 'From the title', 'from-the-title'],
  ['', '日本 2024', 'n-0e6c5d1ff6-2024'],
  ['', '', undefined],
  ['caf%c3', 'cut in a character', 'caf'],
  ['100%', 'no escape', '100'],
];
test.each(slugs)('%s of “%s”', (postName, title, slug) => {
  const made = importedSlug(postName, title);
  if (slug?.startsWith('n-') === true) expect(made).toMatch(/^n-[0-9a-f]{10}(?:-\d+)?$/);
  else expect(made).toBe(slug);
  expect(importedSlug(postName, title)).toBe(made);
});

test('two names in one script do not get one slug', () => {
  expect(importedSlug('%e6%97%a5', '')).not.toBe(importedSlug('%e6%9c%ac', ''));
});
