import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { searchQueryWords, searchWords } from './search-words.ts';

describe('searchWords', () => {
  const table: readonly (readonly [what: string, text: string, words: readonly string[]])[] = [
    ['small letters', 'Hello WORLD', ['hello', 'world']],
    ['punctuation parts', "it's a well-known e-mail@example.com", 'it s a well known e mail example com'.split(' ')],
    ['digits', 'Version 2.10, 1000€', ['version', '2', '10', '1000']],
    ['accents', 'Crème brûlée Ångström', ['creme', 'brulee', 'angstrom']],
    ['accents written apart', 'Cre\u0300me', ['creme']],
    ['letters with a stroke', 'Łódź Ørsted Đoković', ['lodz', 'orsted', 'dokovic']],
    ['ligatures and sharp s', 'ﬁnal Straße STRASSE STRAẞE cœur', ['final', 'strasse', 'strasse', 'strasse', 'coeur']],
    ['Turkish i', 'İstanbul ılık', ['istanbul', 'ilik']],
    ['Greek final sigma', 'ΛΌΓΟΣ λόγος', ['λογοσ', 'λογοσ']],
    ['Cyrillic', 'Ёлка Привет', ['елка', 'привет']],
    ['Hebrew points', 'שָׁלוֹם', ['שלום']],
    ['Arabic vowels', 'مُحَمَّد', ['محمد']],
    ['Devanagari keeps its vowels', 'हिन्दी', ['हिन्दी']],
    ['Hangul stays words', '한국어 문서', ['한국어', '문서']],
    ['Han and kana are single characters', '東京タワー2', ['東', '京', 'タ', 'ワ', 'ー2']],
    ['Thai is single characters with their marks', 'ที่นี่', ['ที่', 'นี่']],
    ['tags', '<p>One<br/>two</p><P class="x">three</P><!-- -->', ['one', 'two', 'three']],
    ['tags within a word', 'un<b>believ</b>able', ['unbelievable']],
    ['no tag', 'a < b and c > d', ['a', 'b', 'and', 'c', 'd']],
    ['entities', 'caf&eacute;&nbsp;bar &#233;t&#xE9; Stra&szlig;e R&D', ['cafe', 'bar', 'ete', 'strasse', 'r', 'd']],
    ['an entity beyond Unicode', 'a&#x110000;b', ['a', 'b']],
    ['nothing', ' -- !? ', []],
  ];
  test.each(table)('%s', (_what, text, words) => {
    expect(searchWords(text)).toEqual([...words]);
  });

  test('a long word is cut, never within a character', () => {
    expect(searchWords('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
    expect(searchWords(`x${'𝒳𐐷'.repeat(100)}`)[0]?.isWellFormed()).toBe(true);
  });

  test('words are stable: the words of the words are the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = searchQueryWords(text);
        expect(searchQueryWords(words.join(' '))).toEqual(words);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
      }),
      { numRuns: randomCases(500) },
    );
  });

  test('plain text has the same words as beside letters that are not', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(searchWords(`é ${text}`)).toEqual(['e', ...searchWords(text)]);
      }),
      { numRuns: randomCases(500) },
    );
  });

  test.each([
    ['open tags', '<a'.repeat(500_000)],
    ['open comments', '<!--'.repeat(250_000)],
    ['open scripts', '<script>'.repeat(125_000)],
    ['ampersands', '&#'.repeat(500_000)],
  ])('a text made to be slow is not: %s', (_what, text) => {
    // Quadratic work on a megabyte would run into the test's own time limit.
    expect(searchWords(text).length).toBeLessThan(600_000);
  });
});

describe('searchQueryWords', () => {
  test('keeps tags, operators and quotes as plain words', () => {
    expect(searchQueryWords('"a" AND <b> OR c* NOT NEAR(d)')).toEqual(['a', 'and', 'b', 'or', 'c', 'not', 'near', 'd']);
  });

  test('each word once, the last one last', () => {
    expect(searchQueryWords('foo bar foo')).toEqual(['bar', 'foo']);
  });

  test('at most 32 words', () => {
    const many = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ');
    expect(searchQueryWords(many)).toHaveLength(32);
  });
});
