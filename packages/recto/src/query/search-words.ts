/** Longer words are cut, in texts and in queries alike. In UTF-16 units. */
const longestWord = 64;

/** Words of a query beyond these are not looked at. */
const mostQueryWords = 32;

/** Scripts that are written without spaces: each character is a word. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

const word = new RegExp(String.raw`[[${unspaced}]&&[\p{L}\p{N}]]\p{M}*|[[\p{L}\p{N}\p{M}]--[${unspaced}]]+`, 'gv');

/**
 * Accents, and the points of Hebrew and Arabic, which one writer sets and another leaves out. The marks of other scripts
 * are vowels, and stay.
 */
const accents = /[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]/gv;

/** Letters that Unicode does not take apart and that are commonly typed without their stroke. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
};
const strokedLetter = /[øłđðþæœς]/g;

/**
 * The words of a text as search knows them: small letters without accents, of letters and digits only. HTML tags are left
 * out and entities read, since rich text and plain text are searched alike. The same text always gives the same words, on every database.
 */
export function searchWords(text: string): string[] {
  return foldedWords(withoutMarkup(text));
}

/**
 * The words of what someone searches for: each once, the last one last, at most 32. Operators and tags are plain words here;
 * empty when the text has no letter and no digit.
 */
export function searchQueryWords(text: string): string[] {
  const words = foldedWords(text).slice(0, mostQueryWords);
  return words.filter((found, index) => !words.includes(found, index + 1));
}

/** Text without any character beyond ASCII, which nothing below would change but its case. */
const plainText = /^[\0-\x7f]*$/;
const plainWord = /[a-z0-9]+/g;

function foldedWords(text: string): string[] {
  if (plainText.test(text))
    return (text.toLowerCase().match(plainWord) ?? []).map((found) => found.slice(0, longestWord));
  // By way of upper case, which makes `ß` two letters and `ı` one with `i`; lower case first, for `ẞ` is the upper case of none.
  const small = text.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();
  const plain = small
    .normalize('NFKD')
    .replace(accents, '')
    .replace(strokedLetter, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
  return (plain.match(word) ?? []).map((found) =>
    found
      .slice(0, longestWord)
      .toWellFormed()
      .replace(/\uFFFD$/, ''),
  );
}

/** `a < b` is no tag: a tag's name follows the bracket at once. Ends at the next bracket, so that no text takes long. */
const tag = /<(?:\/?[a-z]|!)[^<>]*>/gi;
/** Tags within words, which do not part them. */
const inlineTag =
  /<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)(?:\s[^<>]*)?>/gi;
const numericEntity = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi;
/** `&eacute;` and its like: what is left when the accent is folded away. */
const accentedEntity = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi;
const ligatureEntity = /&(ae|oe|sz)lig;/gi;
const entity = /&[a-z][a-z0-9]{1,30};/gi;

function withoutMarkup(text: string): string {
  const untagged = text.includes('<') ? text.replace(inlineTag, '').replace(tag, ' ') : text;
  if (!untagged.includes('&')) return untagged;
  return untagged
    .replace(numericEntity, (_, hex?: string, decimal?: string) => character(hex, decimal))
    .replace(accentedEntity, '$1')
    .replace(ligatureEntity, (_, name: string) => (name.toLowerCase() === 'sz' ? 'ß' : name))
    .replace(entity, ' ');
}

function character(hex: string | undefined, decimal: string | undefined): string {
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : ' ';
}
