import { placeAt } from '../definition/source-place.ts';

/** The line of a file in which a word stands first; nothing where it does not. */
export function lineOf(text: string, word: string | undefined): { readonly line?: number } {
  const at = word === undefined ? -1 : text.indexOf(word);
  return at === -1 ? {} : { line: placeAt(text, at).line };
}
