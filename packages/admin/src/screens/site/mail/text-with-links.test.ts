import { expect, test } from 'bun:test';
import { textWithLinks } from './text-with-links.ts';

const linksIn = (text: string) => textWithLinks(text).flatMap((part) => (part.isLink ? [part.text] : []));

test.each([
  [
    'Open http://localhost:3000/account/invitation#rat_a-b_c\n\nIt works',
    ['http://localhost:3000/account/invitation#rat_a-b_c'],
  ],
  ['See https://example.com. Or (https://example.org/a?b=c)!', ['https://example.com', 'https://example.org/a?b=c']],
  ['javascript:alert(1) data:text/html,x //evil.example', []],
  ['', []],
])('the links of %j', (text, links) => {
  expect(linksIn(text)).toEqual([...links]);
  expect(
    textWithLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
