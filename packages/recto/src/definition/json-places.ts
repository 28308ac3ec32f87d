import type { JSONScanner, Node, ParseError } from 'jsonc-parser';
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

/** The same depth as `plainDefinition` goes to. */
const deepest = 100;

/** Reads JSON text (RFC 8259) for the places of its parts: the runtime's own parser reports none, not even that of an error. */
export function jsonPlaces(text: string): JsonPlaces {
  // Loaded where a place is asked for, which is where something is wrong. True because it is the package's module for bundlers:
  // its other one finds its own files by a call that no bundler sees.
  const jsonc = require('jsonc-parser/lib/esm/main.js') as typeof import('jsonc-parser');
  const offsets = new Map<string, number>();
  const deep = tooDeep(text, jsonc.createScanner(text, true));
  if (deep !== undefined) return { offsets, repeated: undefined, error: deep };
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { disallowComments: true });
  let repeated: JsonPlaces['repeated'];
  const visit = (path: string, { type, children = [] }: Node): void => {
    const names = new Set<unknown>();
    for (const [index, child] of children.entries()) {
      const [name, value] = type === 'object' ? (child.children ?? []) : [undefined, child];
      const inner = name === undefined ? `${path}[${index}]` : childPath(path, String(name.value));
      if (name !== undefined && names.has(name.value)) repeated ??= { path: inner, offset: child.offset };
      names.add(name?.value);
      offsets.set(inner, child.offset);
      if (value !== undefined) visit(inner, value);
    }
  };
  if (root !== undefined) visit('', root);
  return { offsets, repeated, error: errors[0]?.offset };
}

/** Where the text is nested deeper than anything reads it. */
function tooDeep(text: string, scanner: JSONScanner): number | undefined {
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const first = text[scanner.getTokenOffset()];
    if (first === '[' || first === '{') depth += 1;
    if (first === ']' || first === '}') depth -= 1;
    if (depth > deepest + 1) return scanner.getTokenOffset();
  }
  return undefined;
}

/**
 * What JSON text says, as the runtime's parser reads it; undefined where it fails or drops a value because a name
 * stands twice in an object; `jsonPlaces` then locates the error. Takes a tenth of its time.
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
