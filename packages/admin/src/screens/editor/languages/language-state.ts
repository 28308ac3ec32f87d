import type { Values } from '../../../editing/editing-state.ts';

/** What a record says in a language, seen from the default language. */
export type LanguageState =
  | { readonly kind: 'complete' | 'none' }
  /** These fields have a value in the default language and none in this one. */
  | { readonly kind: 'partly'; readonly missing: readonly string[] };

export const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The fields of these that have a value in the source and none in the translation. */
export const missingIn = (names: readonly string[], source: Values, translation: Values): readonly string[] =>
  names.filter((name) => isFilled(source[name]) && !isFilled(translation[name]));

/** The state of a translation whose localized fields have these names. */
export function stateOf(names: readonly string[], source: Values, translation: Values): LanguageState {
  if (!names.some((name) => isFilled(translation[name]))) return { kind: 'none' };
  const missing = missingIn(names, source, translation);
  return missing.length === 0 ? { kind: 'complete' } : { kind: 'partly', missing };
}
