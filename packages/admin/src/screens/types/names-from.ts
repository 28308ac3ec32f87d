/** The names of a type in the API that follow from its name: "Case study" gives `case-study` and `case-studies`. */
export function namesFrom(name: string): { readonly singular: string; readonly plural: string } {
  const singular = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-+$/, '')
    .slice(0, 46);
  return { singular, plural: pluralOf(singular) };
}

/** English plurals, which are right more often than not; the field is there to be changed. */
function pluralOf(word: string): string {
  if (word === '') return '';
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
