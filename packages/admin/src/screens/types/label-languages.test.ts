import { afterAll, expect, test } from 'bun:test';
import { useLanguage } from '../../text/text.ts';
import { otherLanguages, textIn, withTextIn } from './label-languages.ts';

afterAll(() => useLanguage('en'));

test('a label is written in the languages of other readers as well', async () => {
  await useLanguage('de');
  expect(otherLanguages('Vorspann')).toEqual(['en', 'fr']);
  expect(otherLanguages({ it: 'Sommario', de: 'Vorspann' })).toEqual(['en', 'fr', 'it']);
  expect(textIn({ en: 'Summary' }, 'en')).toBe('Summary');
  expect(textIn('Vorspann', 'en')).toBe('');
  expect(withTextIn('Vorspann', 'en', 'Summary')).toEqual({ de: 'Vorspann', en: 'Summary' });
  expect(withTextIn(undefined, 'en', 'Summary')).toEqual({ en: 'Summary' });
  expect(withTextIn({ de: 'Vorspann', en: 'Summary' }, 'en', '')).toBe('Vorspann');
  expect(withTextIn({ fr: 'Chapeau', en: 'Summary' }, 'en', '')).toEqual({ fr: 'Chapeau' });
  expect(withTextIn({ en: 'Summary' }, 'en', '')).toBe('');
});
