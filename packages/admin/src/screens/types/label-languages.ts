import type { LabelText } from '../../api/reader-text.ts';
import { languageCode, languages } from '../../text/text.ts';

const isByLanguage = (text: unknown): text is Readonly<Record<string, string>> =>
  typeof text === 'object' && text !== null && !Array.isArray(text);

/** The languages whose texts there are to write besides the reader's: those of the admin, and those that the text has. */
export function otherLanguages(text: unknown): readonly string[] {
  const all = new Set([...languages.map(({ code }) => code), ...(isByLanguage(text) ? Object.keys(text) : [])]);
  return [...all].filter((code) => code !== languageCode());
}

/** What a text says in another language than the reader's: a text for all languages says nothing of its own in one. */
export const textIn = (text: unknown, language: string): string => (isByLanguage(text) ? (text[language] ?? '') : '');

/**
 * The text with its part for another language replaced. A text for all becomes that of the reader's language, and is one for all again where
 * no other is left.
 */
export function withTextIn(text: unknown, language: string, written: string): LabelText {
  const own = languageCode();
  const before = isByLanguage(text) ? text : typeof text === 'string' && text !== '' ? { [own]: text } : {};
  const { [language]: _, ...others } = before;
  const texts = written === '' ? others : { ...others, [language]: written };
  const codes = Object.keys(texts);
  return codes.every((code) => code === own) ? (texts[own] ?? '') : texts;
}
