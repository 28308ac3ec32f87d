import { describe, expect, test } from 'bun:test';
import { addressWithSlug, linkedRecords, mayLink, withSlugs } from './record-links.ts';

const id = '01a1fc65-8957-735c-8289-9fdca63e2d00';
const other = '01a1fc65-8957-735c-8289-9fdca63e2d01';

describe('an address with another slug', () => {
  test.each([
    ['/articles/old', '/articles/new'],
    ['/articles/old/', '/articles/new/'],
    ['/articles/old.html', '/articles/new.html'],
    ['/de/artikel/old?page=2#part-3', '/de/artikel/new?page=2#part-3'],
    ['https://example.com/blog/old-slug-2#a/b', 'https://example.com/blog/new#a/b'],
    ['//example.com/old', '//example.com/new'],
    ['old', 'new'],
    ['../old', '../new'],
    ['/old&amp;x=1', '/old&amp;x=1'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com/'],
    ['https://localhost', 'https://localhost'],
    ['//localhost/', '//localhost/'],
    ['/', '/'],
    ['', ''],
    ['#old', '#old'],
    ['?slug=old', '?slug=old'],
    [`/articles/${id}`, `/articles/${id}`],
    ['mailto:old', 'mailto:old'],
    ['/articles/Old_One', '/articles/Old_One'],
    ['/articles/%6fld', '/articles/%6fld'],
  ])('%s', (before, after) => {
    expect(addressWithSlug(before, 'new')).toBe(after);
    expect(addressWithSlug(after, 'new')).toBe(after);
  });

  test('what is no slug is written nowhere', () => {
    for (const slug of ['', '../admin', 'a"b', 'a<b', 'a\\b']) expect(addressWithSlug('/a/old', slug)).toBe('/a/old');
  });

  test('a long address takes no longer than its length', () => {
    const long = `/${'/'.repeat(200_000)}`;
    expect(addressWithSlug(long, 'new')).toBe(long);
  });
});

const json = (...html: readonly string[]): string => JSON.stringify({ html });
const link = (rest: string, reference = `articles/${id}`) => `<a ${rest} data-record="${reference}">x</a>`;
const slugs = new Map([[`articles/${id}`, 'new']]);

describe('the links in a text', () => {
  test('are found, whatever stands around them', () => {
    const text = json(
      `<p>${link('href="/articles/old"')} ${link('class="a" href="/b/old" title="x &gt; y"')}</p>`,
      `<a data-record="articles/${id}" href="/c/old">x</a><a href="/d/old">no</a>`,
    );
    expect(mayLink(text)).toBeTrue();
    expect(linkedRecords(text, 9)).toEqual([{ plural: 'articles', id }]);
    expect(withSlugs(text, slugs)).toBe(text.replace(/(\/[abc]|articles)\/old/g, '$1/new'));
  });

  test('each record once, and so many at most', () => {
    const text = json(link('href="/a"', `articles/${id}`), link('href="/a"', `articles/${other}`), link('href="/a"'));
    expect(linkedRecords(text, 9).map((each) => each.id)).toEqual([id, other]);
    expect(linkedRecords(text, 1).map((each) => each.id)).toEqual([id]);
  });

  test.each([
    ['another record', link('href="/articles/old"', `articles/${other}`)],
    ['another type', link('href="/articles/old"', `pages/${id}`)],
    ['no id', link('href="/articles/old"', 'articles/7')],
    ['no link', `<p href="/articles/old" data-record="articles/${id}">`],
    ['a text about it', `data-record="articles/${id}" href="/articles/old"`],
    ['no address', `<a data-record="articles/${id}">x</a> href="/articles/old"`],
    ['an escaped one', `&lt;a href="/articles/old" data-record="articles/${id}"&gt;`],
  ])('stay: %s', (_, html) => {
    expect(withSlugs(json(html), slugs)).toBe(json(html));
  });

  test('many beginnings without an end take no longer than their length', () => {
    for (const part of ['<a ', ' data-record=\\"', '<a  data-record=\\"articles/', '<a href=\\"']) {
      const text = part.repeat(200_000);
      expect(withSlugs(text, slugs)).toBe(text);
    }
  });
});
