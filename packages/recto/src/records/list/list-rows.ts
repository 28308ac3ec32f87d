import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { ReadKind } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type ContentType, type ContentTypes, type Field, junctionColumns } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typeInLanguage } from '../../definition/languages/types-in-language.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { kindOf, namedField, storedColumn } from '../../definition/stored-field.ts';
import { isUnique } from '../../definition/type-facts.ts';
import { visibilityParamsKey } from '../../query/read-view.ts';
import { type FilterTerm, type RowQuery, searchFields } from '../../query/row-query.ts';
import type { Narrowing } from '../../rules/rule-narrowing.ts';
import { kinds } from '../../values/kinds.ts';
import { asInLanguage } from '../plans/as-in-language.ts';
import { fieldValue } from '../plans/field-values.ts';
import { filterExpressionCondition, filterExpressionValues } from '../plans/filter-condition.ts';
import { selectInLanguage } from '../plans/language-tables.ts';
import { type OneRecord, onlyConditions } from '../plans/one-record.ts';
import { isMissing } from '../plans/shown-languages.ts';
import { isUsedInView } from '../plans/shown-uses.ts';
import { allOf, column, never, tableAs, type ValuePlaces } from '../plans/sql-parts.ts';
import { type PlanContext, protocolConditions, relatedRows, ruleParts, viewCondition } from '../plans/visibility.ts';
import { languageWordsCondition, languageWordsValues } from './language-words.ts';

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
  /** The one record that may be in the list; absent: all. */
  readonly only?: OneRecord;
}

/** Equal for requests whose conditions have the same text. */
export function rowShapeKey({ type, view, authenticated, tenant, query, only }: RowShape): string {
  return [
    type.singular,
    view.key,
    authenticated ? 'in' : 'out',
    tenant ? 'tenant' : '',
    query.filters.map(filterKey).join('&'),
    query.expression?.shape ?? '',
    query.search === null ? '' : query.search.length === 0 ? 'nothing' : 'search',
    ...(query.words === undefined ? [] : [`words=${query.words.length}`]),
    visibilityParamsKey(query.choices),
    query.used === null ? '' : `used=${query.used}`,
    ...(query.missing === undefined ? [] : [`missing=${query.missing.tag}`]),
    ...(query.inEvery === true ? ['every'] : []),
    ...(only === undefined ? [] : [`only=${only.type}.${only.id}`]),
  ].join('|');
}

/** The values that `listedRows` takes places for, in order. */
export function rowValues({ type, types, view, query }: RowShape, dialect: Dialect): SqlValue[] {
  const values = query.filters.flatMap((term) => filterValues(term, dialect));
  if (query.expression !== null) values.push(...filterExpressionValues(query.expression, dialect));
  if (query.search !== null && query.search.length > 0) {
    values.push(dialect.search.match(searchedNames({ type, view }), query.search));
  }
  if (query.words !== undefined) {
    const { words } = query;
    const searched = query.inEvery === true ? everyType(types, type) : [type];
    values.push(...searched.flatMap((each) => languageWordsValues({ type: each, view, words }, dialect)));
  }
  return values;
}

/** The names of the fields that a search through a view looks into. */
export const searchedNames = ({ type, view }: Pick<RowShape, 'type' | 'view'>): readonly string[] =>
  searchFields(type, view).map(({ name }) => name);

/** How long the rows of a list may take to find. */
export function readKindOf({ expression, search, words, used }: RowQuery): ReadKind {
  if (used !== null) return 'related';
  if (expression !== null && expression.rule.reads.types.size > 0) return 'related';
  return search === null && words === undefined ? 'records' : 'search';
}

/** The rows of a list. */
export interface ListedRows {
  /** Conditions of which no two hold for the same row. */
  readonly parts: readonly RawBuilder<boolean>[];
  /** Where a filter leads through relations: the same rows, as those of `parts` here that the narrowing leads to. */
  readonly narrowed: NarrowedParts | undefined;
  /** Whether there are no conditions: the list has all rows. */
  readonly isAll: boolean;
  /** The columns of unique fields, if all conditions are that these have values; else none. */
  readonly unique?: readonly string[];
}

export interface NarrowedParts {
  readonly narrowing: Narrowing;
  readonly parts: readonly RawBuilder<boolean>[];
  /** Whether nothing else that was asked for makes the rows fewer. */
  readonly isAlone: boolean;
  /** Whether all rows that the narrowing leads to are in the list, whatever they hold. */
  readonly isAll: boolean;
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
  const all = protocolConditions(type, row, context, view.audience, query.choices);
  const related: RelatedTable = (singular, alias) => {
    const target = types.get(singular);
    context.reads.type(singular);
    return { type: target, shown: relatedRows(target, view, alias, context) };
  };
  const filtering = { dialect: context.dialect, related };
  if (query.inEvery === true) all.push(inSomeLanguage(shape, row, context, filtering, places));
  else for (const term of query.filters) all.push(filterCondition(term, row, filtering, places));
  const filter =
    query.expression === null || query.inEvery === true
      ? undefined
      : filterExpressionCondition(query.expression, { types, view, alias: row }, context, places);
  if (query.search !== null && searched === 'here') all.push(searchCondition(shape, row, context.dialect, places));
  if (query.words !== undefined && query.inEvery !== true)
    all.push(languageWordsCondition({ type, view, words: query.words }, row, context.dialect, places));
  all.push(...existenceConditions(shape, row, context));
  const rules = shownParts(shape, row, context);
  const partsWith = (conditions: readonly RawBuilder<boolean>[]) =>
    rules.map((rule) => allOf([...conditions, ...all, ...rule]));
  const parts = partsWith(filter === undefined ? [] : [filter.condition]);
  const narrowing = filter?.narrowing;
  const hasNoRule = rules.every((rule) => rule.length === 0);
  const isUnbounded = all.length === 0 && hasNoRule;
  const unique = filter === undefined && hasNoRule ? uniqueColumns(query, all.length) : [];
  // A search begins at its words.
  if (narrowing === undefined || query.search !== null || query.words !== undefined)
    return { parts, narrowed: undefined, isAll: filter === undefined && isUnbounded, unique };
  const rest = narrowing.rest === undefined ? [] : [narrowing.rest];
  const isAlone = rest.length === 0 && query.filters.length === 0 && query.used === null && query.missing === undefined;
  const isAll = isAlone && isUnbounded;
  return { parts, narrowed: { narrowing, parts: partsWith(rest), isAlone, isAll }, isAll: false };
}

/** The columns that simple filters compare, if each is unique and there are no other of the `conditions`; else none. */
function uniqueColumns({ filters, inEvery }: RowQuery, conditions: number): readonly string[] {
  if (filters.length !== conditions || inEvery === true) return [];
  const unique = filters.flatMap((term) => (term.by === 'value' && isUnique(term.field) ? [term.field] : []));
  return unique.length === filters.length ? unique.map((field) => storedColumn(field) ?? field.name) : [];
}

/** Whether the records are used, lack a language, or are the one that may be in the list: as far as the request says. */
function existenceConditions(
  { type, types, view, query, only }: RowShape,
  row: string,
  context: PlanContext,
): readonly RawBuilder<boolean>[] {
  const all: RawBuilder<boolean>[] = [];
  if (query.used !== null) {
    const used = isUsedInView(types, type, row, { view, context });
    all.push(query.used ? used : sql<boolean>`not ${used}`);
  }
  if (query.missing !== undefined) all.push(isMissing(type, view, row, query.missing));
  all.push(...onlyConditions(type, row, only, context.dialect));
  return all;
}

/** A type as each language shows it by itself, the default language first. */
const everyType = ({ languages }: ContentTypes, type: ContentType): readonly ContentType[] =>
  languages.all.map((language) => {
    const read = readLanguage(languages, language, false, 'admin');
    return read === undefined ? type : typeInLanguage(type, read);
  });

/** Condition: there is a language in which all filters hold of the record in a row, and all words of the search stand. */
function inSomeLanguage(
  { type, types, view, query }: RowShape,
  row: string,
  context: PlanContext,
  filtering: { readonly dialect: Dialect; readonly related: RelatedTable },
  places: ValuePlaces,
): RawBuilder<boolean> {
  const { filters, expression, words } = query;
  if (filters.length === 0 && expression === null && words === undefined) return allOf([]);
  const start = places.again();
  const filtersOn = (alias: string, own: ValuePlaces): readonly RawBuilder<boolean>[] => [
    ...filters.map((term) => filterCondition(term, alias, filtering, own)),
    ...(expression === null
      ? []
      : [filterExpressionCondition(expression, { types, view, alias }, context, own).condition]),
  ];
  const alias = 'le';
  const shown = everyType(types, type);
  // All languages read the same values of filters; each has words of its own after them.
  const filtered = shown.map((each) =>
    each.shownIn === undefined ? filtersOn(row, places) : filtersOn(alias, start.again()),
  );
  const ways = shown.map((each, index) => {
    const own = each.shownIn === undefined ? row : alias;
    const conditions = [...(filtered[index] ?? [])];
    if (words !== undefined)
      conditions.push(languageWordsCondition({ type: each, view, words }, own, context.dialect, places));
    if (each.shownIn === undefined) return allOf(conditions);
    // What a right hides of a record in a language says nothing.
    const right = viewCondition(type, view, 'get', alias, context);
    const seen = right && asInLanguage(right, each.shownIn.read.language.tag);
    const isIt = sql<boolean>`${column(alias, 'id')} = ${column(row, 'id')}`;
    return sql<boolean>`exists (select 1 from (${selectInLanguage(each.shownIn, context.dialect)}) as ${sql.id(alias)}
      where ${allOf([isIt, ...conditions, ...(seen === undefined ? [] : [seen])])})`;
  });
  return sql`(${sql.join(ways, sql` or `)})`;
}

/** What the rules show of the list, as the conditions of each part. */
function shownParts(
  { type, view, query }: RowShape,
  row: string,
  context: PlanContext,
): readonly (readonly RawBuilder<boolean>[])[] {
  // A filter through relations may be long: it stands in the statement once.
  const isShort = query.expression === null || query.expression.rule.reads.types.size === 0;
  const parts =
    query.search === null && query.words === undefined && isShort ? ruleParts(type, view, row, context) : undefined;
  if (parts !== undefined) return parts.map((part) => [part]);
  const rule = viewCondition(type, view, 'list', row, context);
  return [rule === undefined ? [] : [rule]];
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

/** What of a filter the statement's text depends on. */
export function filterKey(term: FilterTerm): string {
  switch (term.by) {
    case 'value':
    case 'element':
    case 'spelled_element':
      return term.field.name;
    case 'related':
      return term.junction;
    case 'related_slug':
      return `${term.junction}.${term.slugField}`;
    case 'meta':
      return `${term.field.name}.${term.path.join('.')}`;
  }
}

/** A type, and which of its rows in `alias` the caller sees. */
export type RelatedTable = (
  singular: string,
  alias: string,
) => { readonly type: ContentType; readonly shown: RawBuilder<boolean> };

/** The condition, which takes as many places as `filterValues` gives values, in the same order. */
export function filterCondition(
  term: FilterTerm,
  alias: string,
  { dialect, related }: { readonly dialect: Dialect; readonly related: RelatedTable },
  places: ValuePlaces,
): RawBuilder<boolean> {
  switch (term.by) {
    case 'value':
      return sql`${fieldValue(term.field, alias)} = ${dialect.rules.plannedOnce(places.take())}`;
    case 'element':
      return dialect.jsonHasText(fieldValue(term.field, alias), places.take());
    case 'spelled_element':
      return dialect.jsonHasAnyText(fieldValue(term.field, alias), places.take());
    case 'related':
      return sql`exists (select 1 from ${tableAs(term.junction, 'f')} where ${column('f', junctionColumns.source)} = ${column(alias, 'id')} and ${column('f', junctionColumns.target)} = ${places.take()})`;
    case 'related_slug': {
      const { type, shown } = related(term.target, 'k');
      const linked = sql`${column('f', junctionColumns.target)} = ${column('k', 'id')}`;
      return sql`exists (select 1 from ${tableAs(term.junction, 'f')}, ${tableAs(type.table, 'k')}
        where ${column('f', junctionColumns.source)} = ${column(alias, 'id')} and ${linked}
          and ${fieldValue(namedField(type, term.slugField), 'k')} = ${dialect.rules.plannedOnce(places.take())} and ${shown})`;
    }
    case 'meta':
      return metaCondition(term.path, fieldValue(term.field, alias), dialect, places);
  }
}

export function filterValues(term: FilterTerm, dialect: Dialect): SqlValue[] {
  switch (term.by) {
    case 'value':
      return [dialect.encode(kindOf(term.field), term.value)];
    case 'element':
    case 'spelled_element':
      return [term.text];
    case 'related':
      return [term.id];
    case 'related_slug':
      return [term.slug];
    case 'meta':
      return metaKinds.map((kind) => {
        const value = kinds[kind].fromText(term.text);
        return value === undefined ? null : dialect.encode(kind, value);
      });
  }
}

/** A filter whose value is read from stored records: it stands at this place among the values of the list. */
export interface SpelledFilter {
  readonly at: number;
  readonly field: Field;
  readonly text: string;
}

export function spelledFilters(filters: readonly FilterTerm[], dialect: Dialect): readonly SpelledFilter[] {
  let at = 0;
  return filters.flatMap((term) => {
    const place = at;
    at += filterValues(term, dialect).length;
    return term.by === 'spelled_element' ? [{ at: place, field: term.field, text: term.text }] : [];
  });
}

/** The metadata has no declared types: a value is compared as the JSON type that it has, with what the text means as that type. */
const metaKinds = ['text', 'float', 'boolean'] as const;

function metaCondition(
  path: readonly string[],
  json: RawBuilder<unknown>,
  dialect: Dialect,
  places: ValuePlaces,
): RawBuilder<boolean> {
  const alternatives = metaKinds.map((kind) => sql`${dialect.rules.jsonScalar(json, path, kind)} = ${places.take()}`);
  return sql`(${sql.join(alternatives, sql` or `)})`;
}
