/** Where in the list the page is. Offsets are cheap near the start; further on, and at the end, a cursor leads to the page. */
export type PagePlace =
  | { readonly from: 'page'; readonly page: number }
  /** `before`: how many records are before the page, as far as known; at the end of the list: behind it. */
  | { readonly from: 'start' | 'end'; readonly cursor: string | null; readonly before: number };

/** What a list shows: all of it stands in the address. */
export interface ListState {
  readonly filter: string;
  readonly search: string;
  /** `title:asc,created_at:desc`; empty: the order of the type. */
  readonly sort: string;
  /** The id of the saved view that was opened; empty for none. */
  readonly view: string;
  /** Columns in the place of those of the view; empty for none. */
  readonly columns: readonly string[];
  readonly deleted: boolean;
  /** The language in which records are shown; empty: the default one. */
  readonly language: string;
  /** Only records that say nothing in this language; empty: all. */
  readonly missing: string;
  /** The time to come as of which records are shown, as an instant; empty: now. */
  readonly asOf: string;
  readonly size: number;
  readonly place: PagePlace;
}

export const pageSizes = [20, 50, 100] as const;

export const firstPage: PagePlace = { from: 'page', page: 1 };

/** Pages up to here are found by number: the database passes over few records. */
export const lastNumbered = (size: number): number => Math.floor(5_000 / size);

export function readState(query: URLSearchParams, usualSize: number): ListState {
  const size = Number(query.get('size'));
  return {
    filter: query.get('filter') ?? '',
    search: query.get('search') ?? '',
    sort: query.get('sort') ?? '',
    view: query.get('view') ?? '',
    columns: [...new Set((query.get('columns') ?? '').split(','))].filter((name) => name !== ''),
    deleted: query.get('deleted') === 'only',
    language: query.get('language') ?? '',
    missing: query.get('missing') ?? '',
    asOf: readTime(query.get('as_of')),
    size: pageSizes.some((known) => known === size) ? size : usualSize,
    place: readPlace(query),
  };
}

/** An address that is opened again later may name a time that has passed: the list shows now. */
function readTime(text: string | null): string {
  const time = Date.parse(text ?? '');
  return time > Date.now() ? new Date(time).toISOString() : '';
}

function readPlace(query: URLSearchParams): PagePlace {
  const [cursor, before] = [query.get('after'), wholeNumber(query.get('at')) ?? 0];
  if (query.has('end')) return { from: 'end', cursor, before };
  if (cursor !== null && cursor !== '') return { from: 'start', cursor, before };
  return { from: 'page', page: Math.max(1, wholeNumber(query.get('page')) ?? 1) };
}

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

/** The query string, with its `?`; empty for a list as it is opened. */
export function stateQuery(state: ListState, usualSize: number): string {
  const query = new URLSearchParams();
  for (const name of ['view', 'search', 'filter', 'sort', 'language', 'missing'] as const)
    if (state[name] !== '') query.set(name, state[name]);
  if (state.columns.length > 0) query.set('columns', state.columns.join(','));
  if (state.asOf !== '') query.set('as_of', state.asOf);
  if (state.deleted) query.set('deleted', 'only');
  if (state.size !== usualSize) query.set('size', String(state.size));
  const { place } = state;
  if (place.from === 'page') {
    if (place.page > 1) query.set('page', String(place.page));
  } else {
    if (place.from === 'end') query.set('end', '1');
    if (place.cursor !== null) query.set('after', place.cursor);
    if (place.before > 0) query.set('at', String(place.before));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The state after a change of what is shown, which begins at the first page. */
export const withChange = (state: ListState, change: Partial<Omit<ListState, 'place'>>): ListState => ({
  ...state,
  ...change,
  place: firstPage,
});

export interface SortTerm {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export const sortTerms = (sort: string): readonly SortTerm[] =>
  sort.split(',').flatMap((term): readonly SortTerm[] => {
    const [field = '', direction] = term.split(':');
    return field !== '' && (direction === 'asc' || direction === 'desc') ? [{ field, direction }] : [];
  });

export const sortText = (terms: readonly SortTerm[]): string =>
  terms.map(({ field, direction }) => `${field}:${direction}`).join(',');

/** The other way round: the last record first. */
export const reversedSort = (sort: string): string =>
  sortText(sortTerms(sort).map(({ field, direction }) => ({ field, direction: direction === 'asc' ? 'desc' : 'asc' })));

/** What a click on a header does: ascending, descending, and back to the order of the type. */
export function nextSort(sort: string, field: string): string {
  const [first, ...more] = sortTerms(sort);
  if (first?.field !== field || more.length > 0) return `${field}:asc`;
  return first.direction === 'asc' ? `${field}:desc` : '';
}

export interface PagePosition {
  readonly place: PagePlace;
  readonly size: number;
  /** Records on the page. */
  readonly count: number;
  /** Of all pages; undefined while nobody knows. */
  readonly total: number | undefined;
  /** The cursor behind the page, in the direction it was read. */
  readonly nextCursor: string | undefined;
}

/** The numbers of the first and the last record on the page, from 1; undefined where the end is counted from and the total is not known. */
export function pageRange({ place, size, count, total }: PagePosition): { first: number; last: number } | undefined {
  if (count === 0) return undefined;
  if (place.from === 'end') {
    if (total === undefined) return undefined;
    const last = total - place.before;
    return { first: Math.max(1, last - count + 1), last };
  }
  const before = place.from === 'page' ? (place.page - 1) * size : place.before;
  return { first: before + 1, last: before + count };
}

/** The page behind this one; undefined at the end. */
export function pageAfter(position: PagePosition): PagePlace | undefined {
  const { place, size, count, nextCursor } = position;
  if (place.from === 'end') return pageTowardsEnd(position);
  if (nextCursor === undefined) return undefined;
  if (place.from === 'page' && place.page < lastNumbered(size)) return { from: 'page', page: place.page + 1 };
  const before = place.from === 'page' ? place.page * size : place.before + count;
  return { from: 'start', cursor: nextCursor, before };
}

/** The page before this one; undefined at the start, and where no way leads back. */
export function pageBefore(position: PagePosition): PagePlace | undefined {
  const { place, size, count, nextCursor } = position;
  switch (place.from) {
    case 'page':
      return place.page > 1 ? { from: 'page', page: place.page - 1 } : undefined;
    case 'end':
      return nextCursor === undefined ? undefined : { from: 'end', cursor: nextCursor, before: place.before + count };
    case 'start': {
      const page = Math.floor(place.before / size);
      return page >= 1 && page <= lastNumbered(size) ? { from: 'page', page } : undefined;
    }
  }
}

/** From a page that was reached from the end: back towards it. The trail has the cursor of a page that was seen. */
function pageTowardsEnd({ place, size }: PagePosition): PagePlace | undefined {
  if (place.from !== 'end' || place.cursor === null) return undefined;
  return place.before <= size ? { from: 'end', cursor: null, before: 0 } : undefined;
}

/** A name for a place, for the trail of pages that were seen. */
export const placeKey = (place: PagePlace): string =>
  place.from === 'page' ? `page ${place.page}` : `${place.from} ${place.cursor ?? ''}`;
