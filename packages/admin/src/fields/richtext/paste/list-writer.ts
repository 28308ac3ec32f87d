/** What is known of a list from one of its items. */
export interface ListKind {
  readonly tag: 'ul' | 'ol';
  /** The number of the item, where lists begin with one. */
  readonly start: number | undefined;
  /** `a`, `A`, `i` or `I`. */
  readonly type: string | undefined;
}

const romans: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

function romanNumber(text: string): number {
  const values = [...text.toLowerCase()].map((letter) => romans[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

/** Reads the mark that a word processor writes before an item: `·`, `1.`, `b)`, `iv.`. */
export function listKind(mark: string): ListKind {
  const written = /^\(?(?:[0-9a-z]+[.)])*?(?:(\d+)|([a-z]+))[.)]?$/i.exec(mark.trim().replace(/[\s\u00a0]+/g, ''));
  // Word's round bullet is the letter "o" in a font of symbols.
  if (written === null || mark.trim() === 'o') return { tag: 'ul', start: undefined, type: undefined };
  if (written[1] !== undefined) return { tag: 'ol', start: Number(written[1]), type: undefined };
  const letters = written[2] ?? '';
  if (!/[.)]/.test(mark)) return { tag: 'ul', start: undefined, type: undefined };
  const isUpper = letters === letters.toUpperCase();
  if (/^[ivx]+$/i.test(letters) && !/^[vx]$/i.test(letters))
    return { tag: 'ol', start: romanNumber(letters), type: isUpper ? 'I' : 'i' };
  const start = letters.length === 1 ? (letters.toLowerCase().codePointAt(0) ?? 97) - 96 : 1;
  return { tag: 'ol', start, type: isUpper ? 'A' : 'a' };
}

/** Makes lists inside lists out of items that say their level, each after the other. */
export class ListWriter {
  readonly #into: Element;
  #open: { readonly level: number; readonly key: string; readonly list: Element }[] = [];

  constructor(into: Element) {
    this.#into = into;
  }

  /** `key`: items of one level with different keys are of different lists. */
  add(level: number, kind: ListKind, key: string, item: Element): void {
    while ((this.#open.at(-1)?.level ?? 0) > level) this.#open.pop();
    const last = this.#open.at(-1);
    if (last?.level === level && last.key !== key) this.#open.pop();
    if (this.#open.at(-1)?.level !== level) this.#open.push({ level, key, list: this.#list(kind) });
    this.#open.at(-1)?.list.append(item);
  }

  /** What comes next is no item. */
  close(): void {
    this.#open = [];
  }

  #list({ tag, start, type }: ListKind): Element {
    const list = this.#into.ownerDocument.createElement(tag);
    if (start !== undefined && start !== 1) list.setAttribute('start', String(start));
    if (type !== undefined) list.setAttribute('type', type);
    (this.#open.at(-1)?.list.lastElementChild ?? this.#into).append(list);
    return list;
  }
}
