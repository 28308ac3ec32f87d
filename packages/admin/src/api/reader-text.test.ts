import { afterAll, describe, expect, test } from 'bun:test';
import { useLanguage } from '../text/text.ts';
import { readerText, withReaderText } from './reader-text.ts';

afterAll(() => useLanguage('en'));

describe('a text in several languages', () => {
  test.each([
    ['de', { en: 'Summary', de: 'Vorspann' }, 'Vorspann'],
    ['en', { en: 'Summary', de: 'Vorspann' }, 'Summary'],
    ['de', { en: 'Summary', 'de-AT': 'Vorspann' }, 'Vorspann'],
    ['de', { fr: 'Chapeau', en: 'Summary' }, 'Summary'],
    ['de', { fr: 'Chapeau', it: 'Sommario' }, 'Chapeau'],
    ['de', 'Summary', 'Summary'],
    ['de', {}, undefined],
    ['de', '', undefined],
    ['de', undefined, undefined],
    ['de', ['a'], undefined],
  ])('a reader of %s reads %j as %s', async (language, text, expected) => {
    await useLanguage(language);
    expect(readerText(text)).toBe(expected);
  });

  test('changes for one reader and stays for the others', async () => {
    await useLanguage('de');
    expect(withReaderText({ en: 'Summary', de: 'Vorspann' }, 'Anriss')).toEqual({ en: 'Summary', de: 'Anriss' });
    expect(withReaderText({ en: 'Summary', de: 'Vorspann' }, '')).toEqual({ en: 'Summary' });
    expect(withReaderText({ de: 'Vorspann' }, '')).toBe('');
    expect(withReaderText('Summary', 'Anriss')).toBe('Anriss');
    expect(withReaderText(undefined, 'Anriss')).toBe('Anriss');
  });
});
