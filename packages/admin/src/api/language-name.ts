import { localeCode } from '../text/text.ts';

/** What a language is called in the language of the reader, for a sentence: "German", "allemand". */
export const languageName = (tag: string): string =>
  new Intl.DisplayNames([localeCode()], { type: 'language' }).of(tag) ?? tag;

/** The same where it stands alone: "Allemand". */
export function languageLabel(tag: string): string {
  const name = languageName(tag);
  return name.charAt(0).toLocaleUpperCase(localeCode()) + name.slice(1);
}
