import { calculationRemedy, foreignMarks, markRemedy } from './foreign-spelling.ts';
import { RuleError } from './rule-error.ts';
import type { ComparisonOperator, Span } from './rule-tree.ts';

export type RuleToken = { readonly span: Span } & (
  | { readonly token: 'path' | 'variable' | 'modifier' | 'number'; readonly text: string }
  | { readonly token: 'string'; readonly value: string; readonly pattern?: Span }
  /** `- 7d`, in milliseconds. */
  | { readonly token: 'duration'; readonly milliseconds: number }
  | { readonly token: 'operator'; readonly operator: ComparisonOperator; readonly any: boolean }
  | { readonly token: 'and' | 'or' | 'open' | 'close' | 'open_list' | 'close_list' | 'comma' | 'end' }
  /** What cannot be read. The parser throws the error where it gets here: what stands before may be the actual mistake. */
  | { readonly token: 'unreadable'; readonly error: RuleError }
);

const name = '[A-Za-z_][A-Za-z0-9_-]*';
/** White space, and comments to the end of their line. */
const blank = /(?:\s|\/\/[^\n]*)+/y;
const operators = /\??(?:!=|>=|<=|!~|[=><~])/y;
const marks = /&&|\|\||[()[\],]/y;
const markTokens = {
  '&&': 'and',
  '||': 'or',
  '(': 'open',
  ')': 'close',
  '[': 'open_list',
  ']': 'close_list',
  ',': 'comma',
} as const;
const duration = /([+-])\s*(\d{1,6})([smhdw])(?![A-Za-z0-9_])/y;
const unitMilliseconds: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const texts = [
  ['path', new RegExp(`${name}(?:\\.${name})*`, 'y')],
  ['variable', /@(?:now|today|yesterday|tomorrow)(?=[+-])|@[A-Za-z0-9_.-]*/y],
  ['modifier', /:[A-Za-z0-9_-]*/y],
  ['number', /-?\d+(?:\.\d+)?/y],
] as const;
const escapes: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', "'": "'", n: '\n', r: '\r', t: '\t' };

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** The string that opens at `start`: its value and where it ends. */
function readString(source: string, start: number): RuleToken {
  const quote = source[start];
  let value = '';
  let pattern: Span | undefined;
  for (let at = start + 1; at < source.length; at += 1) {
    const unit = source[at] ?? '';
    if (unit === quote) {
      return { token: 'string', value, ...(pattern === undefined ? {} : { pattern }), span: { start, end: at + 1 } };
    }
    if (unit !== '\\') {
      value += unit;
      continue;
    }
    at += 1;
    if (source[at] === '%' || source[at] === '_') {
      pattern ??= { start: at - 1, end: at + 1 };
      value += `\\${source[at]}`;
      continue;
    }
    const escaped = escapes[source[at] ?? ''];
    if (escaped === undefined) {
      const reason =
        'A string has the escapes \\\\ \\" \\\' \\n \\r \\t, and in patterns \\% and \\_. Write \\\\ for a backslash.';
      throw new RuleError(reason, source, { start: at - 1, end: Math.min(at + 1, source.length) });
    }
    value += escaped;
  }
  throw new RuleError(`This string is not closed: its ending ${quote} is missing.`, source, { start, end: start + 1 });
}

function unexpected(source: string, at: number): RuleError {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const span = { start: at, end: at + character.length };
  if (character === '.') {
    const reason = 'A dot stands between two names, as in author.team, or between digits, as in 0.5.';
    return new RuleError(reason, source, span);
  }
  const why = character === '-' ? ` ${calculationRemedy}` : '';
  return new RuleError(`The character ${JSON.stringify(character)} has no meaning here.${why}`, source, span);
}

function readDuration(source: string, start: number): RuleToken | undefined {
  duration.lastIndex = start;
  const [text = '', sign, amount, unit = ''] = duration.exec(source) ?? [];
  if (text === '') return undefined;
  const milliseconds = Number(amount) * (unitMilliseconds[unit] ?? 0) * (sign === '-' ? -1 : 1);
  return { token: 'duration', milliseconds, span: { start, end: start + text.length } };
}

function readToken(source: string, start: number): RuleToken {
  if (source[start] === '"' || source[start] === "'") return readString(source, start);
  const moved = readDuration(source, start);
  if (moved !== undefined) return moved;
  const foreign = match(foreignMarks, source, start);
  if (foreign !== undefined) {
    throw new RuleError(markRemedy(foreign, source, start), source, { start, end: start + foreign.length });
  }
  for (const [token, pattern] of texts) {
    const text = match(pattern, source, start);
    if (text !== undefined) return { token, text, span: { start, end: start + text.length } };
  }
  const operator = match(operators, source, start);
  if (operator !== undefined) {
    const any = operator.startsWith('?');
    return {
      token: 'operator',
      // The pattern matches the comparison operators, with or without a question mark, and nothing else.
      operator: operator.slice(any ? 1 : 0) as ComparisonOperator,
      any,
      span: { start, end: start + operator.length },
    };
  }
  const mark = match(marks, source, start);
  if (mark === undefined) throw unexpected(source, start);
  // The pattern matches the keys of the table and nothing else.
  return { token: markTokens[mark as keyof typeof markTokens], span: { start, end: start + mark.length } };
}

/** The tokens of a rule; the last is `end`, or `unreadable` where the text cannot be read on. */
export function lexRule(source: string): readonly RuleToken[] {
  const tokens: RuleToken[] = [];
  let at = 0;
  try {
    for (;;) {
      at += match(blank, source, at)?.length ?? 0;
      if (at >= source.length) break;
      const token = readToken(source, at);
      tokens.push(token);
      at = token.span.end;
    }
    tokens.push({ token: 'end', span: { start: source.length, end: source.length } });
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    tokens.push({ token: 'unreadable', error, span: { start: error.position, end: error.position + 1 } });
  }
  return tokens;
}
