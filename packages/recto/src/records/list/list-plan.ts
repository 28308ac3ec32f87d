import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { ReadKind } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { ListLimits, ListQuery, WalkBounds } from '../../query/list-query.ts';
import { includeKey, selectionKey } from '../../query/record-parts.ts';
import type { AnswerBudget } from '../answers/answer.ts';
import { keptRows } from '../plans/language-tables.ts';
import { Plan } from '../plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import type { PlanContext, StoredForm } from '../plans/visibility.ts';
import { Projection } from '../select/projection.ts';
import { buildWeightPlan } from '../select/response-size-plan.ts';
import { countedParts, rowParts } from './filtered-rows.ts';
import {
  defaultMostMatches,
  matchTerm,
  matchValues,
  nullsOf,
  type Ordering,
  type OrderTerm,
  type OrderValues,
  orderingOf,
  orderKeys,
  orderTerm,
  sortTerms,
  storedTerm,
} from './list-order.ts';
import {
  isNearPage,
  type ListPage,
  listPage,
  pageValues,
  type RowPart,
  type RowsInParts,
  withChoice,
} from './list-page.ts';
import {
  type ListedRows,
  listedRows,
  type RowShape,
  readKindOf,
  rowShapeKey,
  rowValues,
  searchedNames,
} from './list-rows.ts';

/** The statements of one shape of list request. */
export interface ListPlan {
  /** One row: `items`, the JSON array of the page's records as text, and `keys`, that of their places in the order. */
  readonly items: Plan;
  /** One row: `total`; one more than `mostCounted` and `margin` where there are more. */
  readonly total: Plan;
  readonly mostCounted: number;
  /** So many more are counted, to learn whether they stay more than that through some writes. */
  readonly margin: number;
  readonly kind: ReadKind;
  readonly reads: PlanReads;
}

export interface ListShape extends RowShape {
  readonly query: ListQuery;
  /** Of a search that finds more than is ranked, in the order of `storedTerm`; absent: as `sort`, the type or the rank has it. */
  readonly isUnranked?: boolean;
  /** The place in the order that the page begins after; null: it begins where page and page size say. */
  readonly after: OrderValues | null;
}

/** Equal for requests that one plan serves: all that the statement's text depends on, and no value. */
export function listShapeKey(shape: ListShape): string {
  const { query, after } = shape;
  return [
    rowShapeKey(shape),
    query.sort
      .map(({ column, direction, isNatural }) => `${column}:${direction}${isNatural ? ':natural' : ''}`)
      .join(','),
    includeKey(query.include),
    selectionKey(query.fields),
    after === null ? '' : nullsOf(after),
    ...(query.may ? ['may'] : []),
    ...(query.alternates ? ['alternates'] : []),
    ...(shape.isUnranked === true ? ['unranked'] : []),
    // Elsewhere the statement is the same.
    ...(readKindOf(query) === 'related' && isNearPage(query, after !== null) ? ['near'] : []),
  ].join('|');
}

/** The query of the list that a page is of. */
export const wholeList = (query: ListQuery): ListQuery => ({ ...query, page: 1, pageSize: 1 });

/** Equal for requests whose pages are pages of one list: which records, for which words and values, in which order. */
export function listIdentity(shape: ListShape, total: readonly SqlValue[]): string {
  const { type, query } = shape;
  const whole = {
    ...shape,
    authenticated: false,
    tenant: false,
    after: null,
    query: { ...wholeList(query), include: [], fields: null, may: false, alternates: false },
  };
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
  const isRanked = orderingIn(shape) === 'ranked';
  const ranks = isRanked ? matchValues(searchedNames(shape), query.search ?? [], dialect) : [];
  const place = pageValues({ order: listOrder(shape), after }, query, dialect);
  return { total, items: [...total, ...ranks, ...place] };
}

const row = 't0';

/** How far is looked where there may be many records. */
export type ListBounds = Pick<ListLimits, 'mostMatches' | 'walk'>;

export function buildListPlan(
  shape: ListShape,
  dialect: Dialect,
  form: StoredForm,
  { mostMatches = defaultMostMatches, walk }: ListBounds = {},
): ListPlan {
  const { type, query } = shape;
  const reads = new ReadsCollector();
  const { authenticated, tenant } = shape;
  const context: PlanContext = { dialect, authenticated, tenant, reads, form };
  const record = listedRecord(shape, row, context);
  const { counted, order, page, key } = listRows(shape, context, walk);
  const items = new Plan(
    sql`select ${dialect.jsonRows(record)} as "items", ${dialect.jsonRows(orderKeys(order, dialect))} as "keys"
      from ${dialect.pageRows(type.table, row, page, key)}`,
    dialect,
  );
  const isSearched = query.search !== null && query.search.length > 0;
  const margin = Math.ceil(mostMatches / 10);
  const counts = isSearched
    ? [foundCount(shape, context, mostMatches + margin)]
    : counted.parts.map((part) => partCount(part, type.table));
  const select = sql`select ${sql.join(counts, sql` + `)} as "total"`;
  const total = new Plan(isSearched ? select : withChoice(counted.choice, select), dialect);
  const most = isSearched ? mostMatches : Number.POSITIVE_INFINITY;
  return { items, total, mostCounted: most, margin, kind: readKindOf(query), reads: reads.done() };
}

function partCount({ condition, when, from, counted }: RowPart, table: string): RawBuilder<unknown> {
  const count =
    counted === undefined
      ? sql`(select count(*) from ${from ?? tableAs(table, row)} where ${condition})`
      : sql`(select count(*) from ${counted})`;
  return when === undefined ? count : sql`case when ${when} then ${count} else 0 end`;
}

/**
 * Counts the matches of a search that the caller sees, as far as they are counted, or one more. A row that is hidden counts for
 * nothing, so that neither the total nor the order reveals it. Takes the values of `total`.
 */
function foundCount(shape: ListShape, context: PlanContext, most: number): RawBuilder<unknown> {
  const { table } = shape.type;
  const { search } = context.dialect;
  const places = new ValuePlaces();
  const condition = allOf(listedRows(shape, row, context, places, 'before').parts);
  const words = places.take();
  const counted = (from: RawBuilder<unknown>) => {
    const found = sql`select 1 from ${from} where ${condition} limit ${sql.lit(most + 1)}`;
    return sql`(select count(*) from (${found}) as "counted")`;
  };
  const inOrder = counted(search.foundInOrder(table, row, words).from);
  const isMany = search.matchesMany?.(table, words);
  return isMany === undefined
    ? inOrder
    : sql`(case when ${isMany} then ${inOrder} else ${counted(search.found(table, row, words))} end)`;
}

/** Weighs a page of the list. Takes the values of `items`. */
export function buildListWeight(
  shape: ListShape,
  dialect: Dialect,
  budget: AnswerBudget,
  { walk }: ListBounds = {},
): Plan {
  const { type, types, view, query, authenticated, tenant } = shape;
  const context: PlanContext = { dialect, authenticated, tenant, reads: new ReadsCollector() };
  const { page, key } = listRows(shape, context, walk);
  return buildWeightPlan(
    {
      type,
      types,
      view,
      include: query.include,
      fields: query.fields,
      keys: page,
      ...(key === undefined ? {} : { key }),
    },
    context,
    budget,
  );
}

/** The rows of a page: their order, the statement that finds them, and the parts of the list that are counted. */
function listRows(shape: ListShape, context: PlanContext, walk: WalkBounds | undefined) {
  const { table } = shape.type;
  const { dialect } = context;
  const places = new ValuePlaces();
  const ordering = orderingIn(shape);
  const rows = (): Pick<ListPage, 'from' | 'parts' | 'choice' | 'order' | 'key'> & {
    readonly counted: RowsInParts;
  } => {
    if (ordering === 'given') {
      const listed = listedRows(shape, row, context, places);
      const from = tableAs(table, row);
      const order = listOrder(shape, { dialect, places });
      if (listed.narrowed === undefined) {
        const all = { parts: listed.parts.map((condition) => ({ condition })) };
        return { from, ...all, counted: all, order, ...keptPage(shape.type, listed, order) };
      }
      const where = { table, row, dialect, walk };
      return { from, ...rowParts(listed, where), counted: countedParts(listed, where), order };
    }
    const parts = listedRows(shape, row, context, places, 'before').parts.map((condition) => ({ condition }));
    const words = places.take();
    if (ordering === 'stored') {
      const found = dialect.search.foundInOrder(table, row, words);
      return { from: found.from, parts, counted: { parts }, order: [storedTerm(found.row)] };
    }
    const order = listOrder(shape, { dialect, places });
    return { from: dialect.search.found(table, row, words), parts, counted: { parts }, order };
  };
  const { counted, order, ...found } = rows();
  const { after, query } = shape;
  const isNear = isNearPage(query, after !== null);
  const page = listPage({ ...found, row, order, after, isNear }, dialect, places);
  return { counted, order, page, key: found.key };
}

/** What differs of the page where the table of other languages alone can say which rows it has, or how many there are. */
function keptPage(
  type: ContentType,
  { isAll, unique = [], parts }: ListedRows,
  order: readonly OrderTerm[],
): Partial<Pick<ListPage, 'from' | 'key'> & { readonly counted: RowsInParts }> {
  const isUnique = unique.length > 0;
  const kept = isAll || isUnique ? keptRows(type, row) : undefined;
  if (kept === undefined || !unique.every((name) => kept.names.has(name))) return {};
  const { from, names } = kept;
  const counted = { parts: parts.map((condition) => ({ condition, from })) };
  // By their ids alone, the records themselves are in order; the one that has a unique value needs none.
  const hasOrder = isUnique || order[0]?.column !== 'id';
  return hasOrder && order.every(({ column }) => names.has(column ?? '')) ? { from, counted, key: 'id' } : { counted };
}

/** The terms of a list's order; `statement`: what its statement is made with. Absent: no statement reads their values. */
export function listOrder(
  shape: ListShape,
  statement?: { readonly dialect: Dialect; readonly places: ValuePlaces },
): readonly OrderTerm[] {
  const { type, query } = shape;
  const ordering = orderingIn(shape);
  if (ordering === 'stored') return [storedTerm()];
  const isSearched = query.search !== null && query.search.length > 0;
  const terms = sortTerms(shape, query.sort, isSearched).map((term) => orderTerm(type, row, term, statement?.dialect));
  if (ordering === 'given') return terms;
  return [matchTerm(statement && { ...statement, type, row, fields: searchedNames(shape) }), ...terms];
}

const orderingIn = ({ query, isUnranked = false }: ListShape): Ordering => orderingOf(query, isUnranked);

interface Listed {
  readonly record: RawBuilder<string>;
  readonly reads: PlanReads;
}

const known = new WeakMap<ContentTypes, Map<string, Listed>>();

/**
 * The JSON of the records of a list, in row `alias`. With all fields and without included records it is the same for every list of a view,
 * whatever it is filtered by: it is made once, because a new filter should be planned in little time.
 */
export function listedRecord(
  shape: RowShape & { readonly query: Pick<ListQuery, 'include' | 'fields' | 'may' | 'alternates' | 'inEvery'> },
  alias: string,
  context: PlanContext,
): RawBuilder<string> {
  const { type, types, view, authenticated, tenant, query } = shape;
  const { include, fields, may, alternates, inEvery = false } = query;
  if (include.length > 0 || fields !== null || may || alternates || inEvery)
    return new Projection(types, context).record(type, alias, view, { include, fields, may, alternates, inEvery });
  const listed = known.get(types) ?? new Map<string, Listed>();
  known.set(types, listed);
  const form = context.form === undefined || context.form === 'as_defined' ? context.form : 'guarded';
  const key = [context.dialect.name, type.singular, view.key, alias, authenticated, tenant, form].join('|');
  const found = listed.get(key) ?? made(shape, alias, context);
  listed.set(key, found);
  context.reads.all(found.reads);
  return found.record;
}

function made({ type, types, view }: RowShape, alias: string, context: PlanContext): Listed {
  const reads = new ReadsCollector();
  const record = new Projection(types, { ...context, reads }).record(type, alias, view);
  return { record, reads: reads.done() };
}
