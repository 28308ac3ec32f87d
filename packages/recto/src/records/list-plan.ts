import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { ReadKind } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentType } from '../definition/content-type.ts';
import { includeKey } from '../query/include-tree.ts';
import type { ListQuery } from '../query/list-query.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { buildWeightPlan } from './answer-weight.ts';
import { nullsOf, type OrderTerm, type OrderValues, orderKeys, orderTerm, sortTerms } from './list-order.ts';
import { listPage, pageValues, type RowPart } from './list-page.ts';
import { listedRows, type RowShape, rowConditions, rowShapeKey, rowValues, searchedNames } from './list-rows.ts';
import { listedRecord } from './listed-record.ts';
import { rowParts } from './narrowed-rows.ts';
import { Plan } from './plan.ts';
import { type PlanReads, ReadsCollector } from './plan-reads.ts';
import { never, tableAs, ValuePlaces } from './sql-parts.ts';
import type { PlanContext, StoredForm } from './visibility.ts';

/** The statements of one shape of list request. */
export interface ListPlan {
  /** One row: `items`, the JSON array of the page's records as text, and `keys`, that of their places in the order. */
  readonly items: Plan;
  /** One row: `total`; one more than `mostCounted` where there are more. */
  readonly total: Plan;
  readonly mostCounted: number;
  readonly kind: ReadKind;
  readonly reads: PlanReads;
}

/** A search counts so many records at most. */
const mostFound = 10_000;

export interface ListShape extends RowShape {
  readonly query: ListQuery;
  /** The place in the order that the page begins after; null: it begins where page and page size say. */
  readonly after: OrderValues | null;
}

/** Equal for requests that one plan serves: all that the statement's text depends on, and no value. */
export function listShapeKey(shape: ListShape): string {
  const { query, after } = shape;
  return [
    rowShapeKey(shape),
    query.sort.map((term) => `${term.column}:${term.direction}`).join(','),
    includeKey(query.include),
    after === null ? '' : nullsOf(after),
  ].join('|');
}

/** Equal for requests whose pages are pages of one list: which records, for which words and values, in which order. */
export function listIdentity(shape: ListShape, total: readonly SqlValue[]): string {
  const { type, query } = shape;
  const whole = { ...shape, authenticated: false, tenant: false, after: null, query: { ...query, include: [] } };
  const order = listOrder(shape).map(({ name, kind, direction }) => `${name}:${kind}:${direction}`);
  return JSON.stringify([listShapeKey(whole), type.table, order, query.search, total.map(String)]);
}

/** The values for a plan's places, in the order in which `buildListPlan` hands them out; `items` takes those of the page after the rest. */
export function listValues(
  shape: ListShape,
  dialect: Dialect,
): { total: readonly SqlValue[]; items: readonly SqlValue[] } {
  const { query, after } = shape;
  const total = rowValues(shape, dialect);
  const ranks: SqlValue[] = [];
  const words = query.search ?? [];
  if (words.length > 0 && query.sort.length === 0) {
    for (const name of searchedNames(shape)) ranks.push(dialect.search.match([name], words));
  }
  const place = pageValues({ order: listOrder(shape), after }, query, dialect);
  return { total, items: [...total, ...ranks, ...place] };
}

const row = 't0';

export function buildListPlan(shape: ListShape, dialect: Dialect, form: StoredForm): ListPlan {
  const { type, query } = shape;
  const reads = new ReadsCollector();
  const { authenticated, tenant } = shape;
  const context: PlanContext = { dialect, authenticated, tenant, reads, form };
  const record = listedRecord(shape, row, context);
  const { parts, order, page } = listRows(shape, context);
  const items = new Plan(
    sql`select ${dialect.jsonRows(record)} as "items", ${dialect.jsonRows(orderKeys(order, dialect))} as "keys"
      from ${dialect.pageRows(type.table, row, page)}`,
    dialect,
  );
  const isSearched = query.search !== null && query.search.length > 0;
  const counts = isSearched ? foundCounts(shape, context) : parts.map((part) => partCount(part, type.table));
  const total = new Plan(sql`select ${sql.join(counts, sql` + `)} as "total"`, dialect);
  const most = isSearched ? mostFound : Number.POSITIVE_INFINITY;
  return { items, total, mostCounted: most, kind: query.search === null ? 'records' : 'search', reads: reads.done() };
}

function partCount({ condition, when }: RowPart, table: string): RawBuilder<unknown> {
  const count = sql`(select count(*) from ${tableAs(table, row)} where ${condition})`;
  return when === undefined ? count : sql`case when ${when} then ${count} else 0 end`;
}

/** Counts what a search finds, for each part of the list, as far as it is counted. Takes the values of `total`. */
function foundCounts(shape: ListShape, context: PlanContext): readonly RawBuilder<unknown>[] {
  const { type, query } = shape;
  const places = new ValuePlaces();
  const parts = rowConditions({ ...shape, query: { ...query, search: null } }, row, context, places);
  const from = context.dialect.search.found(type.table, row, places.take());
  return parts.map((part) => {
    const found = sql`select 1 from ${from} where ${part} limit ${sql.lit(mostFound + 1)}`;
    return sql`(select count(*) from (${found}) as "counted")`;
  });
}

/** Weighs a page of the list. Takes the values of `items`. */
export function buildListWeight(shape: ListShape, dialect: Dialect, budget: AnswerBudget): Plan {
  const { type, types, view, query, authenticated, tenant } = shape;
  const context: PlanContext = { dialect, authenticated, tenant, reads: new ReadsCollector() };
  const { page } = listRows(shape, context);
  return buildWeightPlan({ type, types, view, include: query.include, keys: page }, context, budget);
}

/** The rows of a page: the conditions of the list's, their order, and the statement that finds them. */
function listRows(shape: ListShape, context: PlanContext) {
  const { dialect } = context;
  const places = new ValuePlaces();
  const parts = rowParts(listedRows(shape, row, context, places), shape.type.table, row);
  const order = listOrder(shape, { dialect, places });
  const page = listPage({ table: shape.type.table, row, parts, order, after: shape.after }, dialect, places);
  return { parts, order, page };
}

/** The terms of a list's order; `statement`: what the statement that they stand in is made with. */
export function listOrder(
  shape: ListShape,
  statement?: { readonly dialect: Dialect; readonly places: ValuePlaces },
): readonly OrderTerm[] {
  const { type, query } = shape;
  const searched = query.search !== null && query.search.length > 0;
  const terms = sortTerms(type, query.sort, searched).map((term) => orderTerm(type, row, term));
  if (query.sort.length > 0 || !searched) return terms;
  const name = '$match';
  const value = statement === undefined ? never : bestMatch(searchedNames(shape), type, statement);
  return [{ value, inPage: sql.id(name), kind: 'text', direction: 'desc', filled: true, name }, ...terms];
}

/**
 * Best match first: a field that holds all the words by itself counts more than all that are declared after it. A digit for
 * each field, as a text: a number of so many digits no database holds. Made only of what this view shows of the
 * record itself, because a rank that weighs words by how rare they are (BM25) would let the order reveal records and
 * fields that the caller may not read.
 */
function bestMatch(
  fields: readonly string[],
  type: ContentType,
  { dialect, places }: { readonly dialect: Dialect; readonly places: ValuePlaces },
): RawBuilder<unknown> {
  const held = fields.map((name) => {
    const matches = dialect.search.matchesRow(type.table, row, [name], places.take());
    return sql`case when ${matches} then '1' else '0' end`;
  });
  return sql`(${sql.join(held, sql` || `)})`;
}
