/** Letters that Unicode does not decompose, as the service spells them out. */
const spelledOut: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ŋ: 'ng', ŧ: 't', ƒ: 'f' },
};

const special = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'gu');
const longest = 120;

/** The slug that the service makes of a text; empty where it makes one by other means, because the text has no Latin letter. */
export function slugText(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(special, (letter) => spelledOut[letter] ?? '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (folded.length <= longest) return folded;
  const lastWordEnd = folded.lastIndexOf('-', longest);
  return folded.slice(0, lastWordEnd > longest / 2 ? lastWordEnd : longest).replace(/-+$/, '');
}

/** Whether a text can be a slug. */
export const isSlug = (text: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 200;
