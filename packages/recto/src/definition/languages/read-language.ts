import type { Language, Languages } from './languages.ts';

/** In which language records are read: what of each localized field is shown. The default language is read without one. */
export interface ReadLanguage {
  readonly language: Language;
  /** Whether another language stands in for a value that this one lacks. */
  readonly fallback: boolean;
  /** To the public, what is not published says nothing, of types whose languages are published one by one. */
  readonly audience: 'admin' | 'public';
  /** Whose value is shown: that of the first which has one. The language itself, and with `fallback` those that stand in for it. */
  readonly chain: readonly Language[];
  /** Equal for equal ways of reading. */
  readonly key: string;
}

const known = new WeakMap<Languages, Map<string, ReadLanguage>>();

/** A way of reading; undefined for the default language, which falls back to no other. */
export function readLanguage(
  languages: Languages,
  language: Language,
  fallback: boolean,
  audience: ReadLanguage['audience'],
): ReadLanguage | undefined {
  if (language.isDefault) return undefined;
  const made = known.get(languages) ?? new Map<string, ReadLanguage>();
  known.set(languages, made);
  const key = `${language.tag}${fallback ? '+' : ''}${audience === 'public' ? '!' : ''}`;
  const found =
    made.get(key) ?? readIn(language, fallback ? languages.fallbacksOf(language) : [], { fallback, audience, key });
  made.set(key, found);
  return found;
}

const readIn = (
  language: Language,
  others: readonly Language[],
  how: Pick<ReadLanguage, 'fallback' | 'audience' | 'key'>,
): ReadLanguage => Object.freeze({ language, ...how, chain: Object.freeze([language, ...others]) });
