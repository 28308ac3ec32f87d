import { childPath } from '../values/field-path.ts';
import type { JsonValue } from '../values/value-kind.ts';

/** What a scan of JSON text found. */
export interface JsonPlaces {
  /** The offset of every member's name and every list's item, by path. */
  readonly offsets: ReadonlyMap<string, number>;
  /** The first member whose name its object already had. */
  readonly repeated: { readonly path: string; readonly offset: number } | undefined;
  /** Where the text stops being JSON; undefined when it is JSON throughout. */
  readonly error: number | undefined;
}

const space = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, section 7, forbids exactly these in strings
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const atom = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** The same depth as `plainDefinition` goes to. */
const deepest = 100;

class JsonError extends Error {}

/** Walks JSON text (RFC 8259) for the places of its parts: the runtime's own parser tells none, not even that of an error. */
export function jsonPlaces(text: string): JsonPlaces {
  const scan = new JsonScan(text);
  try {
    scan.value('', 0);
    scan.end();
    return { offsets: scan.offsets, repeated: scan.repeated, error: undefined };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { offsets: scan.offsets, repeated: scan.repeated, error: scan.at };
  }
}

/**
 * What JSON text says, as the runtime's parser reads it; undefined where that is refused or leaves something out because a name
 * stands twice in an object, which `jsonPlaces` then tells the place of. A tenth of the time of that.
 */
export function plainJson(text: string): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const named = (text.match(stringOrName) ?? []).filter((found) => found.endsWith(':')).length;
  return named === namesIn(value, 0) ? value : undefined;
}

/** A string of valid JSON, with the colon after it where it is a name. */
const stringOrName = /"[^"\\]*(?:\\.[^"\\]*)*"(?:[ \t\r\n]*:)?/g;

/** How many members the objects within a value have; NaN where it is too deep. */
function namesIn(value: JsonValue, depth: number): number {
  if (depth > deepest) return Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const item of value) names += namesIn(item, depth + 1);
    return names;
  }
  for (const inner of Object.values(value)) names += 1 + namesIn(inner, depth + 1);
  return names;
}

class JsonScan {
  readonly offsets = new Map<string, number>();
  repeated: JsonPlaces['repeated'];
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  value(path: string, depth: number): void {
    this.#take(space);
    if (depth > deepest) throw new JsonError();
    const first = this.#text[this.at];
    if (first === '{') this.#members(path, depth);
    else if (first === '[') this.#items(path, depth);
    else if (first === '"') this.#require(string);
    else this.#require(atom);
    this.#take(space);
  }

  end(): void {
    if (this.at < this.#text.length) throw new JsonError();
  }

  #members(path: string, depth: number): void {
    const names = new Set<string>();
    this.#each('}', () => {
      const offset = this.at;
      // True because the expression has found a JSON string, and nothing else parses to one.
      const name = JSON.parse(this.#require(string)) as string;
      const inner = childPath(path, name);
      if (names.has(name)) this.repeated ??= { path: inner, offset };
      names.add(name);
      this.offsets.set(inner, offset);
      this.#take(space);
      this.#literal(':');
      this.value(inner, depth + 1);
    });
  }

  #items(path: string, depth: number): void {
    let index = 0;
    this.#each(']', () => {
      const inner = `${path}[${index}]`;
      this.offsets.set(inner, this.at);
      this.value(inner, depth + 1);
      index += 1;
    });
  }

  /** Runs `part` for each of the parts up to `close`, between which commas stand. */
  #each(close: string, part: () => void): void {
    this.at += 1;
    this.#take(space);
    if (this.#text[this.at] !== close) {
      part();
      this.#take(space);
      while (this.#text[this.at] === ',') {
        this.at += 1;
        this.#take(space);
        part();
        this.#take(space);
      }
    }
    this.#literal(close);
  }

  #literal(character: string): void {
    if (this.#text[this.at] !== character) throw new JsonError();
    this.at += 1;
  }

  #require(expression: RegExp): string {
    const found = this.#take(expression);
    if (found === '') throw new JsonError();
    return found;
  }

  #take(expression: RegExp): string {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
