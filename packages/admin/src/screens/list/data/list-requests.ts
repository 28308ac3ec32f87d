import { type ListedType, type ListField, protocolOf } from './list-fields.ts';
import type { ListRecord } from './list-record.ts';
import { type ListState, reversedSort } from './list-state.ts';
import type { RectoClient } from './recto-client.ts';

/** The order of a list that nobody has sorted: that of the type, or the newest first. A search has its own: the best match first. */
export function usualSort(type: ListedType): string {
  const order = orderField(type);
  if (order !== undefined) return `${order}:asc`;
  const sortable = protocolOf(type, 'sortable');
  if (typeof sortable?.field === 'string') return `${sortable.field}:${sortable.direction === 'desc' ? 'desc' : 'asc'}`;
  return 'id:desc';
}

/** Pages are a tree without the protocol: they had their routes before it. */
export const isPage = ({ source, singular }: ListedType): boolean => source === 'built_in' && singular === 'page';

/** The field that holds an order made by hand; undefined where there is none. */
export function orderField(type: ListedType): string | undefined {
  if (isPage(type)) return 'sort_order';
  const sortable = protocolOf(type, 'sortable');
  if (sortable !== undefined) return sortable.field === undefined ? 'position' : undefined;
  return protocolOf(type, 'nestable') === undefined ? undefined : 'position';
}

/** The order of a list, as its address has it; undefined: best match first. */
export const effectiveSort = (state: Pick<ListState, 'sort' | 'search'>, type: ListedType): string | undefined =>
  state.sort !== '' ? state.sort : state.search !== '' ? undefined : usualSort(type);

/** The types of fields with texts that people write: numbers at their beginning and end count as numbers. */
const written: ReadonlySet<string> = new Set(['text', 'uid', 'nickname']);

/** The same order as the service is asked for it: texts in natural order, so that "Draft (2)" comes before "Draft (10)". */
export function requestedSort(state: Pick<ListState, 'sort' | 'search'>, type: ListedType): string | undefined {
  const natural = new Set(type.fields.filter(({ field_type }) => written.has(field_type)).map(({ name }) => name));
  return effectiveSort(state, type)
    ?.split(',')
    .map((term) => (natural.has(term.split(':')[0] ?? '') ? `${term}:natural` : term))
    .join(',');
}

/** The relations among the columns, which are shown by their titles. */
export const includedRelations = (columns: readonly ListField[]): readonly string[] =>
  columns.filter(({ kind }) => kind === 'relation' || kind === 'relations').map(({ name }) => name);

export interface LoadedPage {
  readonly rows: readonly ListRecord[];
  readonly nextCursor: string | undefined;
}

interface PageRequest {
  readonly client: RectoClient;
  readonly type: ListedType;
  readonly state: ListState;
  readonly include: readonly string[];
  readonly signal: AbortSignal;
}

/** Which of its languages the list is in, and as of when. What a record lacks in a language stands there in another one. */
export const languageQuery = ({ language, missing, asOf }: Pick<ListState, 'language' | 'missing' | 'asOf'>) => ({
  ...(language === '' ? {} : { language, fallback: true }),
  ...(missing === '' ? {} : { missing_language: missing }),
  ...(asOf === '' ? {} : { at: asOf }),
});

/** One page of the list. From the end, it is read the other way round. */
export async function loadPage({ client, type, state, include, signal }: PageRequest): Promise<LoadedPage> {
  const { place, filter, search, size } = state;
  const isBackwards = place.from === 'end';
  const sort = requestedSort(isBackwards ? backwards(state, type) : state, type);
  const options = {
    ...(filter === '' ? {} : { filter }),
    ...(search === '' ? {} : { search }),
    ...(place.from === 'page' ? { page: place.page } : place.cursor === null ? {} : { cursor: place.cursor }),
    page_size: size,
    skip_total: true,
    signal,
    query: {
      ...(sort === undefined ? {} : { sort }),
      ...(include.length === 0 ? {} : { include: include.join(',') }),
      ...(state.deleted ? { deleted: 'only' } : {}),
      ...languageQuery(state),
    },
  };
  const { items, next_cursor } = await client.admin.collection(type.plural).list(options);
  // Every record has an id.
  const rows = items as unknown as readonly ListRecord[];
  return { rows: isBackwards ? rows.toReversed() : rows, nextCursor: next_cursor };
}

function backwards(state: ListState, type: ListedType): ListState {
  const sort = effectiveSort(state, type);
  return sort === undefined ? state : { ...state, sort: reversedSort(sort) };
}

export interface LoadedTotal {
  readonly total: number;
  readonly isEstimate: boolean;
}

/** How many records match. Asked beside the page, so that counting holds nothing up, and once for all pages. */
export async function loadTotal({ client, type, state, signal }: Omit<PageRequest, 'include'>): Promise<LoadedTotal> {
  const page = await client.admin.collection(type.plural).list({
    ...(state.filter === '' ? {} : { filter: state.filter }),
    ...(state.search === '' ? {} : { search: state.search }),
    page_size: 1,
    signal,
    query: { ...(state.deleted ? { deleted: 'only' } : {}), ...languageQuery(state) },
  });
  return { total: page.total, isEstimate: 'total_is_estimate' in page && page.total_is_estimate === true };
}

/** The same, without being asked by anybody. */
export async function lookForTotal({ client, type, state, signal }: Omit<PageRequest, 'include'>): Promise<number> {
  const page = await client.request<{ readonly total: number }>('GET', adminPath(type), {
    query: {
      ...(state.filter === '' ? {} : { filter: state.filter }),
      ...(state.search === '' ? {} : { search: state.search }),
      page_size: 1,
      ...languageQuery(state),
    },
    background: true,
    signal,
  });
  return page.total;
}

/** How many records there are of each status, under everything else that the list is filtered by. */
export async function loadCounts(
  { client, type, state, signal }: Omit<PageRequest, 'include'>,
  { field, filter }: { readonly field: string; readonly filter: string },
): Promise<ReadonlyMap<string, number>> {
  const { search } = state;
  const { items } = await client.admin.collection(type.plural).aggregate({
    group: field,
    ...(filter === '' ? {} : { filter }),
    ...(search === '' ? {} : { search }),
    query: languageQuery(state),
    signal,
  });
  return new Map(items.map((item) => [String(item[field] ?? ''), item.count ?? 0]));
}

/** Where the routes of a type are, below `/api/v1`. */
export const adminPath = ({ source, plural, singular }: ListedType): string =>
  source === 'built_in' && ['page', 'post', 'comment', 'media'].includes(singular)
    ? `/admin/${plural}`
    : `/admin/cms/${encodeURIComponent(plural)}`;
