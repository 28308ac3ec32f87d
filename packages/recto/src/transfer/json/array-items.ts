import { TransferRefused } from '../transfer-refused.ts';
import type { RecordText } from './record-text.ts';

/** What matters for where an item ends, and for its line. */
const marks = /["\\[\]{},\n]/g;

/**
 * The items of one JSON array that arrives in pieces, each as text. Looks at brackets and strings alone: whether an item is JSON is for
 * whoever parses it.
 */
export class ArrayItems {
  readonly #file: string;
  #item = '';
  #itemLine = 1;
  #line = 1;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #count = 0;
  #state: 'before' | 'inside' | 'behind' = 'before';

  /** `file` is its name in messages. */
  constructor(file: string) {
    this.#file = file;
  }

  get line(): number {
    return this.#line;
  }

  get pending(): number {
    return this.#item.length;
  }

  *write(piece: string): Generator<RecordText, void, undefined> {
    if (this.#state === 'behind') {
      this.#addBehind(piece);
      return;
    }
    let start = 0;
    for (const { mark, index } of this.#marksOf(piece)) {
      if (mark === '[' || mark === '{') {
        this.#depth += 1;
        if (this.#state === 'before') start = index + 1;
        this.#state = 'inside';
        continue;
      }
      const isFollowed = mark === ',';
      if (!isFollowed) this.#depth -= 1;
      if (this.#depth !== (isFollowed ? 1 : 0)) continue;
      this.#add(piece.slice(start, index));
      start = index + 1;
      yield* this.#complete(isFollowed);
      if (isFollowed) continue;
      this.#state = 'behind';
      this.#addBehind(piece.slice(start));
      return;
    }
    this.#add(piece.slice(start));
  }

  /** Brackets and commas outside of strings. Counts the lines on the way. */
  *#marksOf(piece: string): Generator<{ readonly mark: string; readonly index: number }, void, undefined> {
    // The character behind a backslash counts for nothing, also where a piece begins with it.
    let ignored = this.#escaped ? 0 : -1;
    this.#escaped = false;
    for (const { 0: mark, index } of piece.matchAll(marks)) {
      if (mark === '\n') this.#line += 1;
      if (index === ignored || mark === '\n') continue;
      if (mark === '"') this.#inString = !this.#inString;
      else if (!this.#inString) {
        if (mark !== '\\') yield { mark, index };
      } else if (mark === '\\') {
        ignored = index + 1;
        this.#escaped = ignored === piece.length;
      }
    }
  }

  /** Nothing but space may follow. */
  #addBehind(text: string): void {
    this.#line += text.split('\n').length - 1;
    this.#add(text);
  }

  /** Nothing is complete only at the end. */
  end(): readonly RecordText[] {
    if (this.#state !== 'behind') throw new TransferRefused(`${this.#file}:${this.#line}: the array has no end.`);
    if (this.#item.trim() !== '') {
      throw new TransferRefused(`${this.#file}:${this.#itemLine}: there is something behind the array.`);
    }
    return [];
  }

  /** Text of the item that is read. Its line is that of its first character. */
  #add(text: string): void {
    if (this.#item.trim() === '') {
      const blank = text.length - text.trimStart().length;
      const behind = text.slice(blank).split('\n').length - 1;
      this.#itemLine = this.#line - behind;
    }
    this.#item += text;
  }

  /** An empty array has no item. */
  *#complete(isFollowed: boolean): Generator<RecordText, void, undefined> {
    const text = this.#item;
    this.#item = '';
    if (this.#count === 0 && !isFollowed && text.trim() === '') return;
    this.#count += 1;
    yield { text, line: this.#itemLine };
  }
}
