import { expect, test } from 'bun:test';
import { guardedHtml, unguardedHtml } from './guarded-html.ts';

test.each([
  ['<p style="text-align:center">a</p>', '<p data-recto-style="text-align:center">a</p>'],
  ['<img src=x onerror=alert(1) alt="a > b">', '<img src=x data-recto-onerror=alert(1) alt="a > b">'],
  ['<p title="a style=b" STYLE=x>', '<p title="a style=b" data-recto-STYLE=x>'],
  ['<style>p { color: red }</style>', '<template>p { color: red }</template>'],
  ['<p>my style = plain, onclick="no"</p>', '<p>my style = plain, onclick="no"</p>'],
  ['1 < 2 style="a"', '1 < 2 style="a"'],
  ['<p>data-recto-style="a"</p>', '<p>data-recto-style="a"</p>'],
])('%p', (html, guarded) => {
  expect(guardedHtml(html)).toBe(guarded);
});

test('what is kept as it is gets its names back', () => {
  const html = '<video onplay="x()" style="width:1px" title="style=a"><source src="a"></video>';
  expect(unguardedHtml(guardedHtml(html))).toBe(html);
});

test('a tag without an end is a text, however long', () => {
  const html = `<a${'b'.repeat(400_000)}`;
  expect(guardedHtml(html)).toBe(html);
});
