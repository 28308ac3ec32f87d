import { reservedFieldNames } from '../../definition/field-names.ts';

/** A name of a type or a field here: `authorName` becomes `author_name`. */
export function ownName(foreign: string, otherwise: string): string {
  const name = foreign
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+/, '')
    .slice(0, longest)
    .replace(/_+$/, '');
  return name === '' ? otherwise : name;
}

/** Leaves room for what makes a name another one; names have at most 50 characters. */
const longest = 40;

/** Hands out names, none of them twice. */
export class Names {
  readonly #taken: Set<string>;

  /** `reserved`: names that nothing can have. */
  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved);
  }

  take(wanted: string, suffix = '_2'): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number += 1)
      name = `${wanted}${number === 2 ? suffix : `${suffix}_${number}`}`;
    this.#taken.add(name);
    return name;
  }
}

/** The singular of a plural in English, or the word with `_item` where it has none. */
export function singularOf(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x)es$/.test(plural)) return plural.replace(/es$/, '');
  if (/[^s]s$/.test(plural) && !/(?:us|is|news)$/.test(plural)) return plural.replace(/s$/, '');
  return `${plural}_item`;
}

/** Names for the fields of a type that has times. */
export const fieldNames = (): Names => new Names([...reservedFieldNames, 'created_at', 'updated_at']);
