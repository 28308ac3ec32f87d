/** What a text means as JSON, or where it goes wrong; lines and columns count from 1, columns in characters. */
export type ReadJson =
  | { readonly value: unknown }
  | { readonly issue: JsonIssue; readonly at: number; readonly line: number; readonly column: number };

/** What stands at the place, and should not. */
export type JsonIssue = 'end' | 'character' | 'string' | 'escape' | 'number' | 'repeated' | 'depth' | 'after';

class Stop {
  readonly issue: JsonIssue;
  readonly at: number;

  constructor(issue: JsonIssue, at: number) {
    this.issue = issue;
    this.at = at;
  }
}

/** Levels that the service accepts. */
const deepest = 64;

/** Reads JSON (RFC 8259). A name that an object has twice is an error: only the last one would be kept. */
export function readJson(text: string): ReadJson {
  try {
    new Checker(text).check();
    return { value: JSON.parse(text) };
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    return { issue: stop.issue, at: stop.at, ...placeOf(text, stop.at) };
  }
}

function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** Finds the first error. Engines name its place each in its own way, or not at all. */
class Checker {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  check(): void {
    this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw new Stop('after', this.#at);
  }

  #space(): void {
    this.#skip(/[ \t\n\r]*/y);
  }

  #skip(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found === null) return false;
    this.#at += found[0].length;
    return true;
  }

  #value(depth: number): void {
    this.#space();
    const next = this.#text[this.#at];
    if (next === undefined) throw new Stop('end', this.#at);
    if (next === '{' || next === '[') {
      if (depth === deepest) throw new Stop('depth', this.#at);
      if (next === '{') this.#object(depth + 1);
      else this.#array(depth + 1);
    } else if (next === '"') this.#string();
    else if (/[-\d]/.test(next)) this.#number();
    else if (!this.#skip(/(?:true|false|null)(?![A-Za-z0-9_])/y)) throw new Stop('character', this.#at);
  }

  #object(depth: number): void {
    this.#at += 1;
    const names = new Set<string>();
    this.#space();
    if (this.#skip(/\}/y)) return;
    do {
      this.#space();
      const start = this.#at;
      if (this.#text[this.#at] !== '"') throw this.#unexpected();
      this.#string();
      const name = String(JSON.parse(this.#text.slice(start, this.#at)));
      if (names.has(name)) throw new Stop('repeated', start);
      names.add(name);
      this.#space();
      if (!this.#skip(/:/y)) throw this.#unexpected();
      this.#value(depth);
      this.#space();
    } while (this.#skip(/,/y));
    if (!this.#skip(/\}/y)) throw this.#unexpected();
  }

  #array(depth: number): void {
    this.#at += 1;
    this.#space();
    if (this.#skip(/\]/y)) return;
    do {
      this.#value(depth);
      this.#space();
    } while (this.#skip(/,/y));
    if (!this.#skip(/\]/y)) throw this.#unexpected();
  }

  #string(): void {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows no control character in a string.
      this.#skip(/[^"\\\u0000-\u001f]*/y);
      const next = this.#text[this.#at];
      if (next === '"') break;
      if (next !== '\\') throw new Stop('string', next === undefined ? start : this.#at);
      if (!this.#skip(/\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y)) throw new Stop('escape', this.#at);
    }
    this.#at += 1;
  }

  #number(): void {
    const start = this.#at;
    const fits = this.#skip(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (!fits || /[\w.+-]/.test(this.#text[this.#at] ?? '')) throw new Stop('number', start);
  }

  #unexpected(): Stop {
    return new Stop(this.#at < this.#text.length ? 'character' : 'end', this.#at);
  }
}

/** How a value is shown for editing. */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? '';
