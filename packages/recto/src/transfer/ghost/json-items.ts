import { longestRecord } from '../json/record-texts.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** An item of an array, or a value, of a JSON document. */
export interface JsonItem {
  /** The keys of the objects that it is in, such as `db`, `data`, `posts`. Arrays add nothing. */
  readonly path: readonly string[];
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** Whether the objects at a path are wanted. */
export type IsWanted = (path: readonly string[]) => boolean;

const deepest = 64;
const longestKey = 1_000;

/**
 * The objects at some places of one JSON document, read on demand: the document can be larger than memory. Looks at brackets and strings
 * alone: whether an object is JSON is for the caller. Throws a `TransferRefused` for a document that ends too early, or is none.
 */
export async function* jsonItems(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  isWanted: IsWanted,
): AsyncGenerator<JsonItem, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const scanner = new JsonScanner(file, isWanted);
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw new TransferRefused(`${file}:${scanner.line}: from here on there are bytes that are no UTF-8.`, error);
    }
  };
  for await (const chunk of bytes) yield* scanner.write(decode(chunk));
  yield* scanner.write(decode(undefined));
  scanner.end();
}

interface Level {
  readonly isObject: boolean;
  /** The key whose value comes next. */
  key: string;
}

class JsonScanner {
  readonly #file: string;
  readonly #isWanted: IsWanted;
  readonly #levels: Level[] = [];
  line = 1;
  /** The string that is read: of a key its text. */
  #string: { readonly isKey: boolean; text: string } | undefined;
  #isEscaped = false;
  #expectsKey = false;
  #hasBegun = false;
  /** The object that is wanted: how deep it is, and its text so far. */
  #taken: { readonly depth: number; readonly line: number; readonly path: readonly string[]; text: string } | undefined;
  #depth = 0;

  constructor(file: string, isWanted: IsWanted) {
    this.#file = file;
    this.#isWanted = isWanted;
  }

  *write(piece: string): Generator<JsonItem, void, undefined> {
    let start = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece.charCodeAt(index);
      if (code === lineEnd) this.line += 1;
      if (this.#string !== undefined) this.#inString(code, piece, index);
      else if (code === closeBrace || code === closeBracket) {
        const item = this.#close(code === closeBrace, piece, start, index + 1);
        if (item !== undefined) yield item;
      } else if (this.#mark(code)) start = index;
    }
    if (this.#taken === undefined) return;
    this.#taken.text += piece.slice(start);
    if (this.#taken.text.length > longestRecord) throw this.#refused('this record is too long.');
  }

  /** A character outside of strings; true where an object that is taken begins with it. */
  #mark(code: number): boolean {
    if (code === openBrace || code === openBracket) return this.#open(code === openBrace);
    if (code === quote) this.#beginString();
    else if (code === comma) this.#expectsKey = this.#levels.at(-1)?.isObject === true;
    else if (!this.#hasBegun && code > space && code !== byteOrderMark) throw this.#refused('this is no JSON object.');
    return false;
  }

  end(): void {
    if (!this.#hasBegun) throw this.#refused('it is empty.');
    if (this.#depth > 0) throw this.#refused('the document has no end.');
  }

  #beginString(): void {
    if (!this.#hasBegun) throw this.#refused('this is no JSON object.');
    this.#string = { isKey: this.#taken === undefined && this.#expectsKey, text: '' };
  }

  #inString(code: number, piece: string, index: number): void {
    const string = this.#string;
    if (string === undefined) return;
    if (!this.#isEscaped && code === quote) {
      this.#string = undefined;
      const level = this.#levels.at(-1);
      if (!string.isKey || level === undefined) return;
      level.key = string.text;
      this.#expectsKey = false;
      return;
    }
    this.#isEscaped = !this.#isEscaped && code === backslash;
    if (!string.isKey) return;
    string.text += piece[index];
    if (string.text.length > longestKey) throw this.#refused('this name is too long.');
  }

  /** True where the object that begins is taken. */
  #open(isObject: boolean): boolean {
    this.#hasBegun = true;
    this.#depth += 1;
    if (this.#taken !== undefined) return false;
    const path = this.#levels.flatMap((level) => (level.isObject ? [level.key] : []));
    if (isObject && this.#isWanted(path)) {
      this.#taken = { depth: this.#depth, line: this.line, path, text: '' };
      return true;
    }
    if (this.#levels.length >= deepest) throw this.#refused('it is nested too deep.');
    this.#levels.push({ isObject, key: '' });
    this.#expectsKey = isObject;
    return false;
  }

  #close(isObject: boolean, piece: string, start: number, end: number): JsonItem | undefined {
    const taken = this.#taken;
    this.#depth -= 1;
    if (this.#depth < 0) throw this.#refused('a bracket closes what was not opened.');
    if (taken !== undefined) {
      if (this.#depth >= taken.depth) return undefined;
      this.#taken = undefined;
      this.#expectsKey = false;
      return { path: taken.path, line: taken.line, text: taken.text + piece.slice(start, end) };
    }
    if (this.#levels.pop()?.isObject !== isObject) throw this.#refused('a bracket closes one of another kind.');
    this.#expectsKey = false;
    return undefined;
  }

  #refused(why: string): TransferRefused {
    return new TransferRefused(`${this.#file}:${this.line}: ${why}`);
  }
}

const [quote, backslash, comma, lineEnd] = [34, 92, 44, 10];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];
const [space, byteOrderMark] = [32, 0xfeff];
