import '../../../text/en/languages.ts';
import { localizedFields } from '../../../api/content-languages.ts';
import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import type { FormLanguage } from '../../../fields/field.ts';
import { languageOf } from '../../../text/language.ts';
import { sharesStatus, translatedType, withoutLanguage } from './translated-type.ts';
import { Translation } from './translation.svelte.ts';

// All that a record needs to be written in several languages: loaded with the first that has them.
export { default as LanguageSwitch } from './LanguageSwitch.svelte';
export { default as TranslatedField } from './TranslatedField.svelte';
export { default as TranslationBand } from './TranslationBand.svelte';

interface Named {
  readonly languages: readonly string[];
  /** Another language than the default one. */
  readonly named: string | undefined;
  /** Of the record, below `/api/v1`. */
  readonly path: string;
}

interface OpenLanguage {
  /** The type as the form has it. */
  readonly type: ContentTypeInfo;
  readonly language: FormLanguage;
  readonly translation: Translation | undefined;
  /** Its status is that of the record, which the default language changes. */
  readonly isStatusShared: boolean;
}

/** What the form of a record needs to know of the language that it is written in. */
export function openLanguage(whole: ContentTypeInfo, { languages, named, path }: Named): OpenLanguage {
  const localized = localizedFields(whole);
  const tag = named ?? languages[0] ?? '';
  const type = whole.writesIn?.includes(tag) === false ? withoutLanguage(whole, localized) : whole;
  const language = { tag, direction: languageOf(tag).direction, localized: new Set(localized) };
  if (named === undefined) return { type, language, translation: undefined, isStatusShared: false };
  const translation = new Translation(type, { language: named, languages, path });
  const isStatusShared = sharesStatus(type);
  return { type: translatedType(type, localized), language, translation, isStatusShared };
}
