import { languageCode, languages } from '../text/text.ts';

/** A text of a definition for people: one for all, or one for each language. */
export type LabelText = string | Readonly<Record<string, string>>;

const isByLanguage = (text: unknown): text is Readonly<Record<string, string>> =>
  typeof text === 'object' && text !== null && !Array.isArray(text);

/**
 * What people read of a text: the one in their language, else in another variant of it, else in English, else the first. Undefined where there is none.
 */
export function readerText(text: unknown): string | undefined {
  if (typeof text === 'string') return text === '' ? undefined : text;
  if (!isByLanguage(text)) return undefined;
  const own = languageCode();
  const variant = Object.keys(text).find((code) => code.split('-')[0] === own);
  const found = text[own] ?? (variant === undefined ? undefined : text[variant]) ?? text.en ?? Object.values(text)[0];
  return found === '' ? undefined : found;
}

/** What there is to change for a reader of this language: other languages' texts are none of it. */
export const ownText = (text: unknown): string =>
  typeof text === 'string' ? text : ((isByLanguage(text) ? text[languageCode()] : undefined) ?? '');

/** The text with its part for the reader's language replaced; the other languages stay. Empty: that part is left out. */
export function withReaderText(text: unknown, written: string): LabelText {
  if (!isByLanguage(text)) return written;
  const { [languageCode()]: _, ...others } = text;
  if (written !== '') return { ...others, [languageCode()]: written };
  return Object.keys(others).length === 0 ? '' : others;
}

/** The languages that a text can be written in besides the reader's: those of the admin, and others that it has. */
export const otherLanguages = (text: unknown): readonly string[] =>
  [...new Set([...languages.map(({ code }) => code), ...(isByLanguage(text) ? Object.keys(text) : [])])].filter(
    (code) => code !== languageCode(),
  );

/** The text in a language; empty where there is none. One for all is in no language. */
export const textIn = (text: unknown, code: string): string => (isByLanguage(text) ? (text[code] ?? '') : '');

/**
 * The text with its part for a language replaced. One for all becomes that of the reader's language. Empty: the part is left out, and
 * what is left in the reader's language alone becomes one for all.
 */
export function withTextIn(text: unknown, code: string, written: string): LabelText {
  const all = isByLanguage(text) ? text : typeof text === 'string' && text !== '' ? { [languageCode()]: text } : {};
  const { [code]: _, ...others } = all;
  if (written !== '') return { ...others, [code]: written };
  const left = Object.keys(others);
  return left.length === 0 ? '' : left.length === 1 && left[0] === languageCode() ? ownText(others) : others;
}
