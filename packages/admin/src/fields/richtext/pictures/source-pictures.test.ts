import { expect, test } from 'bun:test';
import { type SourceLanguage, sourcePictures } from './source-pictures.ts';

/** The text with every picture of the other site fetched. */
function fetched(text: string, language: SourceLanguage): string {
  const changes = sourcePictures(text, language).flatMap(({ source, become }, at) =>
    source.startsWith('https://far.example/') ? become(`/media/${at}/a "b"&c.png`) : [],
  );
  return changes
    .toSorted((a, b) => b.from - a.from)
    .reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), text);
}
const far = 'https://far.example/p.png';
const found = (text: string, language: SourceLanguage) =>
  sourcePictures(text, language).map(({ source, alt }) => [source, alt]);

test.each([
  [`<p class=x>a<img src="${far}" alt="A &amp; B">b</p>`, [[far, 'A & B']]],
  [`<IMG SRC='${far}?a=1&amp;b=2' />`, [[`${far}?a=1&b=2`, '']]],
  [`<img alt=A src=${far}>`, [[far, 'A']]],
  [`<custom><img src="/media/own.png" alt=""></custom><img alt="none">`, [['/media/own.png', '']]],
  [`<!-- <img src="${far}"> --><p>&lt;img src="${far}"></p>`, []],
] as const)('pictures in HTML: %s', (text, pictures) => {
  expect(found(text, 'html')).toEqual(pictures.map((one) => [...one]));
});

test('in HTML another address stands in the place of the first, and other sizes go', () => {
  const picture = `<picture>
  <source srcset="${far}.webp 1x" type="image/webp">
  <img src='${far}' srcset="${far} 2x" sizes=100vw alt="A">
</picture><img src="/media/own.png"><video><source src="${far}.mp4"></video>`;
  expect(fetched(picture, 'html')).toBe(`<picture>
  <img src="/media/0/a &quot;b&quot;&amp;c.png" alt="A">
</picture><img src="/media/own.png"><video><source src="${far}.mp4"></video>`);
});

test.each([
  [`a ![A \\[red\\] sea](${far} "Title") b`, [[far, 'A [red] sea']]],
  [
    `![A](<${far}>) and ![](${far}\\_x)`,
    [
      [far, 'A'],
      [`${far}_x`, ''],
    ],
  ],
  [
    `![A][sea] and ![sea][] and ![Sea]\n\n[sea]: ${far}\n[other]: ${far}2`,
    [
      [far, 'A'],
      [far, 'sea'],
      [far, 'Sea'],
    ],
  ],
  [`[a link](${far}) and \`![code](${far})\`\n\n    ![code](${far})\n`, []],
  [
    `Words <img src="${far}" alt="A"> in a line\n\n<div>\n<img src="/media/own.png">\n</div>`,
    [
      [far, 'A'],
      ['/media/own.png', ''],
    ],
  ],
] as const)('pictures in Markdown: %s', (text, pictures) => {
  expect(found(text, 'markdown')).toEqual(pictures.map((one) => [...one]));
});

test('in Markdown another address stands in the place of the first', () => {
  expect(fetched(`![A](<${far}> "T") ![own](/media/own.png)\n\n<img src=${far}>`, 'markdown')).toBe(
    `![A](/media/0/a "b"&c.png "T") ![own](/media/own.png)\n\n<img src="/media/2/a &quot;b&quot;&amp;c.png">`,
  );
});
