import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { completeEscapes, matchesLike } from './like.ts';

test.each([
  ['', '', true],
  ['', '%', true],
  ['', '_', false],
  ['abc', 'abc', true],
  ['abc', 'ABC', true],
  ['ABC', 'aBc', true],
  ['abc', 'ab', false],
  ['ab', 'abc', false],
  ['abc', 'a%', true],
  ['abc', '%c', true],
  ['abc', '%b%', true],
  ['abc', '%%', true],
  ['abc', 'a_c', true],
  ['abc', '__', false],
  ['abc', '____', false],
  ['abcabd', '%ab_', true],
  ['abcabd', 'a%c%d', true],
  ['aab', '%ab', true],
  ['É', 'é', false],
  ['\u212a', 'k', false],
  ['[', '{', false],
  ['@', '`', false],
  ['🙂', '_', true],
  ['a🙂b', 'a_b', true],
  ['🙂', '__', false],
  ['🙂🙃', '%🙃', true],
  ['a\\%', 'a\\%', false],
  ['a%', 'a\\%', true],
  ['ab', 'a\\%', false],
  ['a_', 'a\\_', true],
  ['ab', 'a\\_', false],
  ['a\\', 'a\\', true],
  ['a\\b', 'a\\b', true],
  ['a\\x', 'a\\\\%', true],
  ['a\\', 'a\\\\', true],
  ['xa%b%', '%\\%', true],
  ['a\nb', 'a%b', true],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
])('%p like %p: %p', (text, pattern, expected) => {
  expect(matchesLike(text, pattern)).toBe(expected);
});

test('agrees with the same pattern as a regular expression', () => {
  const unit = fc.constantFrom('a', 'B', 'b', '🙂', 'é');
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 8 }),
      fc.string({ unit: fc.oneof(unit, fc.constantFrom('%', '_')), maxLength: 6 }),
      (text, pattern) => {
        const fold = (letters: string) => letters.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
        const expression = fold(pattern).replaceAll('%', '.*').replaceAll('_', '.');
        expect(matchesLike(text, pattern)).toBe(new RegExp(`^${expression}$`, 'su').test(fold(text)));
      },
    ),
    { numRuns: randomCases(2000) },
  );
});

test('ends soon on the patterns that make a backtracking matcher run for ever', () => {
  expect(matchesLike('a'.repeat(5_000), `${'%a'.repeat(100)}%b`)).toBe(false);
});

test('a pattern whose escapes are complete matches the same texts', () => {
  const unit = fc.constantFrom('a', '%', '_', '\\');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 6 }), fc.string({ unit, maxLength: 6 }), (text, pattern) => {
      const complete = completeEscapes(pattern);
      expect(complete).toMatch(/^(?:[^\\]|\\[%_\\])*$/);
      expect(completeEscapes(complete)).toBe(complete);
      expect(matchesLike(text, complete)).toBe(matchesLike(text, pattern));
    }),
    { numRuns: randomCases(2000) },
  );
});
