import { type Reading, type SettingType, webAddress } from './setting-type.ts';

/** For each language, by its tag, the languages whose values stand in for those that it lacks. */
export type LanguageFallbacks = Readonly<Record<string, readonly string[]>>;

/** More would be a mistake: a list of every language in the world. */
const mostLanguages = 100;

/** A language with its script, region or variants. Extensions and private parts say nothing about which words to show. */
const tagShape = /^[a-z]{2,8}(?:-[a-z0-9]{2,8})*$/i;

/** The canonical form of a language tag (BCP 47), such as `fr-CA` of `FR-ca`; undefined where it is none. */
export function canonicalLanguage(text: string): string | undefined {
  if (!tagShape.test(text) || text.length > 35) return undefined;
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** Languages separated by commas, the default first. An array in `recto.toml`. */
export const languageList: SettingType<readonly string[]> = {
  expects: 'a list of languages such as en, de, fr-CA, separated by commas, the default first',
  takesEmpty: true,
  read(raw) {
    if (typeof raw !== 'string' && !Array.isArray(raw)) return { expected: this.expects };
    const parts: readonly string[] = typeof raw === 'string' ? raw.split(',') : raw;
    const tags: string[] = [];
    for (const part of parts.map((one) => one.trim()).filter((one) => one !== '')) {
      const tag = canonicalLanguage(part);
      if (tag === undefined) return { expected: `${this.expects} (${shownTag(part)} is no language)` };
      if (tags.includes(tag)) return { expected: `${this.expects} (${tag} is in it twice)` };
      tags.push(tag);
    }
    if (tags.length > mostLanguages) return { expected: `at most ${mostLanguages} languages` };
    return { value: Object.freeze(tags) };
  },
};

/** A table of lists by language in `recto.toml`; in the environment, the same as a JSON object. */
export const languageFallbacks: SettingType<LanguageFallbacks> = {
  expects:
    'a table [languages.fallbacks] with lists such as "fr-CA" = ["fr", "en"]; as a variable, a JSON object of them',
  read: (raw) =>
    byLanguage(raw, languageFallbacks.expects, (tag, written) => {
      const list: readonly unknown[] | undefined = Array.isArray(written) ? written : undefined;
      if (list === undefined) return { expected: 'there must be a list of languages' };
      const tags: string[] = [];
      for (const one of list) {
        const fallback = typeof one === 'string' ? canonicalLanguage(one) : undefined;
        if (fallback === undefined) return { expected: `${shownTag(one)} is no language` };
        if (fallback === tag) return { expected: 'a language does not fall back to itself' };
        if (tags.includes(fallback)) return { expected: `${fallback} is in the list twice` };
        tags.push(fallback);
      }
      return { value: Object.freeze(tags) };
    }),
};

/** Addresses by language, by its tag. */
export type LanguageUrls = Readonly<Record<string, string>>;

/** A table of addresses by language in `recto.toml`; in the environment, the same as a JSON object. */
export const languageUrls: SettingType<LanguageUrls> = {
  isAddress: true,
  expects:
    'a table [languages.urls] with addresses such as de = "https://example.com/de"; as a variable, a JSON object of them',
  read: (raw) =>
    byLanguage(raw, languageUrls.expects, (_, written) => {
      const reading = typeof written === 'string' ? webAddress.read(written) : undefined;
      return reading !== undefined && 'value' in reading
        ? reading
        : { expected: `there must be ${webAddress.expects}` };
    }),
};

/** What is no language as a message names it: an address that was put here by mistake may have a password in it. */
const shownTag = (text: unknown): string =>
  typeof text === 'string' && /^[\w -]{1,40}$/.test(text) ? JSON.stringify(text) : 'one of them';

function byLanguage<T>(
  raw: unknown,
  expects: string,
  read: (tag: string, written: unknown) => Reading<T>,
): Reading<Readonly<Record<string, T>>> {
  const table = typeof raw === 'string' ? parsed(raw) : undefined;
  if (!isTable(table)) return { expected: expects };
  const values = new Map<string, T>();
  for (const [name, written] of Object.entries(table)) {
    const tag = canonicalLanguage(name);
    if (tag === undefined) return { expected: `${expects} (${shownTag(name)} is no language)` };
    if (values.has(tag)) return { expected: `${expects} (${tag} is in it twice)` };
    const reading = read(tag, written);
    if (!('value' in reading)) return { expected: `${expects} (for ${tag}, ${reading.expected})` };
    values.set(tag, reading.value);
  }
  return { value: Object.freeze(Object.fromEntries(values)) };
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface LanguageSettings {
  readonly languages: readonly string[];
  readonly languageFallbacks: LanguageFallbacks;
  readonly languageUrls: LanguageUrls;
}

/** What is wrong with the settings of languages together. */
export function languageFaults({ languages, languageFallbacks, languageUrls }: LanguageSettings): readonly string[] {
  const faults: string[] = [];
  const known = new Set(languages);
  const there = languages.length === 0 ? 'RECTO_LANGUAGES names none' : `RECTO_LANGUAGES has ${languages.join(', ')}`;
  const check = (place: string, tag: string): void => {
    if (!known.has(tag)) faults.push(`${place}: ${tag} is no language of this service: ${there}`);
  };
  for (const tag of Object.keys(languageUrls)) check('[languages.urls]', tag);
  for (const [tag, fallbacks] of Object.entries(languageFallbacks)) {
    check('[languages.fallbacks]', tag);
    for (const fallback of fallbacks) check(`[languages.fallbacks] ${tag}`, fallback);
    if (tag === languages[0])
      faults.push(`[languages.fallbacks]: ${tag} is the default language, which falls back to no other`);
  }
  return faults;
}
