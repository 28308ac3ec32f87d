import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { sanitizedHtml } from './sanitized-html.ts';
import { xssPayloads } from './xss-payloads.fixture.ts';

describe('what stays', () => {
  test.each([
    ['words', 'words'],
    ['<p>A <b>bold</b> <em>word</em>.</p>', '<p>A <b>bold</b> <em>word</em>.</p>'],
    [
      '<h2 id="h-a-title" class="wp-block-heading">A title</h2>',
      '<h2 id="h-a-title" class="wp-block-heading">A title</h2>',
    ],
    ['<p style="text-align:center;color:red">x</p>', '<p style="text-align:center">x</p>'],
    ['<p style=" Text-Align : right ; ; ">x</p>', '<p style="text-align:right">x</p>'],
    ['<p style="background:url(a;text-align:end;)">x</p>', '<p style="text-align:end">x</p>'],
    ['<p style="text-align:left}">x</p>', '<p>x</p>'],
    ['<p style="text-align:left:left">x</p>', '<p>x</p>'],
    ['<p style="constructor:x;{">x</p>', '<p>x</p>'],
    ['<a href="/about?a=1&amp;b=2#top" hreflang="en">x</a>', '<a href="/about?a=1&amp;b=2#top" hreflang="en">x</a>'],
    ['<a href="mailto:mia@example.com">x</a>', '<a href="mailto:mia@example.com">x</a>'],
    [
      '<a href="https://example.com" target="_blank">x</a>',
      '<a href="https://example.com" target="_blank" rel="noopener">x</a>',
    ],
    [
      '<a href="https://example.com" target="_blank" rel="opener nofollow">x</a>',
      '<a href="https://example.com" target="_blank" rel="nofollow noopener">x</a>',
    ],
    ['<a href="https://example.com" target="main">x</a>', '<a href="https://example.com">x</a>'],
    [
      '<figure class="wp-block-gallery columns-2"><figure class="wp-block-image"><img src="/a.jpg" srcset="/a.jpg 1x, /b.jpg 2x" alt="A &amp; B" width="640" height="360" loading="lazy"><figcaption>One</figcaption></figure></figure>',
      '<figure class="wp-block-gallery columns-2"><figure class="wp-block-image"><img src="/a.jpg" srcset="/a.jpg 1x, /b.jpg 2x" alt="A &amp; B" width="640" height="360" loading="lazy" /><figcaption>One</figcaption></figure></figure>',
    ],
    [
      '<iframe src="https://www.youtube.com/embed/x" width="560" allowfullscreen></iframe>',
      '<iframe src="https://www.youtube.com/embed/x" width="560" allowfullscreen></iframe>',
    ],
    [
      '<video controls src="/a.mp4" poster="/a.jpg"><track src="/a.vtt" kind="captions"></video>',
      '<video controls src="/a.mp4" poster="/a.jpg"><track src="/a.vtt" kind="captions"></track></video>',
    ],
    [
      '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>',
      '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>',
    ],
  ])('%s', (sent, stored) => {
    expect(sanitizedHtml(sent)).toBe(stored);
  });
});

describe('what goes', () => {
  test.each([
    ['a comment', '<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->', '<p>x</p>'],
    ['an unknown element, without its text', '<font color="red">x</font><my-part>y</my-part>', 'xy'],
    ['an id that could be the name of a variable', '<p id="config">x</p>', '<p>x</p>'],
    ['a name', '<a name="config">x</a><img name="cookie" src="/a.png">', '<a>x</a><img src="/a.png" />'],
    ['a data attribute', '<p data-x="1">x</p>', '<p>x</p>'],
    ['a frame of any other site', 'x<iframe src="https://example.com"></iframe>', 'x'],
    ['a frame of this site', 'x<iframe src="/admin"></iframe><iframe src="//youtube.com.example.com/"></iframe>', 'x'],
    ['a frame with another host behind a name', 'x<iframe src="https://www.youtube.com@example.com/"></iframe>', 'x'],
    ['a frame without encryption', 'x<iframe src="http://www.youtube.com/embed/x"></iframe>', 'x'],
    ['a frame of a host with a port', 'x<iframe src="https://www.youtube.com:8443/embed/x"></iframe>', 'x'],
    ['a drawing with its text', 'x<svg><text>y</text></svg>', 'x'],
    ['a form, without its text', '<form action="/x"><label>Name</label><button>Send</button></form>', 'NameSend'],
    ['an image in the address', '<img src="data:image/png;base64,AAAA">', '<img />'],
  ])('%s', (_name, sent, stored) => {
    expect(sanitizedHtml(sent)).toBe(stored);
  });

  test('what is nested deeper than editors nest, without its text', () => {
    const stored = sanitizedHtml(`${'<div>'.repeat(500)}x`);
    expect(stored?.match(/<div>/g)).toHaveLength(100);
    expect(stored).toContain('x');
  });

  // The parser would look through all elements that are open for each end tag that ends none.
  test('everything, where more elements are open than it takes little time to read', () => {
    expect(sanitizedHtml(`${'<b>'.repeat(1_000)}x`)).toContain('x');
    expect(sanitizedHtml(`${'<b>'.repeat(1_001)}x`)).toBeUndefined();
    expect(sanitizedHtml('<b></i>'.repeat(100_000))).toBeUndefined();
    expect(sanitizedHtml('<li>x<br>'.repeat(2_000))).toBe('<li>x<br /></li>'.repeat(2_000));
  });
});

test('markup that is not closed is closed', () => {
  expect(sanitizedHtml('<p>a<p>b<ul><li>c<li>d')).toBe('<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>');
});

test.each(xssPayloads)('%j is no script any more', (payload) => {
  const stored = sanitizedHtml(payload) ?? '';
  for (const [, name = '', attributes = ''] of stored.matchAll(/<([a-z0-9-]+)((?:\s[^<>]*)?)>/gi)) {
    expect(['script', 'style', 'svg', 'math', 'object', 'embed', 'form', 'base', 'meta', 'link']).not.toContain(name);
    // Of an attribute's name and the beginning of its value, outside quotes.
    expect(attributes.replace(/"[^"]*"/g, '""')).not.toMatch(/\son[a-z]+=|srcdoc|formaction/i);
    for (const [, address = ''] of attributes.matchAll(/(?:href|src|cite|poster)="([^"]*)"/g)) {
      expect(address).not.toMatch(/^\W*(?:java|vb)script|^data:/i);
    }
  }
  expect(sanitizedHtml(stored)).toBe(stored);
});

/** Pieces of markup, put together at random. */
const pieces = fc.oneof(
  fc.constantFrom(
    ...[
      '<',
      '>',
      '/',
      '"',
      "'",
      '=',
      '&',
      ';',
      '&lt;',
      '&amp;',
      '&#',
      '&#x',
      '&nbsp;',
      '&quot;',
      '<!--',
      '-->',
      '<?',
      ']]>',
    ],
    ...['<![CDATA[', '\n', '\t', '\f', ' ', '\u00a0', '<p/', '</br>', '</p >', '<br', '<a ', '<a href="', '<img src="'],
    ...[
      'javascript:',
      'srcset="a 1x, b 2x"',
      'target=_blank ',
      'rel="',
      '<div style="',
      'text-align:center',
      '<video src="',
    ],
    ...[
      '<iframe src="https://www.youtube.com/embed/1">',
      '<span id="a-b" class="',
      '<details open>',
      'onerror=alert(1)',
    ],
  ),
  fc
    .tuple(
      fc.constantFrom('', '/'),
      fc.constantFrom(
        ...[
          'p',
          'b',
          'a',
          'script',
          'style',
          'textarea',
          'title',
          'xmp',
          'noscript',
          'template',
          'select',
          'option',
          'form',
        ],
        ...[
          'table',
          'tr',
          'td',
          'caption',
          'li',
          'ul',
          'dl',
          'dt',
          'dd',
          'svg',
          'math',
          'iframe',
          'optgroup',
          'rt',
          'rp',
        ],
        ...[
          'h1',
          'source',
          'col',
          'object',
          'plaintext',
          'image',
          'pre',
          'details',
          'summary',
          'foreignObject',
          'mtext',
        ],
      ),
    )
    .map(([close, name]) => `<${close}${name}>`),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 5 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
);

test('what is stored is stored unchanged when it is sent again', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
      const stored = sanitizedHtml(parts.join('')) ?? '';
      expect(sanitizedHtml(stored)).toBe(stored);
      expect(stored.isWellFormed() && !stored.includes('\0')).toBe(true);
    }),
    { numRuns: randomCases(3_000), examples: [[['</A ', '\u{10000}']]] },
  );
});
