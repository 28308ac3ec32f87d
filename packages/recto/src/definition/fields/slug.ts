/** Letters that Unicode does not decompose, as their languages write them without the special sign. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'ng',
  ŧ: 't',
  ƒ: 'f',
};

const special = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'gu');

/** Characters of a slug, so that addresses with it stay short. */
const longest = 120;

/**
 * A lower-case slug (`^[a-z0-9]+(?:-[a-z0-9]+)*$`, at most 120 characters) of any text: accents folded (NFKD), other
 * characters turned into hyphens. A text with no Latin letter or digit gives `n-` and a hash of it, always the same.
 */
export function slugify(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(special, (letter) => spelledOut[letter] ?? '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return folded === '' ? `n-${hash(text)}` : shortened(folded);
}

/** Cut between words where a word ends in the second half, else inside one. */
function shortened(slug: string): string {
  if (slug.length <= longest) return slug;
  const lastWordEnd = slug.lastIndexOf('-', longest);
  return slug.slice(0, lastWordEnd > longest / 2 ? lastWordEnd : longest).replace(/-+$/, '');
}

const hash = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 10);
