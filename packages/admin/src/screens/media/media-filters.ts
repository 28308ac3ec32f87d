type QueryValue = string | boolean;

export const kinds = ['image', 'video', 'audio', 'document', 'other'] as const;
export type Kind = (typeof kinds)[number];
export const sizes = ['small', 'medium', 'large', 'huge'] as const;
export type Size = (typeof sizes)[number];
export const times = ['day', 'week', 'month', 'year'] as const;
export type Time = (typeof times)[number];
export const altStates = ['missing', 'written', 'decorative'] as const;
export type AltState = (typeof altStates)[number];
export const orders = ['newest', 'oldest', 'name', 'largest', 'smallest'] as const;
export type Order = (typeof orders)[number];

/** What the library shows. All of it stands in the address. */
export interface MediaFilters {
  readonly search: string;
  /** Null: files in no folder; undefined: all files. */
  readonly folder: string | null | undefined;
  readonly tag: string | undefined;
  readonly kind: Kind | undefined;
  readonly size: Size | undefined;
  /** Uploaded since then. */
  readonly time: Time | undefined;
  readonly used: boolean | undefined;
  readonly visibility: 'public' | 'private' | undefined;
  /** Pictures by their alternative texts. */
  readonly alt: AltState | undefined;
  readonly order: Order;
}

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | undefined =>
  values.find((value) => value === text);

/** Reads an address. What it says wrongly is left out. */
export function readFilters(query: URLSearchParams): MediaFilters {
  const folder = query.get('folder');
  const used = query.get('used');
  return {
    search: query.get('search') ?? '',
    folder: folder === null ? undefined : folder === '' ? null : folder,
    tag: query.get('tag') || undefined,
    kind: oneOf(kinds, query.get('kind')),
    size: oneOf(sizes, query.get('size')),
    time: oneOf(times, query.get('time')),
    used: used === 'true' ? true : used === 'false' ? false : undefined,
    visibility: oneOf(['public', 'private'], query.get('visibility')),
    alt: oneOf(altStates, query.get('alt')),
    order: oneOf(orders, query.get('order')) ?? 'newest',
  };
}

/** The filters as they stand in an address. */
export function filterQuery(filters: MediaFilters): URLSearchParams {
  const query = new URLSearchParams();
  const { search, folder, tag, kind, size, time, used, visibility, alt, order } = filters;
  if (search !== '') query.set('search', search);
  if (folder !== undefined) query.set('folder', folder ?? '');
  for (const [name, value] of Object.entries({ tag, kind, size, time, used, visibility, alt }))
    if (value !== undefined) query.set(name, String(value));
  if (order !== 'newest') query.set('order', order);
  return query;
}

/** Whether some files may be left out. */
export const isFiltered = ({ order: _, ...filters }: MediaFilters): boolean =>
  filters.search.trim() !== '' ||
  Object.entries(filters).some(([name, value]) => name !== 'search' && value !== undefined);

/** A text in a pattern, where some characters stand for others. */
const plain = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

const documentTypes = [
  'mime_type = "application/pdf"',
  'mime_type ~ "text/%"',
  'mime_type ~ "application/vnd.%"',
  'mime_type in ["application/msword", "application/rtf", "application/epub+zip"]',
];

const conditionOfKind: Readonly<Record<Kind, string>> = {
  image: 'mime_type ~ "image/%"',
  video: 'mime_type ~ "video/%"',
  audio: 'mime_type ~ "audio/%"',
  document: `(${documentTypes.join(' || ')})`,
  other: [
    'mime_type !~ "image/%" && mime_type !~ "video/%" && mime_type !~ "audio/%"',
    'mime_type != "application/pdf" && mime_type !~ "text/%" && mime_type !~ "application/vnd.%"',
    'mime_type not in ["application/msword", "application/rtf", "application/epub+zip"]',
  ].join(' && '),
};

const conditionOfSize: Readonly<Record<Size, string>> = {
  small: 'size < 100000',
  medium: 'size >= 100000 && size < 1000000',
  large: 'size >= 1000000 && size < 10000000',
  huge: 'size >= 10000000',
};

const conditionOfTime: Readonly<Record<Time, string>> = {
  day: 'created_at >= @now - 1d',
  week: 'created_at >= @now - 7d',
  month: 'created_at >= @now - 30d',
  year: 'created_at >= @now - 365d',
};

/** An empty text says that there is nothing to describe. */
const conditionOfAlt: Readonly<Record<AltState, string>> = {
  missing: 'alt = null',
  written: 'alt != null && alt != ""',
  decorative: 'alt = ""',
};

const sortOf: Readonly<Record<Order, string>> = {
  newest: 'created_at:desc',
  oldest: 'created_at:asc',
  name: 'name:asc',
  largest: 'size:desc',
  smallest: 'size:asc',
};

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The parameters of the list that shows these files. */
export function listParameters(filters: MediaFilters): Readonly<Record<string, QueryValue>> {
  const { search, folder, tag, kind, size, time, used, visibility, alt, order } = filters;
  const conditions: string[] = [];
  // A folder shows those within it as well.
  if (folder === null) conditions.push('folder = null');
  if (typeof folder === 'string')
    conditions.push(`(folder = ${quoted(folder)} || folder ~ ${quoted(`${plain(folder)}/%`)})`);
  if (kind !== undefined) conditions.push(conditionOfKind[kind]);
  if (size !== undefined) conditions.push(conditionOfSize[size]);
  if (time !== undefined) conditions.push(conditionOfTime[time]);
  if (alt !== undefined) conditions.push(`${conditionOfKind.image} && ${conditionOfAlt[alt]}`);
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(used === undefined ? {} : { used }),
    ...(conditions.length === 0 ? {} : { filter: conditions.join(' && ') }),
    sort: sortOf[order],
  };
}
