import { expect, test } from 'bun:test';
import fc from 'fast-check';
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
