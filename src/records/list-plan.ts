import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../bindings/bindings.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import type { SortTerm } from '../definition/protocol.ts';
import { includeKey } from '../query/include-tree.ts';
import { type ListQuery, searchFields } from '../query/list-query.ts';
import type { ReadView } from '../query/read-view.ts';
import { choicesKey } from '../query/row-choices.ts';
import { filterCondition, filterKey, filterValues } from './list-filter.ts';
import { Plan } from './plan.ts';
import { type PlanReads, ReadsCollector } from './plan-reads.ts';
import { Projection } from './projection.ts';
import { allOf, column, never, tableAs, ValuePlaces } from './sql-parts.ts';
import { type PlanContext, protocolConditions, ruleCondition } from './visibility.ts';

/** The statements of one shape of list request. */
export interface ListPlan {
  /** One row: `items`, the JSON array of the page's records as text. */
  readonly items: Plan;
  /** One row: `total`. */
  readonly total: Plan;
  readonly reads: PlanReads;
}

export interface ListShape {
  readonly type: ContentType;
  readonly types: ContentTypes;
  /** `list` or `admin`. */
  readonly view: ReadView;
  readonly authenticated: boolean;
  readonly query: ListQuery;
}

/** Equal for requests that one plan serves: all that the statement's text depends on, and no value. */
export function listShapeKey({ type, view, authenticated, query }: ListShape): string {
  return [
    type.singular,
    view,
    authenticated ? 'in' : 'out',
    query.filters.map(filterKey).join('&'),
    query.sort.map((term) => `${term.column}:${term.direction}`).join(','),
    query.search === null ? '' : query.search.length === 0 ? 'nothing' : 'search',
    includeKey(query.include),
    choicesKey(query.choices),
  ].join('|');
}

/** The values for a plan's places, in the order in which `buildListPlan` hands them out; `items` takes limit and offset after the rest. */
export function listValues(
  shape: ListShape,
  dialect: Dialect,
): { total: readonly SqlValue[]; items: readonly SqlValue[] } {
  const { type, view, query } = shape;
  const total = query.filters.flatMap((term) => filterValues(term, dialect));
  const ranks: SqlValue[] = [];
  if (query.search !== null && query.search.length > 0) {
    const columns = searchFields(type, view).map(({ name }) => name);
    total.push(dialect.search.match(columns, query.search));
    if (query.sort.length === 0) {
      for (const name of columns) ranks.push(dialect.search.match([name], query.search));
    }
  }
  return { total, items: [...total, ...ranks, query.pageSize, (query.page - 1) * query.pageSize] };
}

const row = 't0';

export function buildListPlan(shape: ListShape, dialect: Dialect): ListPlan {
  const { type, types, view, query } = shape;
  const reads = new ReadsCollector();
  const context: PlanContext = { dialect, authenticated: shape.authenticated, reads };
  const places = new ValuePlaces();
  const record = new Projection(types, context).record(type, row, view, query.include);
  const from = sql`from ${tableAs(type.table, row)} where ${where(shape, context, places)}`;
  const total = new Plan(sql`select count(*) as "total" ${from}`, dialect);
  const order = sql.join(orderBy(shape, dialect, places));
  const page = sql`select ${sql.id(row)}.* ${from} order by ${order} limit ${places.take()} offset ${places.take()}`;
  const items = new Plan(
    sql`select ${dialect.jsonArrayText(record, sql`(${page}) as ${sql.id(row)}`)} as "items"`,
    dialect,
  );
  return { items, total, reads: reads.done() };
}

function where(shape: ListShape, context: PlanContext, places: ValuePlaces): RawBuilder<boolean> {
  const { type, view, query } = shape;
  const audience = view === 'admin' ? 'admin' : 'public';
  const conditions = protocolConditions(type, row, context, audience, query.choices);
  if (view !== 'admin') {
    const rule = ruleCondition(type, 'list', row, context);
    if (rule !== undefined) conditions.push(rule);
  }
  for (const term of query.filters) conditions.push(filterCondition(term, row, context.dialect, places));
  if (query.search !== null) conditions.push(searchCondition(shape, query.search, context.dialect, places));
  return allOf(conditions);
}

function searchCondition(
  shape: ListShape,
  words: readonly string[],
  dialect: Dialect,
  places: ValuePlaces,
): RawBuilder<boolean> {
  if (words.length === 0) return never;
  return dialect.search.matches(shape.type.table, row, names(searchFields(shape.type, shape.view)), places.take());
}

const names = (fields: readonly Field[]): readonly string[] => fields.map(({ name }) => name);

function orderBy(shape: ListShape, dialect: Dialect, places: ValuePlaces): RawBuilder<unknown>[] {
  const { type, query } = shape;
  const searched = query.search !== null && query.search.length > 0;
  const terms = query.sort.length > 0 ? query.sort : searched ? [] : defaultSort(type);
  const order = terms.map((term) => dialect.order(column(row, term.column), term.direction));
  if (query.sort.length === 0 && searched) order.push(bestMatchFirst(shape, dialect, places));
  if (!terms.some((term) => term.column === 'id')) order.push(dialect.order(column(row, 'id'), 'asc'));
  return order;
}

/**
 * Best match first: a field that holds all the words by itself counts more the earlier it is declared. Made of nothing but
 * what this view tells of the record itself, because a rank that weighs words by how rare they are (BM25) would let the
 * order tell of records and fields that the caller may not read.
 */
function bestMatchFirst(shape: ListShape, dialect: Dialect, places: ValuePlaces): RawBuilder<unknown> {
  const fields = names(searchFields(shape.type, shape.view));
  const weights = fields.map((name, index) => {
    const matches = dialect.search.matches(shape.type.table, row, [name], places.take());
    return sql`case when ${matches} then ${sql.val(2 ** (fields.length - 1 - index))} else 0 end`;
  });
  return dialect.order(sql`(${sql.join(weights, sql` + `)})`, 'desc');
}

/** The first protocol that has an order decides; without one, records come in the order of their creation. */
function defaultSort(type: ContentType): readonly SortTerm[] {
  for (const { protocol, options } of type.protocols) {
    const sort = protocol.defaultSort?.(options);
    if (sort !== undefined) return sort;
  }
  return [];
}
