/** A piece of a text, and whether it is what was searched for. */
export interface TextPiece {
  readonly text: string;
  readonly isHit: boolean;
}

/** Letters of scripts whose words have no spaces between them, or whose words have other words in front. */
const unspaced = /\p{Lo}/u;

/** What finds the beginnings of words, without case and accents; undefined: no words. */
function finder(search: string): RegExp | undefined {
  const words = [...new Set(search.normalize('NFD').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])];
  const patterns = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => {
      const letters = [...word.replaceAll(/\p{M}/gu, '')].map((letter) => `${letter}\\p{M}*`).join('');
      return unspaced.test(word) ? letters : `(?<![\\p{L}\\p{M}\\p{N}])${letters}`;
    });
  return patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'giu');
}

/** A text in pieces: those that begin a word that was searched for, and what stands between. */
export function markWords(text: string, search: string): readonly TextPiece[] {
  const find = finder(search);
  const plain = text.normalize('NFD');
  if (find === undefined) return [{ text, isHit: false }];
  const pieces: TextPiece[] = [];
  const add = (piece: string, isHit: boolean): void => {
    if (piece !== '') pieces.push({ text: piece.normalize('NFC'), isHit });
  };
  let end = 0;
  for (const { 0: hit, index } of plain.matchAll(find)) {
    add(plain.slice(end, index), false);
    add(hit, true);
    end = index + hit.length;
  }
  add(plain.slice(end), false);
  return pieces;
}

/** Whether each of the words begins a word of the text. */
export const hasWords = (text: string, search: string): boolean =>
  search.split(/\s+/).every((word) => {
    const find = finder(word);
    return find === undefined || find.test(text.normalize('NFD'));
  });

/** Letters before the first word that was found, and of the excerpt in all. */
const before = 30;
const longest = 140;

/** The place in the texts where the first of the words stands, for one line; undefined where none has one. */
export function excerpt(texts: Iterable<string>, search: string): string | undefined {
  const find = finder(search);
  if (find === undefined) return undefined;
  for (const text of texts) {
    const plain = text.normalize('NFD');
    find.lastIndex = 0;
    const hit = find.exec(plain);
    if (hit === null) continue;
    const from =
      hit.index <= before
        ? 0
        : hit.index - before + Math.max(0, plain.slice(hit.index - before, hit.index).search(/\s\S/) + 1);
    const part = plain
      .slice(from, from + longest)
      .normalize('NFC')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return `${from > 0 ? '… ' : ''}${part}${from + longest < plain.length ? ' …' : ''}`;
  }
  return undefined;
}
