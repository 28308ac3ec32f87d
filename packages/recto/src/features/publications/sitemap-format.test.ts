import { expect, test } from 'bun:test';
import { chosenFormat, type SitemapFormat, sitemapFormats } from './sitemap-format.ts';

const choices: readonly [accept: string | null, format: SitemapFormat][] = [
  [null, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['Application/XML', 'xml'],
  ['text/xml', 'xml'],
  ['text/html', 'json'],
  ['application/json, application/xml', 'json'],
  ['application/xml, application/json', 'xml'],
  ['application/json;q=0.5, application/xml', 'xml'],
  ['application/xml;q=0.5, */*', 'json'],
  ['application/xml;q=0', 'json'],
  // A browser's.
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'xml'],
  [';;,,"', 'json'],
];
test.each(choices)('Accept: %p is %s', (accept, format) => {
  expect(chosenFormat(accept)).toBe(format);
});

test('what has a meaning in XML is escaped', () => {
  const text = sitemapFormats.xml.write([{ slug: 'a', loc: `https://a.example/?b&<c>"'`, updated_at: '2026-11-21' }]);
  expect(text).toContain('<loc>https://a.example/?b&amp;&lt;c&gt;&quot;&apos;</loc><lastmod>2026-11-21</lastmod>');
});

test('a sitemap without entries is one', () => {
  expect(sitemapFormats.json.write([])).toBe('{"items":[]}');
  expect(sitemapFormats.xml.write([])).toContain(
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n</urlset>',
  );
});
