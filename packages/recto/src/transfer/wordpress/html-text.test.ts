import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { decodeReferences, plainLine, plainText, shortened } from './html-text.ts';

const texts: readonly [html: string, text: string][] = [
  ['plain', 'plain'],
  ['  two\r\nlines \r', 'two\nlines'],
  ['Title <em>With</em> <b>Mark<sup>up</sup></b>', 'Title With Markup'],
  ['~`!@#$%^&*()-_=+{}[]/\\;:\'"?,.>', '~`!@#$%^&*()-_=+{}[]/\\;:\'"?,.>'],
  ['3 < 4 &amp; 5 &gt; 4', '3 < 4 & 5 > 4'],
  ['a &amp;lt;b&amp;gt; c', 'a &lt;b&gt; c'],
  ['<p>one</p><p>two<br>three</p>', 'one\ntwo\nthree'],
  ['one\n\n\n \n\ntwo', 'one\n\ntwo'],
  ['<ul><li>a<li>b</ul>', 'a\nb'],
  ['See <a href="https://e.example/x?a=1&amp;b=2">this</a>.', 'See this (https://e.example/x?a=1&b=2).'],
  ['<a href="https://e.example">https://e.example</a>', 'https://e.example'],
  ['<a href="javascript:alert(1)">x</a>', 'x'],
  ['<!-- wp:paragraph -->text<!-- /wp:paragraph -->', 'text'],
  ['<script>alert("</p>")</script>after<style>p{}</style>', 'after'],
  ['<img src="x" onerror="alert(1)">', ''],
  ['', ''],
];
test.each(texts)('%j', (html, text) => expect(plainText(html)).toBe(text));

test('of several blank lines one is left', () => {
  const parts = fc.constantFrom('\n', ' ', '\t', '\u00a0', '\u2028', 'a', 'b');
  const written = fc.array(parts, { maxLength: 14 }).map((found) => found.join(''));
  fc.assert(
    fc.property(written, (text) => {
      // In one expression, which takes the square of the time where there are many spaces.
      expect(plainText(text)).toBe(text.replace(/[^\S\n]*\n(?:[^\S\n]*\n)+/g, '\n\n').trim());
    }),
    { numRuns: randomCases(2000) },
  );
});

// Each would take hours in the square of the time.
describe('long texts', () => {
  const long = 8_000_000;
  test.each([
    ['spaces', `a${' '.repeat(long)}b`, long + 2],
    ['blank lines', `a${' \n'.repeat(long / 2)}b`, 4],
    ['blocks', `${'<p>a'.repeat(long / 8)}`, long / 4 - 1],
    ['links', '<a href="https://e.example">x</a>'.repeat(long / 80), (long / 80) * ' (https://e.example)x'.length],
    [
      'links within links',
      `${'<a href="https://e.example">'.repeat(long / 80)}x${'</a>'.repeat(long / 80)}`,
      (long / 80) * ' (https://e.example)'.length + 1,
    ],
  ])('%s', (_, html, length) => {
    expect(plainText(html).length).toBe(length);
  });
});

test('on one line', () => expect(plainLine(' <p>one</p>\n<p>two&nbsp;&nbsp;three</p>')).toBe('one two three'));

const references: readonly [text: string, decoded: string][] = [
  ['&#8217;&#x2019;&rsquo;', '’’’'],
  ['&#x1F600;', '😀'],
  ['&#0; &#xD800; &#x110000; &#99999999;', '&#0; &#xD800; &#x110000; &#99999999;'],
  ['&unheardof; &constructor; & &;', '&unheardof; &constructor; & &;'],
];
test.each(references)('%s', (text, decoded) => expect(decodeReferences(text)).toBe(decoded));

test('a text is shortened by characters, not by halves of them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (text, most) => {
      const short = shortened(text, most);
      expect([...short].length).toBeLessThanOrEqual(most);
      expect(short.isWellFormed()).toBe(true);
      if ([...text].length <= most) expect(short).toBe(text);
      else expect(short).toEndWith('…');
    }),
  );
});
