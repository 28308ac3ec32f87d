import { badRequest } from '../base/problem.ts';
import { listParameters } from '../definition/list-parameters.ts';
import type { SortTerm } from '../definition/protocol.ts';
import { isFreeText, isValue } from '../definition/stored-field.ts';
import {
  invalidParameter,
  type PageLimits,
  type Paging,
  pagingOf,
  readBoolean,
  readGiven,
  readPageSize,
  readParameters,
  readPositiveInteger,
  shownName,
} from './query-text.ts';
import { readableField, readForms } from './read-view.ts';
import { type FieldSelection, type IncludeTree, readFieldSelection, readInclude } from './record-parts.ts';
import { type RowQuery, type RowQuestion, readRowQuery } from './row-query.ts';

/** What a list request asks for, checked (service specification, section 4.5). */
export interface ListQuery extends Paging, RowQuery {
  readonly skipTotal: boolean;
  /** Whether each record says what the caller may do with it. */
  readonly may: boolean;
  /** Whether each record has its addresses in all languages. */
  readonly alternates: boolean;
  /** As sent: the place that the page begins after; null: `page` says where it begins. */
  readonly cursor: string | null;
  /** Empty: the type's own order. */
  readonly sort: readonly SortTerm[];
  readonly include: IncludeTree;
  readonly fields: FieldSelection;
}

export interface ListLimits extends PageLimits {
  /** Of lists that are asked for none. */
  readonly pageSize: number;
  /** Totals up to this are always exact; absent: all. */
  readonly exactTotals?: number;
  /** So many matches of a search are counted and ranked; absent: `defaultMostMatches`. */
  readonly mostMatches?: number;
  /** How far the way to a page by its related records is tried; absent: `defaultWalk`. */
  readonly walk?: WalkBounds;
}

/** How many rows the walk of a page looks at before the page is found in another way. */
export interface WalkBounds {
  /** Of so many related records at most, the rows that lead to them are walked. */
  readonly ends: number;
  /** So many rows that lead to one of them are looked at. */
  readonly rows: number;
}

/**
 * Reads a list's query string. `ruleParameters` are the names that the endpoint's rules read as `@request.query.*`:
 * they are taken whatever they hold. Everything else unknown, malformed or out of range is a 400 `Problem`; a page size
 * over the maximum is capped.
 */
export function readListQuery(
  search: string,
  question: RowQuestion,
  limits: ListLimits,
  ruleParameters: ReadonlySet<string>,
): ListQuery {
  const {
    may,
    alternates,
    inEvery,
    others: parameters,
  } = readForms(readParameters(search), question.type, question.view);
  const rows = readRowQuery(parameters, { ...question, inEvery }, listParameters, ruleParameters);
  const page = readGiven(parameters, 'page', readPositiveInteger) ?? 1;
  const cursor = parameters.get('cursor') ?? null;
  if (cursor !== null && parameters.has('page')) {
    throw badRequest('invalid_parameter', '"cursor" and "page" both say where the page begins: send one of them.');
  }
  const pageSize = readGiven(parameters, 'page_size', readPageSize) ?? limits.pageSize;
  return {
    ...rows,
    ...pagingOf(page, pageSize, limits),
    may,
    alternates,
    skipTotal: readGiven(parameters, 'skip_total', readBoolean) ?? false,
    cursor,
    sort: readGiven(parameters, 'sort', (_, text) => readSort(text, question)) ?? [],
    include:
      readGiven(parameters, 'include', (_, text) => readInclude(text, question.type, question.view, question.types)) ??
      [],
    fields:
      readGiven(parameters, 'fields', (_, text) => readFieldSelection(text, question.type, question.view)) ?? null,
  };
}

/**
 * Reads an order of the records that a view shows: `title:asc,created_at:desc`; in the lists of the admin `title:asc:natural` as well.
 * Throws 400.
 */
export function readSort(text: string, { type, view }: Pick<RowQuestion, 'type' | 'view'>): readonly SortTerm[] {
  const terms = text.split(',').map((entry): SortTerm => {
    const [, name, direction, natural] = /^\s*([^:\s]+):(asc|desc)(:natural)?\s*$/.exec(entry) ?? [];
    const isNatural = natural !== undefined;
    if (
      name === undefined ||
      (direction !== 'asc' && direction !== 'desc') ||
      (isNatural && view.audience === 'public')
    ) {
      throw invalidParameter('sort', 'a list such as "title:asc,created_at:desc"');
    }
    const field = readableField(type, view, name);
    if (field === undefined || !isValue(field) || !field.type.sortable) {
      throw badRequest(
        'invalid_parameter',
        `"sort" names "${shownName(name)}", by which ${type.plural} cannot be sorted.`,
      );
    }
    if (isNatural && !isFreeText(field)) {
      throw badRequest('invalid_parameter', `"sort" names "${shownName(name)}", which has no natural order.`);
    }
    return { column: field.name, direction, ...(isNatural ? { isNatural } : {}) };
  });
  if (new Set(terms.map(({ column }) => column)).size < terms.length) {
    throw badRequest('invalid_parameter', '"sort" names a field more than once.');
  }
  return terms;
}
