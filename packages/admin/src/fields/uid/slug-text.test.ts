import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { slugify } from '../../../../recto/src/definition/fields/slug.ts';
import { isSlug, slugText } from './slug-text.ts';

test('a slug is the one that the service makes', () => {
  expect(slugText('Crème brûlée')).toBe('creme-brulee');
  expect(slugText('日本語')).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const slug = slugText(text);
      if (slug === '') return;
      expect(slug).toBe(slugify(text));
      expect(isSlug(slug)).toBe(true);
    }),
    { numRuns: randomCases(2000) },
  );
});
