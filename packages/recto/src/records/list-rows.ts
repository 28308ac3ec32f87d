import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { ReadKind } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import type { ReadView } from '../query/read-view.ts';
import { type RowQuery, searchFields } from '../query/row-query.ts';
import { visibilityParamsKey } from '../query/visibility-params.ts';
import type { Narrowing } from '../rules/rule-narrowing.ts';
import { filterExpressionCondition, filterExpressionValues } from './filter-condition.ts';
import { filterCondition, filterKey, filterValues, type RelatedTable } from './list-filter.ts';
import { allOf, never, type ValuePlaces } from './sql-parts.ts';
import { isUsed } from './use-condition.ts';
import { gettable, type PlanContext, protocolConditions, ruleCondition, ruleParts } from './visibility.ts';

/** Which records a request is about, and who asks: all that the conditions on them depend on. */
export interface RowShape {
  readonly type: ContentType;
  readonly types: ContentTypes;
  /** `list` or `admin`. */
  readonly view: ReadView;
  readonly authenticated: boolean;
  /** Whether the request is about a tenant's records. */
  readonly tenant: boolean;
  readonly query: RowQuery;
}

/** Equal for requests whose conditions have the same text. */
export function rowShapeKey({ type, view, authenticated, tenant, query }: RowShape): string {
  return [
    type.singular,
    view,
    authenticated ? 'in' : 'out',
    tenant ? 'tenant' : '',
    query.filters.map(filterKey).join('&'),
    query.expression?.shape ?? '',
    query.search === null ? '' : query.search.length === 0 ? 'nothing' : 'search',
    visibilityParamsKey(query.choices),
    query.used === null ? '' : `used=${query.used}`,
  ].join('|');
}

/** The values that `rowConditions` takes places for, in order. */
export function rowValues({ type, view, query }: RowShape, dialect: Dialect): SqlValue[] {
  const values = query.filters.flatMap((term) => filterValues(term, dialect));
  if (query.expression !== null) values.push(...filterExpressionValues(query.expression, dialect));
  if (query.search !== null && query.search.length > 0) {
    values.push(dialect.search.match(searchedNames({ type, view }), query.search));
  }
  return values;
}

/** The names of the fields that a search through a view looks into. */
export const searchedNames = ({ type, view }: Pick<RowShape, 'type' | 'view'>): readonly string[] =>
  searchFields(type, view).map(({ name }) => name);

/** What the list's rows are, as conditions of which no two hold for the same row. */
export const rowConditions = (
  shape: RowShape,
  row: string,
  context: PlanContext,
  places: ValuePlaces,
): readonly RawBuilder<boolean>[] => listedRows(shape, row, context, places).parts;

/** How long the rows of a list may take to find. */
export function readKindOf({ expression, search, used }: RowQuery): ReadKind {
  if (used !== null) return 'related';
  if (expression !== null && expression.rule.reads.types.size > 0) return 'related';
  return search === null ? 'records' : 'search';
}

/** The rows of a list. */
export interface ListedRows {
  /** Conditions of which no two hold for the same row. */
  readonly parts: readonly RawBuilder<boolean>[];
  readonly narrowing: Narrowing | undefined;
}

/** `searched`: whether the rows have to be tested for the words of a search; else they are those that it found. */
export function listedRows(
  shape: RowShape,
  row: string,
  context: PlanContext,
  places: ValuePlaces,
  searched: 'here' | 'before' = 'here',
): ListedRows {
  const { type, types, view, query } = shape;
  const audience = view === 'admin' ? 'admin' : 'public';
  const all = protocolConditions(type, row, context, audience, query.choices);
  const related: RelatedTable = (singular, alias) => {
    const target = types.get(singular);
    context.reads.type(singular);
    const shown =
      view === 'admin' ? allOf(protocolConditions(target, alias, context, 'admin')) : gettable(target, alias, context);
    return { table: target.table, shown };
  };
  const filtering = { dialect: context.dialect, related };
  for (const term of query.filters) all.push(filterCondition(term, row, filtering, places));
  let narrowing: Narrowing | undefined;
  if (query.expression !== null) {
    const filter = filterExpressionCondition(query.expression, { types, view, alias: row }, context, places);
    all.push(filter.condition);
    // A search begins at its words.
    narrowing = query.search === null ? filter.narrowing : undefined;
  }
  if (query.search !== null && searched === 'here') all.push(searchCondition(shape, row, context.dialect, places));
  if (query.used !== null) {
    const used = isUsed(types, type, row, context);
    all.push(query.used ? used : sql<boolean>`not ${used}`);
  }
  if (view === 'admin') return { parts: [allOf(all)], narrowing };
  // A filter through relations may be long: it stands in the statement once.
  const isShort = query.expression === null || query.expression.rule.reads.types.size === 0;
  const parts = query.search === null && isShort ? ruleParts(type, 'list', row, context) : undefined;
  if (parts !== undefined) return { parts: parts.map((part) => allOf([...all, part])), narrowing };
  const rule = ruleCondition(type, 'list', row, context);
  return { parts: [allOf(rule === undefined ? all : [...all, rule])], narrowing };
}

function searchCondition(
  { type, view, query }: RowShape,
  row: string,
  dialect: Dialect,
  places: ValuePlaces,
): RawBuilder<boolean> {
  if (query.search?.length === 0) return never;
  return dialect.search.matches(type.table, row, searchedNames({ type, view }), places.take());
}
