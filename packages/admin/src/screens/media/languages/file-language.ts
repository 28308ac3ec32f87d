import { languagesOf, localizedFields } from '../../../api/content-languages.ts';
import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import type { Values } from '../../../editing/editing-state.ts';

/** The texts that people write of a file. */
export const fileTexts = ['alt', 'caption'] as const;

/** The language in which a file is shown. */
export interface FileLanguage {
  readonly tag: string;
  /** The default language. */
  readonly main: string;
  /** All languages of the service, the default first. */
  readonly all: readonly string[];
  /** The names of the fields with a value for each language. */
  readonly localized: readonly string[];
  readonly isMain: boolean;
  /** Whether the role of the caller writes in it. */
  readonly mayWrite: boolean;
}

/** Undefined where files have one language. `tag` is one of the languages of the service; undefined: the default. */
export function fileLanguage(media: ContentTypeInfo | undefined, tag: string | undefined): FileLanguage | undefined {
  const all = media === undefined ? [] : languagesOf(media);
  const [main] = all;
  if (media === undefined || main === undefined) return undefined;
  const shown = tag ?? main;
  return {
    ...{ tag: shown, main, all, isMain: shown === main },
    localized: localizedFields(media),
    mayWrite: media.writesIn?.includes(shown) !== false,
  };
}

/** What a record that was read with all languages says of a file in each of them. */
export function textsByLanguage(record: Values, languages: readonly string[]): ReadonlyMap<string, Values> {
  const said = (name: string, tag: string): unknown => {
    const values = record[name];
    return typeof values === 'object' && values !== null
      ? Object.entries(values).find(([own]) => own === tag)?.[1]
      : null;
  };
  return new Map(
    languages.map((tag) => [tag, Object.fromEntries(fileTexts.map((name) => [name, said(name, tag) ?? null]))]),
  );
}
