import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import {
  wxr,
  wxrAuthor,
  wxrCategory,
  wxrComment,
  wxrItem,
  wxrTerm,
} from '../../../../../test/support/wordpress-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { saysLanguage } from './entry-language.ts';
import { wantsMeta } from './meta-mapping.ts';
import type { WxrSink } from './wxr-entry.ts';
import { WxrParser, wxrLimits } from './wxr-parser.ts';

/** Everything that a parser passes on, in order. */
class Collected implements WxrSink {
  readonly entries: unknown[] = [];
  readonly wantsMeta = wantsMeta;
  readonly wantsTermMeta = saysLanguage;
  site = (url: string) => void this.entries.push(['site', url]);
  author = (author: unknown) => void this.entries.push(['author', author]);
  category = (category: unknown) => void this.entries.push(['category', category]);
  term = (term: unknown) => void this.entries.push(['term', term]);
  comment = (item: number, comment: unknown) => void this.entries.push(['comment', item, comment]);
  item = (item: number, content: unknown) => void this.entries.push(['item', item, content]);
}

function parse(pieces: readonly string[]): readonly unknown[] {
  const sink = new Collected();
  const parser = new WxrParser('site.xml', sink);
  for (const piece of pieces) parser.write(piece);
  parser.close();
  return sink.entries;
}

const site = wxr(
  wxrAuthor(7, 'ada', 'ada@site.example', 'Ada L.'),
  wxrCategory({ slug: 'seas', parent: 'waters', name: 'Seas & salt', description: 'Of <b>water</b>' }),
  wxrItem({
    id: 1,
    title: 'A ]]> B & <b>C</b>',
    content: 'α ]]> 😀',
    terms: [['post_tag', 'sea & salt']],
    meta: [
      ['colour', 'red'],
      ['_private', 'x'],
    ],
    comments: [wxrComment({ id: 5, parent: 4, content: 'Hi ]]> there', userId: 7 })],
  }),
  wxrItem({ id: 2, type: 'page', status: 'draft', parent: 9, order: 3, password: 'p' }),
);

test('hands on tags and terms of the head, with the custom fields that say languages', () => {
  const meta = [
    ['_wpml_import_language_code', 'de'],
    ['colour', 'red'],
  ] as const;
  const head = wxr(
    wxrCategory({ id: 4, slug: 'seas', name: 'Seas', meta }),
    wxrTerm({ id: 5, taxonomy: 'post_tag', slug: 'salt', name: 'Salt', meta }),
    wxrTerm({ id: 6, taxonomy: 'language', slug: 'de', name: 'Deutsch', description: 'a:0:{}' }),
    wxrItem({ id: 1 }),
  );
  const language = [['_wpml_import_language_code', 'de']];
  expect(parse([head]).slice(0, 3)).toEqual([
    ['category', { id: '4', slug: 'seas', parent: '', name: 'Seas', description: '', meta: language }],
    ['term', { id: '5', taxonomy: 'post_tag', slug: 'salt', name: 'Salt', description: '', meta: language }],
    ['term', { id: '6', taxonomy: 'language', slug: 'de', name: 'Deutsch', description: 'a:0:{}', meta: [] }],
  ]);
});

test('many custom fields of terms do not count for the first item', () => {
  const meta = [['_wpml_import_language_code', 'x'.repeat(1024 * 1024)]] as const;
  const terms = Array.from({ length: 40 }, (_, id) => wxrTerm({ id, taxonomy: 'post_tag', slug: `tag-${id}`, meta }));
  expect(parse([wxr(...terms, wxrItem({ id: 1 }))])).toHaveLength(42);
});

test('hands on authors, items and their comments as they are written', () => {
  const entries = parse([site]);
  expect(entries).toHaveLength(6);
  expect(entries.slice(0, 4)).toEqual([
    ['author', { id: '7', login: 'ada', email: 'ada@site.example', displayName: 'Ada L.' }],
    [
      'category',
      { id: '', slug: 'seas', parent: 'waters', name: 'Seas & salt', description: 'Of <b>water</b>', meta: [] },
    ],
    ['site', 'https://site.example'],
    [
      'comment',
      1,
      {
        id: '5',
        parent: '4',
        type: 'comment',
        approved: '1',
        author: 'Zoe',
        email: 'zoe@visitor.example',
        content: 'Hi ]]> there',
        date: '2020-05-18 10:00:00',
        dateGmt: '2020-05-18 10:00:00',
        userId: '7',
      },
    ],
  ]);
  expect(entries[4]).toMatchObject([
    'item',
    1,
    {
      id: '1',
      title: 'A ]]> B & <b>C</b>',
      content: 'α ]]> 😀',
      terms: [{ taxonomy: 'post_tag', slug: 'x', name: 'sea & salt' }],
      meta: [['colour', 'red']],
      omittedMeta: 1,
    },
  ]);
  const page = { type: 'page', status: 'draft', parent: '9', menuOrder: '3', password: 'p', terms: [], meta: [] };
  expect(entries[5]).toMatchObject(['item', 2, page]);
});

test('it makes no difference where the pieces of a file end', () => {
  const whole = parse([site]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: site.length - 1 }), { maxLength: 30 }), (cuts) => {
      const places = [0, ...new Set(cuts), site.length].toSorted((a, b) => a - b);
      expect(parse(places.slice(1).map((end, index) => site.slice(places[index], end)))).toEqual([...whole]);
    }),
    { numRuns: randomCases(100) },
  );
});

test('namespaces count, not the prefixes that a file gives them', () => {
  const renamed = site
    .replaceAll('wp:', 'w:')
    .replace('xmlns:wp', 'xmlns:w')
    .replace('http://wordpress.org', 'https://wordpress.org');
  expect(parse([renamed])).toEqual([...parse([site])]);
});

test('an export of an empty site is one', () => expect(parse([wxr()])).toEqual([['site', 'https://site.example']]));

const rss = '<rss version="2.0"><channel><title>x</title>';
const foreign: readonly [name: string, text: string, says: string][] = [
  ['a feed', `${rss}<item><title>x</title></item></channel></rss>`, 'it is an RSS feed without wp:wxr_version'],
  ['a feed without items', `${rss}</channel></rss>`, 'it is an RSS feed without wp:wxr_version'],
  ['another XML file', '<feed xmlns="http://www.w3.org/2005/Atom"></feed>', 'its outermost element is <feed>'],
  ['a web page', '<!DOCTYPE html><html></html>', 'it has a document type'],
  [
    'an entity bomb',
    `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${site.slice(38)}`,
    'it has a document type',
  ],
  ['plain text', 'id,title\n1,Hello', 'it is not XML (line'],
  ['JSON', '{"posts": []}', 'it is not XML (line 1'],
  [
    'another namespace',
    site.replaceAll('http://wordpress.org/export/', 'http://wordpress.example/'),
    'it is an RSS feed without',
  ],
];
test.each(foreign)('%s is no WordPress export', (_name, text, says) => {
  expect(() => parse([text])).toThrow(TransferRefused);
  expect(() => parse([text])).toThrow(`site.xml is no WordPress export: ${says}`);
});

const damaged: readonly [name: string, text: string, says: string][] = [
  ['cut off', site.slice(0, -200), 'site.xml is damaged at line'],
  ['a tag that is not closed', site.replace('</wp:post_id>', ''), 'unexpected close tag'],
  [
    'a bare ampersand',
    site.replace('https://site.example/?p=1', 'https://site.example/?p=1&q=2'),
    'is damaged at line',
  ],
  [
    'a bare ampersand, far from the next semicolon',
    wxr('<title>a &amp; b</title>\n<item>\n<title>Tom & Jerry</title>\n<x>1</x>\n\n<y>a;b</y>\n', '</item>'),
    'is damaged at line 17, column 12: an “&” that must be written “&amp;”.',
  ],
  [
    'a bare ampersand without any semicolon',
    wxr('\n<item>\r\n  <title>\r\n\u{1f600} & Jerry</title></item>'),
    'is damaged at line 18, column 3: an “&” that',
  ],
  [
    'a bare ampersand in an attribute',
    wxr('<item>\n<category nicename="a&b">c</category>;</item>'),
    'is damaged at line 16, column 22: an “&” that',
  ],
  [
    'an ampersand in a section that does not end',
    wxr('<item><title><![CDATA[Tom & Jerry]]></title>\n<title><![CDATA[Tom & Jerry'),
    'unclosed tag: title',
  ],
  ['an unknown entity', site.replace('https://site.example/?p=1', '&nbsp;'), 'undefined entity'],
  ['text after the end', `${site}more`, 'is damaged at line'],
  ['another version', site.replace('<wp:wxr_version>1.2', '<wp:wxr_version>2.0'), 'version 2.0; versions 1.0 to 1.2'],
  ['another encoding', site.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"'), 'written in ISO-8859-1'],
];
test.each(damaged)('%s is rejected', (_name, text, says) => {
  expect(() => parse([text])).toThrow(TransferRefused);
  expect(() => parse([text])).toThrow(says);
  // The position is the same when the text arrives in pieces.
  expect(() => parse([...text])).toThrow(says);
});

describe('what no memory should have to hold', () => {
  const piece = 'x'.repeat(1024 * 1024);
  const many = (count: number) => Array.from({ length: count }, () => piece);
  const before = wxr().replace('</channel>\n</rss>\n', '');
  const megabytes = wxrLimits.text / piece.length;

  test.each<[string, readonly string[], string]>([
    ['a text', [before, '<item><title>', ...many(megabytes + 2)], 'a text of more than'],
    [
      'a CDATA section of what does not matter',
      [before, '<item><x><![CDATA[', ...many(megabytes + 2)],
      'a text of more than',
    ],
    ['an attribute', [before, '<item a="', ...many(megabytes + 2)], 'a text of more than'],
    ['a comment', [before, '<!-- ', ...many(megabytes + 2)], 'a text of more than'],
    [
      'CDATA sections side by side',
      [before, '<item><title>', ...many(megabytes + 2).map((text) => `<![CDATA[${text}]]>`)],
      'a text of',
    ],
    [
      'an item of many texts',
      [
        before,
        '<item>',
        ...many(34).map(
          (text) => `<wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>${text}</wp:meta_value></wp:postmeta>`,
        ),
      ],
      'an item of more than',
    ],
    ['elements within elements', [before, '<item>'.repeat(wxrLimits.depth)], 'nested deeper than'],
  ])('%s', (_name, pieces, says) => {
    expect(() => parse(pieces)).toThrow(TransferRefused);
    expect(() => parse(pieces)).toThrow(says);
  });

  test('what is left out does not count', () => {
    const omitted = many(34).map(
      (text) => `<wp:postmeta><wp:meta_key>_k</wp:meta_key><wp:meta_value>${text}</wp:meta_value></wp:postmeta>`,
    );
    expect(parse([before, '<item>', ...omitted, '</item></channel></rss>'])[1]).toMatchObject([
      'item',
      1,
      { omittedMeta: 34 },
    ]);
  });
});
