import { childPath } from '../values/field-path.ts';

const bareOrQuoted = /[ \t]*(?:([\w-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')[ \t]*/y;
const skipped = /(?:[^"'#[\]{}\n]|#[^\n]*)+/y;
const strings = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

/**
 * The offset of every table's header and every key in valid TOML 1.0, by path (`fields[2].max_length`). What stands
 * inside a value (an inline table, a list) has none of its own: the parser that reads the values tells no places.
 */
export function tomlPlaces(text: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const counts = new Map<string, number>();
  let table = '';
  let at = 0;
  while (at < text.length) {
    at = firstOther(text, at);
    if (at >= text.length) break;
    const offset = at;
    if (text[at] === '#') {
      at = lineEnd(text, at);
    } else if (text[at] === '[') {
      const many = text[at + 1] === '[';
      const { names } = readKey(text, at + (many ? 2 : 1));
      for (const path of enteredPaths(names, many, counts)) {
        table = path;
        if (!offsets.has(path)) offsets.set(path, offset);
      }
      at = lineEnd(text, at);
    } else {
      const { names, end } = readKey(text, at);
      let path = table;
      for (const name of names) {
        path = childPath(path, name);
        if (!offsets.has(path)) offsets.set(path, offset);
      }
      at = valueEnd(text, end);
    }
  }
  return offsets;
}

/** The paths of a header's table and of all that it lies in: in names that are arrays of tables, the newest element is meant. */
function enteredPaths(names: readonly string[], many: boolean, counts: Map<string, number>): readonly string[] {
  const paths: string[] = [];
  let path = '';
  for (const [depth, name] of names.entries()) {
    path = childPath(path, name);
    if (many && depth === names.length - 1) counts.set(path, (counts.get(path) ?? 0) + 1);
    const count = counts.get(path);
    if (count !== undefined) path = `${path}[${count - 1}]`;
    paths.push(path);
  }
  return paths;
}

function readKey(text: string, start: number): { readonly names: readonly string[]; readonly end: number } {
  const names: string[] = [];
  let at = start;
  do {
    bareOrQuoted.lastIndex = at;
    const part = bareOrQuoted.exec(text);
    if (part === null) return { names, end: at + 1 };
    names.push(part[1] ?? part[2] ?? part[3] ?? '');
    at = bareOrQuoted.lastIndex + 1;
  } while (text[at - 1] === '.');
  return { names, end: at };
}

/** After the value that begins at `start` and, with all brackets closed, ends with its line. */
function valueEnd(text: string, start: number): number {
  let open = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '\n') {
      if (open === 0) return at;
      at += 1;
    } else if ('[{'.includes(character)) {
      open += 1;
      at += 1;
    } else if (']}'.includes(character)) {
      open -= 1;
      at += 1;
    } else {
      const expression = '"\''.includes(character) ? strings : skipped;
      expression.lastIndex = at;
      at = expression.test(text) ? expression.lastIndex : at + 1;
    }
  }
  return at;
}

function firstOther(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n\ufeff'.includes(text[at] ?? '')) at += 1;
  return at;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}
