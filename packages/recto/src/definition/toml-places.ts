import type { AST } from 'toml-eslint-parser';
import { childPath } from '../values/field-path.ts';

/** The offset of every table, key and item in TOML, by path (`fields[2].max_length`). None where the text is not TOML. */
export function tomlPlaces(text: string): ReadonlyMap<string, number> {
  // Loaded where a place is asked for, which is where something is wrong. True because it is the module of that name.
  const { ParseError, parseTOML } = require('toml-eslint-parser') as typeof import('toml-eslint-parser');
  const places = new TomlPlaces();
  try {
    for (const node of parseTOML(text, { tomlVersion: '1.1' }).body[0].body) {
      if (node.type === 'TOMLTable') places.table(node);
      else places.keyValue('', node);
    }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  return places.offsets;
}

class TomlPlaces {
  readonly offsets = new Map<string, number>();

  table({ resolvedKey, range, body }: AST.TOMLTable): void {
    let path = '';
    for (const part of resolvedKey) path = this.#enter(path, part, range[0]);
    for (const node of body) this.keyValue(path, node);
  }

  keyValue(table: string, { key, value }: AST.TOMLKeyValue): void {
    let path = table;
    for (const part of key.keys) {
      path = this.#enter(path, part.type === 'TOMLBare' ? part.name : part.value, key.range[0]);
    }
    this.#value(path, value);
  }

  #value(path: string, value: AST.TOMLContentNode): void {
    if (value.type === 'TOMLInlineTable') for (const inner of value.body) this.keyValue(path, inner);
    if (value.type !== 'TOMLArray') return;
    for (const [index, item] of value.elements.entries()) this.#value(this.#enter(path, index, item.range[0]), item);
  }

  /** The path of a part. What is written in several places has its place in the first. */
  #enter(parent: string, part: string | number, offset: number): string {
    const path = typeof part === 'number' ? `${parent}[${part}]` : childPath(parent, part);
    if (!this.offsets.has(path)) this.offsets.set(path, offset);
    return path;
  }
}
