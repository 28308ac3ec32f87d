import { expect, test } from 'bun:test';
import { headingsOf } from './headings.ts';

const shown = (html: string): readonly string[] =>
  headingsOf(html).map(({ index, level, text }) => `${index} h${level} ${text}`);

test.each<[string, readonly string[]]>([
  ['', []],
  ['<p>No heading, and no <header>one</header></p>', []],
  ['<h2>One</h2><p>text</p><h3>Two</h3>', ['0 h2 One', '1 h3 Two']],
  ['<h2 class="a > b" id="x-y">With <em>marks</em> &amp; signs</h2>', ['0 h2 With marks & signs']],
  ['<h2></h2><h2> <br></h2><h2>Third</h2>', ['2 h2 Third']],
  ['<blockquote><h4>Inside\n  two lines</h4></blockquote>', ['0 h4 Inside two lines']],
  ['<h2>Same</h2><h2>Same</h2>', ['0 h2 Same', '1 h2 Same']],
])('%s', (html, expected) => {
  expect(shown(html)).toEqual(expected);
});

test('much text without an end of a heading is read once', () => {
  const html = `<h2>${'word '.repeat(40_000)}`;
  expect(headingsOf(html)).toEqual([]);
});
