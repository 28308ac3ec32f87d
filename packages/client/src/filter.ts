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

/**
 * The text of a filter, as the parameter `filter` takes it: an expression as it is, an object as JSON. Throws a TypeError for what JSON
 * would leave out or write as null, such as a function or `NaN`: it would be another filter.
 */
export const filterText = (filter: string | object): string =>
  typeof filter === 'string' ? filter : JSON.stringify(filter, sent);

/** What JSON holds of a member. */
function sent(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  // A whole number that JSON cannot hold exactly is a string.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
  const isLost =
    typeof value === 'number'
      ? !Number.isFinite(value)
      : // A date that is none is null in JSON.
        (value === null && this[name] !== null) || /^(f|sy)/.test(typeof value);
  if (isLost) throw new TypeError(`A filter cannot have ${String(this[name])}.`);
  return value;
}
