import type { ContentTypeInfo } from '../api/content-type-info.ts';
import { ownPlural } from '../api/own-names.ts';
import { readableName } from '../api/readable-name.ts';

type Named = Pick<ContentTypeInfo, 'name' | 'pluralName' | 'singular' | 'plural' | 'kind'>;

/**
 * What a list of a type is called: its name in plural. Definitions have a name for one record ("Landing page") and words for addresses
 * ("landing", "landings"): where these make their plural as English does, so does the name. Other plurals are taken from the address. A
 * single type is called by its name. Built-in types have names in the language of the reader.
 */
export function pluralName({ name, pluralName: written, singular, plural, kind }: Named): string {
  if (written !== undefined) return written;
  if (kind === 'single') return name;
  const own = ownPlural(singular, name);
  if (own !== undefined) return own;
  // Without a name of its own, a type is called by its singular.
  const isEnglish = name !== singular && englishPlural(singular) === plural && /[a-z]$/i.test(name);
  return isEnglish ? englishPlural(name) : readableName(plural);
}

function englishPlural(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}
