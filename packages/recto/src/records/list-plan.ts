import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { ReadKind } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { includeKey } from '../query/include-tree.ts';
import { type ListQuery, searchFields } from '../query/list-query.ts';
import type { ReadView } from '../query/read-view.ts';
import { visibilityParamsKey } from '../query/visibility-params.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { buildWeightPlan } from './answer-weight.ts';
import { filterExpressionCondition, filterExpressionValues } from './filter-condition.ts';
import { filterCondition, filterKey, filterValues } from './list-filter.ts';
import { nullsOf, type OrderTerm, type OrderValues, orderKeys, orderTerm, sortTerms } from './list-order.ts';
import { listPage, pageValues } from './list-page.ts';
import { Plan } from './plan.ts';
import { type PlanReads, ReadsCollector } from './plan-reads.ts';
import { Projection } from './projection.ts';
import { allOf, never, tableAs, ValuePlaces } from './sql-parts.ts';
import { type PlanContext, protocolConditions, ruleCondition, ruleParts, type StoredForm } from './visibility.ts';

/** The statements of one shape of list request. */
export interface ListPlan {
  /** One row: `items`, the JSON array of the page's records as text, and `keys`, that of their places in the order. */
  readonly items: Plan;
  /** One row: `total`. */
  readonly total: Plan;
  readonly kind: ReadKind;
  readonly reads: PlanReads;
}

export interface ListShape {
  readonly type: ContentType;
  readonly types: ContentTypes;
  /** `list` or `admin`. */
  readonly view: ReadView;
  readonly authenticated: boolean;
  /** Whether the request is about a tenant's records. */
  readonly tenant: boolean;
  readonly query: ListQuery;
  /** The place in the order that the page begins after; null: it begins where page and page size say. */
  readonly after: OrderValues | null;
}

/** Equal for requests that one plan serves: all that the statement's text depends on, and no value. */
export function listShapeKey({ type, view, authenticated, tenant, query, after }: ListShape): string {
  return [
    type.singular,
    view,
    authenticated ? 'in' : 'out',
    tenant ? 'tenant' : '',
    query.filters.map(filterKey).join('&'),
    query.expression?.shape ?? '',
    query.sort.map((term) => `${term.column}:${term.direction}`).join(','),
    query.search === null ? '' : query.search.length === 0 ? 'nothing' : 'search',
    includeKey(query.include),
    visibilityParamsKey(query.choices),
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
  const { type, view, query, after } = shape;
  const total = query.filters.flatMap((term) => filterValues(term, dialect));
  if (query.expression !== null) total.push(...filterExpressionValues(query.expression, dialect));
  const ranks: SqlValue[] = [];
  if (query.search !== null && query.search.length > 0) {
    const columns = searchFields(type, view).map(({ name }) => name);
    total.push(dialect.search.match(columns, query.search));
    if (query.sort.length === 0) {
      for (const name of columns) ranks.push(dialect.search.match([name], query.search));
    }
  }
  const place = pageValues({ order: listOrder(shape), after }, query, dialect);
  return { total, items: [...total, ...ranks, ...place] };
}

const row = 't0';

export function buildListPlan(shape: ListShape, dialect: Dialect, form: StoredForm): ListPlan {
  const { type, types, view, query } = shape;
  const reads = new ReadsCollector();
  const { authenticated, tenant } = shape;
  const context: PlanContext = { dialect, authenticated, tenant, reads, form };
  const record = new Projection(types, context).record(type, row, view, query.include);
  const { parts, order, page } = listRows(shape, context);
  const items = new Plan(
    sql`select ${dialect.jsonRows(record)} as "items", ${dialect.jsonRows(orderKeys(order, dialect))} as "keys"
      from ${dialect.pageRows(type.table, row, page)}`,
    dialect,
  );
  const counts = parts.map((part) => sql`(select count(*) from ${tableAs(type.table, row)} where ${part})`);
  const total = new Plan(sql`select ${sql.join(counts, sql` + `)} as "total"`, dialect);
  return { items, total, kind: query.search === null ? 'records' : 'search', reads: reads.done() };
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
  const parts = conditions(shape, context, places);
  const order = listOrder(shape, { dialect, places });
  const page = listPage({ table: shape.type.table, row, parts, order, after: shape.after }, dialect, places);
  return { parts, order, page };
}

/** What the list's rows are, as conditions of which no two hold for the same row. */
function conditions(shape: ListShape, context: PlanContext, places: ValuePlaces): readonly RawBuilder<boolean>[] {
  const { type, types, view, query } = shape;
  const audience = view === 'admin' ? 'admin' : 'public';
  const all = protocolConditions(type, row, context, audience, query.choices);
  for (const term of query.filters) all.push(filterCondition(term, row, context.dialect, places));
  if (query.expression !== null) {
    all.push(filterExpressionCondition(query.expression, { types, view, alias: row }, context, places));
  }
  if (query.search !== null) all.push(searchCondition(shape, query.search, context.dialect, places));
  if (view === 'admin') return [allOf(all)];
  // A filter through relations may be long: it stands in the statement once.
  const isShort = query.expression === null || query.expression.rule.reads.types.size === 0;
  const parts = query.search === null && isShort ? ruleParts(type, 'list', row, context) : undefined;
  if (parts !== undefined) return parts.map((part) => allOf([...all, part]));
  const rule = ruleCondition(type, 'list', row, context);
  return [allOf(rule === undefined ? all : [...all, rule])];
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

/** The terms of a list's order; `statement`: what the statement that they stand in is made with. */
export function listOrder(
  { type, view, query }: ListShape,
  statement?: { readonly dialect: Dialect; readonly places: ValuePlaces },
): readonly OrderTerm[] {
  const searched = query.search !== null && query.search.length > 0;
  const terms = sortTerms(type, query.sort, searched).map((term) => orderTerm(type, row, term));
  if (query.sort.length > 0 || !searched) return terms;
  const name = '$match';
  const value = statement === undefined ? never : bestMatch(names(searchFields(type, view)), type, statement);
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
