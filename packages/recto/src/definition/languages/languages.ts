/** A language that content is written in. */
export interface Language {
  /** Its tag (BCP 47) in canonical form: `de`, `fr-CA`. */
  readonly tag: string;
  /** Whether it is the first of RECTO_LANGUAGES: its values are in the records themselves, and it falls back to no other. */
  readonly isDefault: boolean;
  /** What the addresses of its site begin with; absent: nobody has said it. */
  readonly url?: string;
}

/** The languages of the content of a service. */
export interface Languages {
  readonly default: Language;
  /** The default first, the others as RECTO_LANGUAGES has them. */
  readonly all: readonly Language[];
  /** All but the default. */
  readonly others: readonly Language[];
  /** Whether there are several. Otherwise no field is localized, whatever definitions say, and no request names a language. */
  readonly several: boolean;
  /** The language with this tag, in whatever way it is written; undefined: it is none of this service. */
  find(tag: string): Language | undefined;
  /** The languages whose values stand in for those that this one lacks, in their order; empty for the default. */
  fallbacksOf(language: Language): readonly Language[];
}

/** The settings that the languages are made of. */
export interface LanguageSettings {
  readonly languages: readonly string[];
  readonly languageFallbacks: Readonly<Record<string, readonly string[]>>;
  readonly languageUrls?: Readonly<Record<string, string>>;
  /** The address of the site, which shows the default language unless that has another one. */
  readonly publicUrl?: string | undefined;
}

/** The tag of content whose language nobody has named (ISO 639-2: undetermined). */
const undetermined = 'und';

/** The languages of these settings, which have been checked. Without fallbacks of its own, a language falls back to the default. */
export function languagesOf({
  languages,
  languageFallbacks,
  languageUrls = {},
  publicUrl,
}: LanguageSettings): Languages {
  const [first = undetermined, ...rest] = languages;
  const made = (tag: string, isDefault: boolean): Language => {
    const url = languageUrls[tag] ?? (isDefault ? publicUrl : undefined);
    return Object.freeze({ tag, isDefault, ...(url === undefined ? {} : { url }) });
  };
  const main = made(first, true);
  const others = Object.freeze(rest.map((tag) => made(tag, false)));
  const all = Object.freeze([main, ...others]);
  const byTag = new Map(all.map((language) => [language.tag, language]));
  const byKey = new Map(all.map((language) => [language.tag.toLowerCase(), language]));
  const fallbacks = new Map(
    others.map(({ tag }) => {
      const tags = languageFallbacks[tag] ?? [main.tag];
      return [tag, Object.freeze(tags.flatMap((fallback) => byTag.get(fallback) ?? []))];
    }),
  );
  return Object.freeze({
    default: main,
    all,
    others,
    several: others.length > 0,
    find: (tag: string) => byKey.get(tag.toLowerCase()),
    fallbacksOf: ({ tag }: Language) => fallbacks.get(tag) ?? none,
  });
}

const none: readonly Language[] = Object.freeze([]);

/** The tags that rules can name, the default first; undefined: nobody has named a language. */
export const tagsOf = ({ default: main, all }: Languages): readonly string[] | undefined =>
  main.tag === undetermined ? undefined : all.map(({ tag }) => tag);

/** Content in one language that nobody has named: a service without RECTO_LANGUAGES. */
export const oneLanguage: Languages = languagesOf({ languages: [], languageFallbacks: {} });
