import { languageCode } from '../text/text.ts';

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
