import type { RecordOf, View } from './content.ts';
import { given } from './transport.ts';

/** The comparisons of one field. Several in one object must all hold. */
export interface Comparisons<T> {
  /** Keeps texts and arrays out, which have a `length` too. */
  [Symbol.iterator]?: never;
  eq?: T | null;
  ne?: T | null;
  gt?: T;
  gte?: T;
  lt?: T;
  lte?: T;
  /** SQL's LIKE, in any letter case: `%` stands for any text, `_` for one character, `\%` and `\_` for themselves. */
  like?: string;
  notLike?: string;
  in?: readonly T[];
  notIn?: readonly T[];
  /** Compares the text in lower case. */
  lower?: T | Omit<Comparisons<T>, 'lower' | 'length' | 'any'>;
  /** The characters of a text, the items of a list, the records of a relation. */
  length?: number | Omit<Comparisons<number>, 'lower' | 'length' | 'any' | 'like' | 'notLike'>;
  /** One of several values: for relations to many, lists, and paths through them. */
  any?: T | Omit<Comparisons<T>, 'lower' | 'length' | 'any' | 'in' | 'notIn'>;
}

/** What a field's values are compared with: dates as text or `Date`. */
type Operand<T> =
  NonNullable<T> extends infer V
    ? V extends string
      ? string extends V
        ? V | Date
        : V
      : V extends number
        ? V | bigint
        : V extends boolean
          ? boolean
          : V extends readonly (infer Item)[]
            ? Extract<Item, string | number | boolean>
            : never
    : never;

type Scalar<T> =
  NonNullable<T> extends object
    ? NonNullable<T> extends readonly unknown[]
      ? Comparisons<Operand<T>>
      : // A JSON field: its values are named by paths in a filter of text, or by nesting.
        Comparisons<string | number | boolean> & { [path: string]: unknown }
    : Operand<T> | null | readonly Operand<T>[] | Comparisons<Operand<T>>;

/**
 * A filter by fields: `{ views: { gt: 5 }, author: { name: { like: 'Ines%' } } }`. All must hold; `$or` and `$and` take lists of
 * filters. A value stands for equality, an array for one of several.
 */
export type Filter<C, N extends keyof C, V extends View = 'get'> = FilterOf<C, N, V, RecordOf<C, N, V>>;

type FilterOf<C, N extends keyof C, V extends View, R> = {
  [F in keyof R]?: C[N] extends { relations: infer Rel }
    ? F extends keyof Rel
      ? RelationFilter<C, Extract<Rel[F], keyof C>, V extends 'admin' ? 'admin' : 'get'>
      : Scalar<R[F]>
    : Scalar<R[F]>;
} & { $and?: readonly FilterOf<C, N, V, R>[]; $or?: readonly FilterOf<C, N, V, R>[] };

type RelationFilter<C, Target extends keyof C, V extends View> =
  | string
  | null
  | readonly string[]
  | Comparisons<string>
  | ([Target] extends [never] ? never : Filter<C, Target, V>);

const operators: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '!=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: '~',
  notLike: '!~',
  in: 'in',
  notIn: 'not in',
  $and: '&&',
  $or: '||',
};

/**
 * The text of a filter, as the parameter `filter` takes it. Values are quoted, so that whatever a person typed stays a value.
 * Throws a TypeError for what has no text, such as `undefined` or a function as a value.
 */
export const filterText = (filter: string | object): string => (typeof filter === 'string' ? filter : all(filter, ''));

/** Every entry of a filter or of a field's comparisons. */
const all = (filter: object, path: string, mark = ''): string =>
  given({ ...filter })
    .map(([key, value]) => entry(key, value, path, mark))
    .filter(Boolean)
    .join(' && ');

function entry(key: string, value: unknown, path: string, mark: string): string {
  const operator = operators[key];
  if (operator && key.startsWith('$')) return several(value, operator, path);
  if (!path) return compared(key, value, mark);
  if (operator) return `${path} ${mark}${operator} ${literal(value)}`;
  if (key === 'any') return compared(path, value, '?');
  return compared(path + (key === 'length' || key === 'lower' ? ':' : '.') + key, value, mark);
}

/** A value alone stands for equality, an array for one of several. */
const compared = (path: string, value: unknown, mark: string): string =>
  all(Array.isArray(value) ? { in: value } : isNested(value) ? value : { eq: value }, path, mark);

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

function several(filters: unknown, operator: string, path: string): string {
  const texts = Array.isArray(filters) ? filters.map((one) => all(one, path)) : [''];
  if (!texts[0] || texts.includes('')) throw new TypeError('$and and $or take filters.');
  return `((${texts.join(`) ${operator} (`)}))`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value instanceof Date) return literal(value.toISOString());
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  if (typeof value === 'number' && Number.isFinite(value)) return decimal(value);
  if (value === null || /^(?:boolean|bigint)$/.test(typeof value)) return `${value}`;
  throw new TypeError(`A filter cannot compare with ${String(value)}.`);
}

/** Digits without an exponent, which the language does not have. */
const decimal = (value: number): string =>
  `${value}`.includes('e')
    ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 100 })
    : `${value}`;
