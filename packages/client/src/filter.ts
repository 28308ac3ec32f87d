import type { RecordOf, View } from './content.ts';

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
};

/**
 * The text of a filter, as the parameter `filter` takes it. Values are quoted, so that whatever a person typed stays a value.
 * Throws a TypeError for what has no text, such as `undefined` or a function as a value.
 */
export const filterText = (filter: string | object): string => (typeof filter === 'string' ? filter : all(filter, ''));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Every entry of a filter or of a field's comparisons. */
function all(filter: object, path: string, mark = ''): string {
  return Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => entry(key, value, path, mark))
    .filter((text) => text !== '')
    .join(' && ');
}

function entry(key: string, value: unknown, path: string, mark: string): string {
  if (key === '$and' || key === '$or') return several(value, key === '$or' ? ' || ' : ' && ', path);
  const operator = path === '' ? undefined : operators[key];
  if (operator !== undefined) return `${path} ${mark}${operator} ${literal(value)}`;
  if (path !== '' && key === 'any') return compared(path, value, '?');
  if (path !== '' && (key === 'length' || key === 'lower')) return compared(`${path}:${key}`, value, mark);
  return compared(path === '' ? key : `${path}.${key}`, value, mark);
}

function compared(path: string, value: unknown, mark: string): string {
  if (isObject(value)) return all(value, path, mark);
  return `${path} ${mark}${Array.isArray(value) ? 'in' : '='} ${literal(value)}`;
}

function several(filters: unknown, between: string, path: string): string {
  const texts = Array.isArray(filters) ? filters.map((one) => all(one, path)) : [];
  if (texts.length === 0 || texts.includes(''))
    throw new TypeError('$and and $or take a list of filters, none of them empty.');
  return `(${texts.map((text) => `(${text})`).join(between)})`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return decimal(value);
  throw new TypeError(`A filter cannot compare with ${typeof value === 'number' ? value : typeof value}.`);
}

/** Digits without an exponent, which the language does not have. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 100 }) : text;
}
