import { truncate } from '../base/truncate.ts';
import type { ComparisonOperator } from './rule-tree.ts';

/** A filter that was sent as JSON, written out as the expression that it means. */
export interface WrittenFilter {
  /** Empty where the object has no condition. */
  readonly text: string;
  /** The member that a character of the text comes from: `$or[1].views.gt`. Empty: the whole. */
  readonly pathAt: (position: number) => string;
}

/** An object that is no filter. */
export class FilterObjectError extends Error {
  override readonly name = 'FilterObjectError';
  /** The member that is wrong; empty: the whole. */
  readonly path: string;

  constructor(reason: string, path: string) {
    super(reason);
    this.path = path;
  }
}

/** An expression cannot begin with a brace. */
export const isFilterObject = (text: string): boolean => /^\s*\{/.test(text);

/** `$and` and `$or` in each other. */
const deepest = 32;

const operators: ReadonlyMap<string, ComparisonOperator | 'in' | 'not in'> = new Map([
  ['eq', '='],
  ['ne', '!='],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
  ['like', '~'],
  ['notLike', '!~'],
  ['in', 'in'],
  ['notIn', 'not in'],
]);

/** A piece of the expression, and the member that it comes from. */
interface Piece {
  readonly text: string;
  readonly path: string;
}
type Condition = readonly Piece[];

/** Where a value stands in the object. */
interface Place {
  /** What is compared, with its modifier; empty: nothing yet. */
  readonly field: string;
  readonly any: boolean;
  readonly path: string;
  readonly depth: number;
}

/**
 * Writes a JSON object out as an expression: `{"views":{"gt":5}}` is `views > 5`. Names must be names and strings are quoted, so nothing in
 * the object becomes an operator. Throws a FilterObjectError for what is no such object.
 */
export function writeFilterObject(source: string): WrittenFilter {
  const pieces = joined(conditions(parsed(source), { field: '', any: false, path: '', depth: 0 }), ' && ');
  let text = '';
  const starts = pieces.map((piece) => {
    const start = text.length;
    text += piece.text;
    return { start, path: piece.path };
  });
  return { text, pathAt: (position) => starts.findLast(({ start }) => start <= position)?.path ?? '' };
}

/** A number as it was written: a decimal needs every digit. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function parsed(source: string): object {
  let value: unknown;
  let members = 0;
  try {
    value = JSON.parse(source, (_name, each: unknown, context?: { readonly source?: string }) => {
      if (isObject(each)) members += Object.keys(each).length;
      return typeof each === 'number' ? new NumberText(context?.source ?? `${each}`) : each;
    });
  } catch {
    throw new FilterObjectError('A filter that begins with { is a JSON object, and this is no JSON.', '');
  }
  // Of two members of one name, JSON keeps the last: a condition would be lost.
  const names = [...source.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined);
  if (names.length !== members) throw new FilterObjectError('A name stands twice in one object.', '');
  // What begins with a brace, and is JSON, is an object.
  return value as object;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);

/** What must hold for an object: the conditions of all its members. */
const conditions = (members: object, place: Place): readonly Condition[] =>
  Object.entries(members).flatMap(([name, value]) =>
    member(name, value, { ...place, path: place.path === '' ? name : `${place.path}.${name}` }),
  );

function member(name: string, value: unknown, place: Place): readonly Condition[] {
  if (name === '$and') return filters(value, place).flat();
  if (name === '$or') return [either(filters(value, place), place.path)];
  if (place.field === '') return compared(value, { ...place, field: fieldName(name, place) });
  const operator = operators.get(name);
  if (operator !== undefined) return [[{ text: comparison(operator, value, place), path: place.path }]];
  if (name === 'any') return compared(value, { ...place, any: true });
  const mark = name === 'length' || name === 'lower' ? ':' : '.';
  return compared(value, { ...place, field: place.field + mark + fieldName(name, place) });
}

/** A value alone stands for equality, an array for one of several. */
function compared(value: unknown, place: Place): readonly Condition[] {
  if (isObject(value)) return conditions(value, place);
  return member(Array.isArray(value) ? 'in' : 'eq', value, place);
}

/** The conditions of each item of `$and` and `$or`. */
function filters(value: unknown, { depth, ...place }: Place): readonly (readonly Condition[])[] {
  if (depth === deepest) throw new FilterObjectError(`$and and $or nest at most ${deepest} deep.`, place.path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const all = items.map((item, index) => {
    const path = `${place.path}[${index}]`;
    const found = isObject(item) ? conditions(item, { ...place, path, depth: depth + 1 }) : [];
    if (found.length === 0) throw new FilterObjectError('$and and $or take objects, each with a condition.', path);
    return found;
  });
  if (all.length === 0) throw new FilterObjectError('$and and $or take a list of one object or more.', place.path);
  return all;
}

const either = (all: readonly (readonly Condition[])[], path: string): Condition => [
  { text: '(', path },
  ...joined(
    all.map((each) => joined(each, ' && ')),
    ' || ',
  ),
  { text: ')', path },
];

const joined = (all: readonly Condition[], mark: string): Condition =>
  all.flatMap((condition, index) =>
    index === 0 ? condition : [{ text: mark, path: condition[0]?.path ?? '' }, ...condition],
  );

const names = /^[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*(?::[A-Za-z0-9_-]+)?$/;

function fieldName(name: string, { path }: Place): string {
  if (names.test(name) && !/^(?:null|true|false)$/.test(name)) return name;
  throw new FilterObjectError(`${JSON.stringify(truncate(name, 100))} is no name of a field.`, truncate(path, 100));
}

function comparison(operator: string, value: unknown, { field, any, path }: Place): string {
  return `${field} ${any ? '?' : ''}${operator} ${literal(value, path)}`;
}

function literal(value: unknown, path: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, path)).join(', ')}]`;
  if (value instanceof NumberText) return digits(value.text, path);
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  if (value === null || typeof value === 'boolean') return `${value}`;
  throw new FilterObjectError('A comparison takes a value: text, a number, true, false or null.', path);
}

/** No number of any field has more. */
const mostZeros = 400;

/** The digits of a number without an exponent, which expressions do not have. */
function digits(number: string, path: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const shift = Number(exponent);
  if (Math.abs(shift) > mostZeros) throw new FilterObjectError('This number is too large, or too small.', path);
  const all = whole.padStart(whole.length + Math.max(0, -shift), '0') + fraction.padEnd(shift, '0');
  const point = all.length - Math.max(0, fraction.length - shift);
  const written = `${all.slice(0, point).replace(/^0+(?=\d)/, '')}.${all.slice(point)}`;
  return sign + written.replace(/\.$/, '');
}
