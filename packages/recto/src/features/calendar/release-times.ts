import { type AuthenticatedCaller, callerScopes, isBuiltInRole, tenantAsked } from '../../base/caller.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { hasRight, isInScope } from '../../http/operation-right.ts';
import type { Release } from '../../releases/release.ts';
import type { ReleaseStore } from '../../releases/release-store.ts';
import { type CalendarDay, type CalendarSource, dayOf, type FoundEntries } from './calendar-entry.ts';

const right = { may: 'releases' } as const;

/** Whether a caller sees releases, as their own routes decide it. */
export function seesReleases(caller: AuthenticatedCaller, { ownRoles }: ContentTypes): boolean {
  const scopes = callerScopes(caller);
  if (scopes !== undefined && !isInScope(scopes, right, 'GET')) return false;
  if (isBuiltInRole(caller.role)) return caller.role !== 'member';
  const own = ownRoles.find(caller.role);
  return own !== undefined && hasRight(own, right);
}

/** The releases of the caller's tenant that have a time and are not published. */
export const releaseTimes = (store: ReleaseStore, caller: AuthenticatedCaller): CalendarSource => ({
  kind: 'release',
  type: null,
  async read(days: readonly CalendarDay[], perDay: number): Promise<FoundEntries> {
    const [first, last] = [days[0], days.at(-1)];
    const totals = days.map(() => 0);
    if (first === undefined || last === undefined) return { entries: [], totals };
    const between = { tenant: tenantAsked(caller), from: first.from, to: last.to };
    const found = (await store.timed(between)).flatMap((release) => {
      const place = dayOf(days, release.scheduledAt ?? '');
      const earlier = totals[place];
      if (earlier === undefined) return [];
      totals[place] = earlier + 1;
      return earlier < perDay ? [entryOf(release)] : [];
    });
    return { entries: found, totals };
  },
});

const entryOf = ({ id, name, status, scheduledAt }: Release) => ({
  ...({ kind: 'release', at: scheduledAt ?? '', type: null, id, title: name, language: null } as const),
  ...{ status, becomes: status === 'scheduled' ? 'done' : null },
});
