import { expect, test } from 'bun:test';
import { htmlText } from './html-text.ts';

test('the text of HTML has no markup, and its characters as they are read', () => {
  expect(htmlText('<h2>Settings &gt; Discussion</h2><p>A &amp; B &#39;c&#x27; &nbsp;d<br>e</p>')).toBe(
    "Settings > Discussion\nA & B 'c' \u00a0d\ne",
  );
  // What was escaped once stays as it was written.
  expect(htmlText('&amp;lt;b&amp;gt; &unknown; &constructor; &#0; &#1114112;')).toBe(
    '&lt;b&gt; &unknown; &constructor; &#0; &#1114112;',
  );
});
