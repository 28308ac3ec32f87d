import { closestLanguage } from '../src/text/language.ts';
import type { AccountTexts } from './account-texts.ts';

const files = import.meta.glob<AccountTexts>('../src/text/*/account-page.ts', { import: 'texts' });

const loadedBy = new Map(Object.entries(files).map(([path, load]) => [path.split('/').at(-2) ?? '', load]));

/** The texts that a reader of a language reads best; English if there are none of the language. */
export async function textsFor(wanted: string): Promise<{ readonly language: string; readonly texts: AccountTexts }> {
  const language = closestLanguage(wanted, [...loadedBy.keys()]) ?? 'en';
  const texts = await loadedBy.get(language)?.();
  if (texts === undefined) throw new Error('The page has no texts.');
  return { language, texts };
}
