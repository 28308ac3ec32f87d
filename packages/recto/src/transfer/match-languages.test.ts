import { expect, test } from 'bun:test';
import { languagesOf } from '../definition/languages/languages.ts';
import { type FileLanguage, matchLanguages } from './match-languages.ts';

const file = (code: string, locale = ''): FileLanguage => ({ code, locale });
const match = (languages: string, ...files: FileLanguage[]) =>
  Object.fromEntries(matchLanguages(files, languagesOf({ languages: languages.split(','), languageFallbacks: {} })));

test.each([
  ['the same tag', 'en,de', [file('de'), file('en')], { en: 'en', de: 'de' }],
  ['a locale with a region', 'en,de', [file('de', 'de_DE')], { de: 'de' }],
  ['a locale with a variant of its own', 'en,de', [file('de', 'de_DE_formal')], { de: 'de' }],
  ['a code that is no language', 'en,cs', [file('cz', 'cs_CZ')], { cz: 'cs' }],
  ['a region, whatever its case', 'en,pt-BR', [file('pt-br')], { 'pt-br': 'pt-BR' }],
  ['a script', 'en,zh-Hans', [file('zh-hans')], { 'zh-hans': 'zh-Hans' }],
  ['the only one of its language', 'en,de-AT', [file('de', 'de_DE')], { de: 'de-AT' }],
  ['one of several of its language', 'en,fr-CA,fr-BE', [file('fr', 'fr_FR')], {}],
  ['two that would be the same: the exact one', 'en,pt', [file('br', 'pt_BR'), file('pt', 'pt')], { pt: 'pt' }],
  ['none of the service', 'en,de', [file('fr', 'fr_FR')], {}],
  ['a code that is nothing', 'en,de', [file('..'), file('')], {}],
] as const)('%s', (_, languages, files, expected) => {
  expect(match(languages, ...files)).toEqual(expected);
});

test('a service that names no language has none of a file', () => {
  const unnamed = languagesOf({ languages: [], languageFallbacks: {} });
  expect(matchLanguages([file('en', 'en_US'), file('de')], unnamed).size).toBe(0);
});
