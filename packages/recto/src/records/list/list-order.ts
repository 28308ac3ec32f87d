import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import { naturalColumn } from '../../database/natural-order.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { defaultSort } from '../../definition/default-sort.ts';
import type { SortTerm } from '../../definition/protocol.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { namedField, scalarKindOf, storedColumn } from '../../definition/stored-field.ts';
import type { ListQuery } from '../../query/list-query.ts';
import { readableField } from '../../query/read-view.ts';
import { kinds } from '../../values/kinds.ts';
import type { JsonValue, Scalar, ScalarKind } from '../../values/value-kind.ts';
import { fieldValue } from '../plans/field-values.ts';
import { never, type ValuePlaces } from '../plans/sql-parts.ts';

/** One term of a list's order, as its statement knows it. */
export interface OrderTerm {
  readonly value: Expression<unknown>;
  /** Its name outside the inner statement, which computes it. */
  readonly inPage: Expression<unknown>;
  readonly kind: ScalarKind;
  readonly direction: 'asc' | 'desc';
  /** Whether no record lacks the value. */
  readonly filled: boolean;
  /** Identifies the term among those of its type. */
  readonly name: string;
  /** The column that its value is made of; absent: it is not made of one alone. */
  readonly column?: string;
  /** Of a primary key, whose index is not made for an order that says where nulls come. */
  readonly isKey?: boolean;
}

/** The values by which a record stands in a list's order, one for each of its terms. */
export type OrderValues = readonly (Scalar | null)[];

/**
 * What was asked for, or the type's own order where the view shows all fields that it is by: else the order would reveal what they
 * hold. Always ends in `id`, so that no two records stand at the same place; in the
 * direction of the term before it, so that one index serves both.
 */
export function sortTerms(
  { type, view }: { readonly type: ContentType; readonly view: ReadView },
  sort: readonly SortTerm[],
  searched: boolean,
): readonly SortTerm[] {
  const terms = sort.length > 0 ? sort : searched ? [] : ownOrder(type, view);
  if (terms.some((term) => term.column === 'id')) return terms;
  return [...terms, { column: 'id', direction: terms.at(-1)?.direction ?? 'asc' }];
}

/** Definitions see to it that the order of a public list reveals nothing. */
function ownOrder(type: ContentType, view: ReadView): readonly SortTerm[] {
  const own = defaultSort(type);
  if (view.audience === 'public') return own;
  return own.every(({ column }) => readableField(type, view, column) !== undefined) ? own : [];
}

/** A sort term over the rows of `alias`. Without the dialect of a statement, the value of a natural order is not needed. */
export function orderTerm(
  type: ContentType,
  alias: string,
  { column: name, direction, isNatural = false }: SortTerm,
  dialect?: Dialect,
): OrderTerm {
  const field = namedField(type, name);
  const value = fieldValue(field, alias);
  const stored = storedColumn(field) ?? name;
  if (isNatural) {
    const natural = naturalColumn(name);
    const text = dialect === undefined ? never : dialect.naturalOrder(value);
    return {
      value: text,
      inPage: sql.id(natural),
      kind: 'text',
      direction,
      filled: false,
      name: natural,
      column: stored,
    };
  }
  const kind = scalarKindOf(field) ?? 'text';
  return { value, inPage: value, kind, direction, filled: name === 'id', name, column: stored };
}

/** `ORDER BY` of the terms. */
export const orderBy = (terms: readonly OrderTerm[], dialect: Dialect): RawBuilder<unknown> =>
  sql.join(terms.map((term) => sortedBy(term, dialect)));

function sortedBy({ inPage, direction, isKey = false }: OrderTerm, dialect: Dialect): RawBuilder<unknown> {
  if (!isKey) return dialect.order(inPage, direction);
  return direction === 'asc' ? sql`${inPage} asc` : sql`${inPage} desc`;
}

/** A record's values in the order, as a JSON object, of which `orderValues` makes them again. */
export function orderKeys(terms: readonly OrderTerm[], dialect: Dialect): RawBuilder<string> {
  return dialect.jsonObject(terms.map(({ inPage, kind }, place) => [String(place), dialect.json(kind, inPage)]));
}

/** The values of one of the objects that `orderKeys` makes; undefined for anything else. */
export function orderValues(terms: readonly OrderTerm[], keys: JsonValue | undefined): OrderValues | undefined {
  if (keys === undefined || keys === null || typeof keys !== 'object' || Array.isArray(keys)) return undefined;
  const byPlace = new Map<string, JsonValue>(Object.entries(keys));
  const values = terms.map(({ kind }, place) => {
    const value = byPlace.get(String(place));
    return value === null ? null : kinds[kind].fromJson(value);
  });
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Which of the values are null: what `after` makes depends on nothing else of them. */
export const nullsOf = (values: OrderValues): string => values.map((value) => (value === null ? '0' : '1')).join('');

/** So many terms have runs of their own: of more, statements would grow by far more than what an index could spare them. */
const mostRunTerms = 3;

/** A term and the value that the place has in it; undefined for null. */
interface PlacedTerm {
  readonly term: OrderTerm;
  readonly bound: Expression<unknown> | undefined;
}

/**
 * The conditions of the records after a place: each one holds for a run of the order, and they share none. Each is a range
 * that an index on the terms finds, which one condition with all the alternatives would not be. What is equal in the first
 * terms is one run, whatever terms follow.
 */
export function runsAfter(
  terms: readonly OrderTerm[],
  values: OrderValues,
  places: ValuePlaces,
  { rules }: Dialect,
): readonly RawBuilder<boolean>[] {
  const placed = terms.map((term, index): PlacedTerm => {
    const isNull = (values[index] ?? null) === null;
    return { term, bound: isNull ? undefined : rules.plannedOnce(places.take()) };
  });
  const [first, rest] = [placed.slice(0, mostRunTerms), placed.slice(mostRunTerms)];
  const runs = first.flatMap((place, index) => pastOf(place).map((past) => within(first.slice(0, index), past)));
  const last = anyAfter(rest);
  return last === undefined ? runs : [...runs, within(first, last)];
}

/** One condition of what comes after a place; undefined where nothing does. Halved, as a condition has but so much depth. */
function anyAfter(placed: readonly PlacedTerm[]): RawBuilder<boolean> | undefined {
  const [only, ...others] = placed;
  if (only === undefined) return undefined;
  if (others.length === 0) return anyOf(pastOf(only));
  const head = placed.slice(0, placed.length / 2);
  const tail = placed.slice(head.length);
  const [past, later] = [anyAfter(head), anyAfter(tail)];
  return anyOf([past, later && within(head, later)].filter((one) => one !== undefined));
}

const within = (placed: readonly PlacedTerm[], condition: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql`${sql.join([...placed.map(equals), condition], sql` and `)}`;

function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> | undefined {
  if (conditions.length < 2) return conditions[0];
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** The values that `runsAfter` takes places for. */
export const boundValues = (terms: readonly OrderTerm[], values: OrderValues, dialect: Dialect): SqlValue[] =>
  terms.flatMap(({ kind }, index) => {
    const value = values[index] ?? null;
    return value === null ? [] : [dialect.encode(kind, value)];
  });

const equals = ({ term: { value }, bound }: PlacedTerm): RawBuilder<boolean> =>
  bound === undefined ? sql`${value} is null` : sql`${value} = ${bound}`;

/** Nulls come first when ascending, last when descending. */
function pastOf({ term: { value, direction, filled }, bound }: PlacedTerm): readonly RawBuilder<boolean>[] {
  if (direction === 'asc') return [bound === undefined ? sql`${value} is not null` : sql`${value} > ${bound}`];
  if (bound === undefined) return [];
  return filled ? [sql`${value} < ${bound}`] : [sql`${value} < ${bound}`, sql`${value} is null`];
}

/** So many matches of a search are counted and ranked; absent in `ListLimits`. */
export const defaultMostMatches = 10_000;

/**
 * In which order a list goes: as `sort` or the type says; best match first (`ranked`); or, where a search finds more than is
 * ranked, as the records were stored, oldest first (`stored`).
 */
export type Ordering = 'given' | 'ranked' | 'stored';

/** `isUnranked`: the search finds more than is ranked. */
export function orderingOf({ search, sort }: ListQuery, isUnranked: boolean): Ordering {
  if (search === null || search.length === 0 || sort.length > 0) return 'given';
  return isUnranked ? 'stored' : 'ranked';
}

/** What the statement of a ranked page is made with. */
interface RankedStatement {
  readonly type: ContentType;
  readonly row: string;
  /** The names of the fields that are searched. */
  readonly fields: readonly string[];
  readonly dialect: Dialect;
  readonly places: ValuePlaces;
}

/** The first term of a ranked list. Absent: its value is not needed. */
export function matchTerm(statement: RankedStatement | undefined): OrderTerm {
  const name = '$match';
  const value = statement === undefined ? never : bestMatch(statement);
  return { value, inPage: sql.id(name), kind: 'text', direction: 'desc', filled: true, name };
}

/** The values that `matchTerm` takes places for. */
export const matchValues = (fields: readonly string[], words: readonly string[], dialect: Dialect): SqlValue[] =>
  fields.map((name) => dialect.search.match([name], words));

/** The only term of a list in the order of storage; `value`: the row's number, as the statement knows it. */
export function storedTerm(value: RawBuilder<unknown> = never): OrderTerm {
  const name = '$place';
  return { value, inPage: sql.id(name), kind: 'integer', direction: 'asc', filled: true, name, isKey: true };
}

/**
 * Best match first: a field that holds all the words by itself counts more than all that are declared after it. A digit for
 * each field, as a text: a number of so many digits no database holds. Made only of what this view shows of the
 * record itself, because a rank that weighs words by how rare they are (BM25) would let the order reveal records and
 * fields that the caller may not read.
 */
function bestMatch({ type, row, fields, dialect, places }: RankedStatement): RawBuilder<unknown> {
  const held = fields.map(() => {
    const matches = dialect.search.foundMatches(type.table, row, places.take());
    return sql`case when ${matches} then '1' else '0' end`;
  });
  return sql`(${sql.join(held, sql` || `)})`;
}
