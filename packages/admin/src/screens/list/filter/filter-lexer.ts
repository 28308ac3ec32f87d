export interface FilterToken {
  readonly kind:
    | 'path'
    | 'variable'
    | 'modifier'
    | 'number'
    | 'string'
    | 'duration'
    | 'operator'
    | 'and'
    | 'or'
    | 'open'
    | 'close'
    | 'open_list'
    | 'close_list'
    | 'comma';
  /** As written; of a string its value. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const name = '[A-Za-z_][A-Za-z0-9_-]*';
const string = String.raw`"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'`;
const patterns: readonly (readonly [FilterToken['kind'], RegExp])[] = [
  ['string', new RegExp(string, 'y')],
  ['duration', /[+-]\s*\d{1,6}[smhdw](?![A-Za-z0-9_])/y],
  ['path', new RegExp(`${name}(?:\\.${name})*`, 'y')],
  ['variable', /@(?:now|today|yesterday|tomorrow)(?=[+-])|@[A-Za-z0-9_.-]*/y],
  ['modifier', /:[A-Za-z0-9_-]*/y],
  ['number', /-?\d+(?:\.\d+)?/y],
  ['operator', /\??(?:!=|>=|<=|!~|[=><~])/y],
  ['and', /&&/y],
  ['or', /\|\|/y],
  ['open', /\(/y],
  ['close', /\)/y],
  ['open_list', /\[/y],
  ['close_list', /\]/y],
  ['comma', /,/y],
];
const blank = /\s*/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '%': '\\%', _: '\\_' };
const escapable = /^(?:[\\"'nrt%_])$/;

/** The tokens of a filter; undefined for a text that cannot be read, or has comments, which a builder would lose. */
export function lexFilter(source: string): readonly FilterToken[] | undefined {
  const tokens: FilterToken[] = [];
  let at = 0;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(source)?.[0].length ?? 0;
    if (at === source.length) return tokens;
    const token = tokenAt(source, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at = token.end;
  }
}

function tokenAt(source: string, start: number): FilterToken | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = start;
    const found = pattern.exec(source)?.[0];
    if (found === undefined) continue;
    const end = start + found.length;
    if (kind !== 'string') return { kind, text: found, start, end };
    const text = stringValue(found.slice(1, -1));
    return text === undefined ? undefined : { kind, text, start, end };
  }
  return undefined;
}

function stringValue(written: string): string | undefined {
  let isKnown = true;
  const value = written.replace(/\\([\s\S])/g, (_, escaped: string) => {
    isKnown &&= escapable.test(escaped);
    return escapes[escaped] ?? escaped;
  });
  return isKnown ? value : undefined;
}
