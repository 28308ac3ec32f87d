/** What is kept of somebody's visits to a list, as the preference `visit:{plural}`. All times are of the service's clock, as ISO texts. */
export interface Visit {
  /** When the visit before this one ended: what has changed since is marked. */
  readonly since: string;
  /** When the list was last shown. */
  readonly last: string;
  /** Records that were looked at since, by their ids: their `updated_at` by then. */
  readonly seen: Readonly<Record<string, string>>;
}

/** Who comes back within this time, in milliseconds, is still on the same visit. */
export const pauseMs = 30 * 60_000;

/** So many records are remembered as looked at, the latest ones: a preference has room for them. */
const mostSeen = 150;

/** A first visit marks nothing. */
export const firstVisit = (now: string): Visit => ({ since: now, last: now, seen: {} });

/** The visit that begins at `now`, or goes on. */
export function resumed(visit: Visit, now: string): Visit {
  const { since, last, seen } = visit;
  if (Date.parse(now) - Date.parse(last) <= pauseMs) return { since, last: now, seen };
  // What was opened since by other ways than the list was looked at all the same.
  const later = Object.entries(seen).filter(([, updatedAt]) => updatedAt > last);
  return { since: last, last: now, seen: Object.fromEntries(later) };
}

/** With a record looked at, as it was changed last. */
export function withSeen(visit: Visit, id: string, updatedAt: string): Visit {
  if (updatedAt <= visit.since || visit.seen[id] === updatedAt) return visit;
  const { [id]: _, ...others } = visit.seen;
  return { ...visit, seen: Object.fromEntries([...Object.entries(others), [id, updatedAt]].slice(-mostSeen)) };
}

/** Everything that there is at `now` counts as looked at. */
export const allSeen = (now: string): Visit => firstVisit(now);

/** What a mark says of a record: it was made since the last visit, or changed. */
export type Mark = 'new' | 'changed';

export interface MarkedRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The mark of a record; undefined: nothing has changed, or the person `own` has changed it, or has looked at it since. */
export function markOf(visit: Visit, record: MarkedRecord, own: string | undefined): Mark | undefined {
  const { id, updated_at: updated, created_at: created, updated_by: by } = record;
  if (typeof updated !== 'string' || updated <= visit.since || updated <= (visit.seen[id] ?? '')) return undefined;
  if (own !== undefined && by === own) return undefined;
  return typeof created === 'string' && created > visit.since ? 'new' : 'changed';
}

/** A preference that was kept, if it is one. */
export function readVisit(value: unknown): Visit | undefined {
  if (typeof value !== 'object' || value === null || !('since' in value) || !('last' in value)) return undefined;
  const { since, last } = value;
  if (!isTime(since) || !isTime(last)) return undefined;
  const kept = 'seen' in value && typeof value.seen === 'object' && value.seen !== null ? value.seen : {};
  const seen = Object.entries(kept).filter((entry): entry is [string, string] => isTime(entry[1]));
  return { since, last, seen: Object.fromEntries(seen) };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** The filter for what others have changed since then; without `own`, for what anybody has. */
export const changedSince = (since: string, own: string | undefined): string =>
  [`updated_at > "${since}"`, ...(own === undefined ? [] : [`updated_by != "${own}"`])].join(' && ');
