import { readPhpArray } from './php-array.ts';
import type { WxrItem, WxrTerm } from './wxr-entry.ts';

/** What an export says about the language of an entry; empty texts: nothing. */
export interface EntryLanguage {
  /** As the plugin names it: `de`, `pt-br`, `zh-hans`. */
  readonly code: string;
  /** Equal for the translations of one entry. */
  readonly group: string;
}

/** The taxonomies of Polylang. Those of terms say the same of categories and tags. */
export const polylang = {
  language: 'language',
  termLanguage: 'term_language',
  posts: 'post_translations',
  terms: 'term_translations',
} as const;

/** The custom fields of “WPML Export and Import”. WPML alone keeps languages in a table that no export has. */
export const wpml = {
  language: '_wpml_import_language_code',
  group: '_wpml_import_translation_group',
  source: '_wpml_import_source_language_code',
} as const;

const wpmlKeys: ReadonlySet<string> = new Set(Object.values(wpml));

export const saysLanguage = (key: string): boolean => wpmlKeys.has(key);

const taxonomies: ReadonlySet<string> = new Set(Object.values(polylang));

/** Whether a taxonomy is one of languages, not of content. */
export const isOfLanguages = (taxonomy: string): boolean => taxonomies.has(taxonomy);

type Meta = WxrItem['meta'];

/** Of an item: by the terms of Polylang, otherwise by the custom fields of WPML. */
export function itemLanguage({ terms, meta }: Pick<WxrItem, 'terms' | 'meta'>): EntryLanguage {
  const code = slugIn(terms, polylang.language);
  if (code === '') return metaLanguage(meta);
  const group = slugIn(terms, polylang.posts);
  return { code, group: group === '' ? '' : `polylang:${group}` };
}

/** Of a category or a tag, by the custom fields of WPML. Polylang describes the translations of terms apart. */
export function metaLanguage(meta: Meta): EntryLanguage {
  const code = normalized(valueIn(meta, wpml.language));
  const group = valueIn(meta, wpml.group).trim();
  return { code, group: code === '' || group === '' ? '' : `wpml:${group.slice(0, longest)}` };
}

const longest = 200;

const slugIn = (terms: readonly WxrTerm[], taxonomy: string): string =>
  normalized(terms.find((term) => term.taxonomy === taxonomy)?.slug ?? '');

const valueIn = (meta: Meta, key: string): string => meta.find(([name]) => name === key)?.[1] ?? '';

const normalized = (text: string): string => text.trim().slice(0, longest).toLowerCase();

/** The translations that Polylang describes, as ids by languages: `{en: 5, de: 9}`. Other keys, such as `sync`, are arrays. */
export function translationsIn(description: string): readonly (readonly [code: string, id: string])[] {
  const entries = [...(readPhpArray(description) ?? [])];
  return entries.flatMap(([code, id]) => {
    const number = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
    return /^[1-9]\d{0,18}$/.test(number) ? [[normalized(code), number] as const] : [];
  });
}

/** The locale of a language of Polylang, such as `pt_BR`. It was the description itself before version 1.5. */
export function localeIn(description: string): string {
  const locale = readPhpArray(description)?.get('locale') ?? description;
  return typeof locale === 'string' && /^[a-z]{2,8}(?:_[a-z0-9]{2,8})*$/i.test(locale) ? locale : '';
}
