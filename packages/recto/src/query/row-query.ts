import { isId } from '../base/ids.ts';
import { badRequest, type Problem } from '../base/problem.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import type { Language } from '../definition/languages/languages.ts';
import { readableFields } from '../definition/readable-fields.ts';
import { includedView, type ReadView } from '../definition/rights/read-view.ts';
import { isSearchable } from '../definition/searched-field.ts';
import { isValue, junctionOf, scalarKindOf, targetOf } from '../definition/stored-field.ts';
import type { FilterExpression } from '../rules/filter-expression.ts';
import { kinds } from '../values/kinds.ts';
import type { Scalar, ScalarKind } from '../values/value-kind.ts';
import { readGivenFilter } from './filter-query.ts';
import { filterScope } from './filter-scope.ts';
import { missingParameter, readMissingLanguage } from './missing-language.ts';
import { invalidParameter, readBoolean, readGiven, shownName } from './query-text.ts';
import { readableField, readVisibilityParams, type VisibilityParams } from './read-view.ts';
import { searchQueryWords } from './search-words.ts';

/** One `{field}=value` or `__meta.{path}=value`. */
export type FilterTerm =
  | { readonly by: 'value'; readonly field: Field; readonly value: Scalar }
  | { readonly by: 'element'; readonly field: Field; readonly text: string }
  /** An element that stored records may spell in several ways. */
  | { readonly by: 'spelled_element'; readonly field: Field; readonly text: string }
  | { readonly by: 'related'; readonly junction: string; readonly id: string }
  | {
      readonly by: 'related_slug';
      readonly junction: string;
      /** A content type's singular name. */
      readonly target: string;
      /** The name of the target's field that has the slug. */
      readonly slugField: string;
      readonly slug: string;
    }
  | { readonly by: 'meta'; readonly field: Field; readonly path: readonly string[]; readonly text: string };

/** Which records a request is about: what lists and aggregates have in common. */
export interface RowQuery {
  /** Folded words, all of which must occur; null: no search. */
  readonly search: readonly string[] | null;
  /** The same in another language than the default, whose words the index does not hold; absent: no such search. */
  readonly words?: readonly string[];
  /** Whether filters and searches hold of what any language says, and localized fields show what each says; absent: no. */
  readonly inEvery?: boolean;
  readonly filters: readonly FilterTerm[];
  /** `filter=EXPRESSION`; null: none. */
  readonly expression: FilterExpression | null;
  readonly choices: VisibilityParams;
  /** Only records that others refer to, or that none does; null: both. */
  readonly used: boolean | null;
  /** Only records that say nothing in this language; absent: all. */
  readonly missing?: Language;
  /** All parameters as sent, for `@request.query.*`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Whose records a query string asks for. */
export interface RowQuestion {
  readonly type: ContentType;
  readonly types: ContentTypes;
  readonly view: ReadView;
  /** Whether it is asked about all languages; absent: no. */
  readonly inEvery?: boolean;
}

/**
 * Reads which records the parameters ask for. `own` are the names that mean something else to the endpoint, `ruleParameters`
 * those that its rules read as `@request.query.*`: they are taken whatever they hold. Any other name is 400.
 */
export function readRowQuery(
  parameters: ReadonlyMap<string, string>,
  question: RowQuestion,
  own: readonly string[],
  ruleParameters: ReadonlySet<string>,
): RowQuery {
  const filters: FilterTerm[] = [];
  const choices = readVisibilityParams(parameters, question.type, question.view);
  const usedName = usedParameter(question.type, question.view);
  const missingName = missingParameter(question.type, question.view);
  const asked = (_: string, text: string) => readMissingLanguage(text, question.types.languages);
  const missing = missingName === undefined ? undefined : readGiven(parameters, missingName, asked);
  // In one order, so that equal questions written differently are one question to the memory of plans and answers.
  for (const [name, value] of [...parameters].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (own.includes(name) || choices.has(name) || name === usedName || name === missingName) continue;
    const term = readFilter(name, value, question);
    if (term !== undefined) filters.push(term);
    else if (!ruleParameters.has(name)) throw unknownParameter(name, own, question);
  }
  if (filters.filter(({ by }) => by === 'meta').length > mostMetaFilters) {
    throw badRequest('invalid_parameter', `A list is filtered by at most ${mostMetaFilters} paths into __meta.`);
  }
  const words = readGiven(parameters, 'search', (_, text) => readSearch(text, question)) ?? null;
  const inEvery = question.inEvery === true;
  const isIndexed = question.type.shownIn === undefined && !inEvery;
  return {
    search: isIndexed ? words : null,
    ...(isIndexed || words === null ? {} : { words }),
    filters,
    expression: readGiven(parameters, 'filter', (_, text) => readExpression(text, question)) ?? null,
    choices,
    used: usedName === undefined ? null : (readGiven(parameters, usedName, readBoolean) ?? null),
    ...(missing === undefined ? {} : { missing }),
    ...(inEvery ? { inEvery } : {}),
    parameters,
  };
}

/** The parameter by which a view of a type asks for used or unused records; undefined: there is none. */
export const usedParameter = (type: ContentType, view: ReadView): string | undefined =>
  view.audience === 'admin' ? type.protocols.map(({ protocol }) => protocol.usedParameter).find(Boolean) : undefined;

/** An unreadable field gets the same answer as one that does not exist. */
function unknownParameter(name: string, own: readonly string[], { type }: RowQuestion): Problem {
  return badRequest(
    'unknown_parameter',
    `"${shownName(name)}" is neither a list parameter (${own.join(', ')}) nor a field of ${type.singular} that can be filtered by.`,
  );
}

const metaPrefix = '__meta.';

/** Fields are as many as the type has; of paths a caller could make up more than a statement holds. */
export const mostMetaFilters = 20;

function readFilter(name: string, text: string, question: RowQuestion): FilterTerm | undefined {
  const { type, view } = question;
  if (name.startsWith(metaPrefix)) {
    const meta = readableField(type, view, '__meta');
    return meta === undefined ? undefined : readMetaFilter(name, text, meta);
  }
  const related = type.field.has(name) ? undefined : relationAlias(type, view, name);
  if (related !== undefined) return readSlugFilter(name, text, related, question);
  const field = type.field.has(name) ? readableField(type, view, name) : aliasedField(type, view, name);
  if (field === undefined || !field.type.filterable) return undefined;
  return readFieldFilter(field, text);
}

/** Whether a parameter of that name filters by a field that the view shows. */
export const isFilterName = (type: ContentType, view: ReadView, name: string): boolean =>
  type.field.has(name)
    ? readableField(type, view, name) !== undefined
    : (relationAlias(type, view, name) ?? aliasedField(type, view, name)) !== undefined;

/** The field that a parameter filters by under a name that is not the field's own, such as `tag` for `tags`. */
const aliasedField = (type: ContentType, view: ReadView, name: string): Field | undefined =>
  readableFields(type, view).find((field) => field.type.filterAlias === name);

/** The relation whose records a parameter names by id or slug, such as `category` for `categories`. */
const relationAlias = (type: ContentType, view: ReadView, name: string): Field | undefined =>
  readableFields(type, view).find((field) => field.filteredAs?.name === name);

function readSlugFilter(
  name: string,
  text: string,
  field: Field,
  { types, view }: RowQuestion,
): FilterTerm | undefined {
  const { filteredAs } = field;
  const [junction, target] = [junctionOf(field), targetOf(field)];
  if (junction === undefined || target === undefined || filteredAs === undefined) return undefined;
  if (isId(text)) return { by: 'related', junction, id: text };
  if (readableField(types.get(target), includedView(view), filteredAs.slug) === undefined)
    throw invalidParameter(name, 'the id of a record');
  const slug = String(readValue(name, 'text', text));
  return { by: 'related_slug', junction, target, slugField: filteredAs.slug, slug };
}

function readFieldFilter(field: Field, text: string): FilterTerm | undefined {
  if (isValue(field) && field.type.filteredByElement) {
    const element = String(readValue(field.name, 'text', text));
    return { by: field.type.filteredBy === undefined ? 'element' : 'spelled_element', field, text: element };
  }
  const junction = junctionOf(field);
  if (junction !== undefined) return { by: 'related', junction, id: String(readScalar(field, 'text', text)) };
  const kind = scalarKindOf(field);
  return kind === undefined ? undefined : { by: 'value', field, value: readScalar(field, kind, text) };
}

function readScalar(field: Field, kind: ScalarKind, text: string): Scalar {
  const domain = field.type.domain?.(field);
  if (domain === undefined) return readValue(field.name, kind, text);
  const value = domain.find(text);
  if (value === undefined) throw invalidParameter(field.name, domain.wanted);
  return value;
}

function readValue(name: string, kind: ScalarKind, text: string): Scalar {
  const value = kinds[kind].fromText(text);
  if (value === undefined) throw invalidParameter(name, wantedText[kind]);
  return value;
}

const wantedText = {
  text: 'text without control code U+0000 and in well-formed Unicode',
  integer: 'a whole number',
  bigint: 'a whole number of at most 64 bits',
  float: 'a number',
  decimal: 'a decimal number in plain notation, such as 12.50',
  boolean: '"true" or "false"',
  datetime: 'a time such as 2026-11-21T10:00:00Z',
  date: 'a date such as 2026-11-21',
  time: 'a time of day such as 10:00:00',
} as const satisfies Record<ScalarKind, string>;

function readMetaFilter(name: string, text: string, field: Field): FilterTerm {
  const path = name.slice(metaPrefix.length).split('.');
  if (path.length > 10 || !path.every((key) => /^[A-Za-z0-9_-]{1,64}$/.test(key))) {
    throw badRequest(
      'invalid_parameter',
      `"${shownName(name)}" is no path of keys (letters, digits, "_", "-") into __meta.`,
    );
  }
  if (kinds.text.fromText(text) === undefined) throw invalidParameter(name, wantedText.text);
  return { by: 'meta', field, path, text };
}

const readExpression = (text: string, { type, view, types }: RowQuestion): FilterExpression | undefined =>
  readGivenFilter(text, filterScope(type, view, types));

function readSearch(text: string, { type, view }: RowQuestion): readonly string[] | null {
  if (kinds.text.fromText(text) === undefined) throw invalidParameter('search', wantedText.text);
  if (searchFields(type, view).length === 0) {
    throw badRequest('invalid_parameter', `${type.singular} has no text field that can be searched.`);
  }
  return searchQueryWords(text);
}

/** The fields whose words a search through this view may find: searchable, not private, shown by the view. */
export function searchFields(type: ContentType, view: ReadView): readonly Field[] {
  return type.fields.filter((field) => isSearchable(field) && readableField(type, view, field.name) !== undefined);
}
