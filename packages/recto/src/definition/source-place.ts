import type { SourcePlace } from './definition-source.ts';
import { jsonPlaces } from './json-places.ts';
import { tomlPlaces } from './toml-places.ts';

/** The line and column of an offset in a text. */
export function placeAt(text: string, offset: number): Required<SourcePlace> {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < lineStart; at = text.indexOf('\n', at + 1)) line += 1;
  return { line, column: [...text.slice(lineStart, offset)].length + 1 };
}

/** Finds paths in a file; the file is scanned when the first is asked for. */
export function locator(text: string, format: 'toml' | 'json'): (path: string) => SourcePlace | undefined {
  let offsets: ReadonlyMap<string, number> | undefined;
  return (path) => {
    offsets ??= format === 'toml' ? tomlPlaces(text) : jsonPlaces(text).offsets;
    for (let known = path; known !== ''; known = parentOf(known)) {
      const offset = offsets.get(known);
      if (offset !== undefined) return { line: placeAt(text, offset).line };
    }
    return undefined;
  };
}

/** `fields[2].relation` of `fields[2].relation.target`: where a part has no place of its own, what holds it has. */
const parentOf = (path: string): string =>
  path.replace(/(?:\.?[\w$-]+|\[(?:\d+|"(?:[^"\\]|\\.)*")\])$/, '').slice(0, path.length - 1);
