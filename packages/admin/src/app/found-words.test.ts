import { expect, test } from 'bun:test';
import { excerpt, hasWords, markWords } from './found-words.ts';

const marked = (text: string, search: string): string =>
  markWords(text, search)
    .map(({ text: piece, isHit }) => (isHit ? `[${piece}]` : piece))
    .join('');

test.each([
  ['Why margins matter', 'marg', 'Why [marg]ins matter'],
  ['Paper and paper', 'PAPER', '[Paper] and [paper]'],
  ['A smart start in art', 'art', 'A smart start in [art]'],
  ['Überall Café', 'uber cafe', '[Über]all [Café]'],
  ['U\u0308berall', 'über', '[Über]all'],
  ['東京の紙', '紙', '東京の[紙]'],
  ['1 + (1) = 2?', '(1)', '[1] + ([1]) = 2?'],
  ['<b>bold</b> $& \\d', '$& \\d <b>', '<[b]>[b]old</[b]> $& \\[d]'],
  ['Nothing', ' ', 'Nothing'],
  ['', 'a', ''],
])('%p, searched for %p, is %p', (text, search, expected) => {
  expect(marked(text, search)).toBe(expected);
});

test('all words have to begin a word of the text', () => {
  expect(hasWords('Why margins matter', 'mat why')).toBe(true);
  expect(hasWords('Why margins matter', 'argins')).toBe(false);
  expect(hasWords('Why margins matter', 'why not')).toBe(false);
});

test('an excerpt begins near the first word that is found, at a word', () => {
  const long = `${'leading words '.repeat(20)}then the paper comes ${'and more words follow '.repeat(20)}`;
  const found = excerpt(['nothing here', long], 'paper');
  expect(found).toStartWith('… ');
  expect(found).toEndWith(' …');
  expect(found?.indexOf('paper')).toBeLessThan(40);
  expect(found?.length).toBeLessThan(160);
  expect(excerpt(['On paper.'], 'paper')).toBe('On paper.');
  expect(excerpt(['On paper.'], 'ink')).toBeUndefined();
  expect(excerpt(['On paper.'], '')).toBeUndefined();
});
