import { canonicalLanguage } from '../config/language-setting.ts';
import type { Languages } from '../definition/languages/languages.ts';

/** A language as a file names it. */
export interface FileLanguage {
  /** `de`, `pt-br`. */
  readonly code: string;
  /** `pt_BR`; empty: not known. */
  readonly locale: string;
}

/**
 * The language of the service, by its tag, that each language of a file is; those that are none are absent. The same tag comes first,
 * then the same language without its region (`de_DE` is `de`), then the only one of the service in that language (`de` is `de-AT`). No
 * two languages of a file are the same one here.
 */
export function matchLanguages(files: readonly FileLanguage[], languages: Languages): ReadonlyMap<string, string> {
  const matched = new Map<string, string>();
  const taken = new Set<string>();
  const match = (tagOf: (file: FileLanguage) => string | undefined): void => {
    for (const file of files) {
      const tag = matched.has(file.code) ? undefined : tagOf(file);
      if (tag === undefined || taken.has(tag)) continue;
      matched.set(file.code, tag);
      taken.add(tag);
    }
  };
  const known = (text: string): string | undefined => languages.find(canonical(text) ?? '')?.tag;
  match(({ locale }) => known(locale));
  match(({ code }) => known(code));
  match(({ code, locale }) => known(base(locale) ?? '') ?? known(base(code) ?? ''));
  match(({ code, locale }) => {
    const own = base(locale) ?? base(code);
    const [only, ...others] = languages.all.filter(({ tag }) => base(tag) === own);
    return others.length === 0 ? only?.tag : undefined;
  });
  return matched;
}

/** `de_DE_formal` has a part that is no tag of its own. */
const canonical = (text: string): string | undefined =>
  canonicalLanguage(text.replaceAll('_', '-')) ?? canonicalLanguage(text.split('_').slice(0, 2).join('-'));

const base = (text: string): string | undefined => canonical(text)?.split('-')[0];
