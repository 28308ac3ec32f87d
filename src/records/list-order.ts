import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../bindings/bindings.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentType } from '../definition/content-type.ts';
import { defaultSort } from '../definition/default-sort.ts';
import type { SortTerm } from '../definition/protocol.ts';
import { kinds } from '../values/kinds.ts';
import type { JsonValue, Scalar, ScalarKind } from '../values/value-kind.ts';
import { column, type ValuePlaces } from './sql-parts.ts';

/** One term of a list's order, as its statement knows it. */
export interface OrderTerm {
  readonly value: Expression<unknown>;
  /** What the page, which has worked it out, calls it. */
  readonly told: Expression<unknown>;
  readonly kind: ScalarKind;
  readonly direction: 'asc' | 'desc';
  /** Whether no record lacks the value. */
  readonly filled: boolean;
  /** Tells the term apart from any other of its type. */
  readonly name: string;
}

/** The values by which a record stands in a list's order, one for each of its terms. */
export type OrderValues = readonly (Scalar | null)[];

/**
 * What was asked for, or the type's own order. Always ends in `id`, so that no two records stand at the same place; in the
 * direction of the term before it, so that one index serves both.
 */
export function sortTerms(type: ContentType, sort: readonly SortTerm[], searched: boolean): readonly SortTerm[] {
  const terms = sort.length > 0 ? sort : searched ? [] : defaultSort(type);
  if (terms.some((term) => term.column === 'id')) return terms;
  return [...terms, { column: 'id', direction: terms.at(-1)?.direction ?? 'asc' }];
}

/** A sort term over the rows of `alias`. */
export function orderTerm(type: ContentType, alias: string, { column: name, direction }: SortTerm): OrderTerm {
  const value = column(alias, name);
  for (const { place } of type.fields) {
    if (place.shape === 'column' && place.column === name && place.kind !== 'json') {
      return { value, told: value, kind: place.kind, direction, filled: name === 'id', name };
    }
  }
  return { value, told: value, kind: 'text', direction, filled: name === 'id', name };
}

/** `ORDER BY` of the terms. */
export const orderBy = (terms: readonly OrderTerm[], dialect: Dialect): RawBuilder<unknown> =>
  sql.join(terms.map(({ told, direction }) => dialect.order(told, direction)));

/** A record's values in the order, as a JSON object, of which `orderValues` makes them again. */
export function orderKeys(terms: readonly OrderTerm[], dialect: Dialect): RawBuilder<string> {
  return dialect.jsonObject(terms.map(({ told, kind }, place) => [String(place), dialect.json(kind, told)]));
}

/** The values of one of the objects that `orderKeys` makes; undefined for anything else. */
export function orderValues(terms: readonly OrderTerm[], keys: JsonValue | undefined): OrderValues | undefined {
  if (keys === undefined || keys === null || typeof keys !== 'object' || Array.isArray(keys)) return undefined;
  const told = new Map<string, JsonValue>(Object.entries(keys));
  const values = terms.map(({ kind }, place) => {
    const value = told.get(String(place));
    return value === null ? null : kinds[kind].fromJson(value);
  });
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Which of the values are null: what `after` makes depends on nothing else of them. */
export const nullsOf = (values: OrderValues): string => values.map((value) => (value === null ? '0' : '1')).join('');

/**
 * The conditions of the records after a place: each one holds for a run of the order, and they share none. Each is a range
 * that an index on the terms finds, which one condition with all the alternatives would not be.
 */
export function runsAfter(
  terms: readonly OrderTerm[],
  values: OrderValues,
  places: ValuePlaces,
): readonly RawBuilder<boolean>[] {
  const bound = terms.map((_, index) => ((values[index] ?? null) === null ? undefined : places.take()));
  const runs: RawBuilder<boolean>[] = [];
  for (let last = terms.length - 1; last >= 0; last--) {
    const equal = terms.slice(0, last).map(({ value }, index) => sql`${equals(value, bound[index])}`);
    const term = terms[last];
    if (term === undefined) continue;
    for (const past of pastOf(term, bound[last])) runs.push(sql`${sql.join([...equal, past], sql` and `)}`);
  }
  return runs;
}

/** The values that `runsAfter` takes places for. */
export const boundValues = (terms: readonly OrderTerm[], values: OrderValues, dialect: Dialect): SqlValue[] =>
  terms.flatMap(({ kind }, index) => {
    const value = values[index] ?? null;
    return value === null ? [] : [dialect.encode(kind, value)];
  });

const equals = (value: Expression<unknown>, bound: Expression<unknown> | undefined): RawBuilder<boolean> =>
  bound === undefined ? sql`${value} is null` : sql`${value} = ${bound}`;

/** Nulls come first when ascending, last when descending. */
function pastOf(
  { value, direction, filled }: OrderTerm,
  bound: Expression<unknown> | undefined,
): readonly RawBuilder<boolean>[] {
  if (direction === 'asc') return [bound === undefined ? sql`${value} is not null` : sql`${value} > ${bound}`];
  if (bound === undefined) return [];
  return filled ? [sql`${value} < ${bound}`] : [sql`${value} < ${bound}`, sql`${value} is null`];
}
