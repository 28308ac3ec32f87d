import { type AuthenticatedCaller, isAuthenticated } from '../../base/caller.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { readResponses } from '../../http/shared-responses.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import { invalidParameter } from '../../query/query-text.ts';
import type { Records } from '../../records/records.ts';
import type { ReleaseStore } from '../../releases/release-store.ts';
import { canonicalDate } from '../../values/date.ts';
import { timeZone } from '../../values/time-zone.ts';
import { typeNamed } from '../../webhooks/webhook-input.ts';
import { countDays, dateAfter, dateAt, daysBetween } from './calendar-days.ts';
import { byTime, type CalendarDay, type CalendarSource, dayOf, type EntryKind } from './calendar-entry.ts';
import { calendarParameters, calendarSchema, mostDays, usualDays } from './calendar-schemas.ts';
import { hasRecordTimes, recordTimes } from './record-times.ts';
import { releaseTimes, seesReleases } from './release-times.ts';

/** What the calendar is made of. */
export interface CalendarParts {
  readonly records: Records;
  readonly types: ContentTypes;
  readonly releases: ReleaseStore;
  readonly now: () => number;
}

/** What happens on some days, as far as the caller may know. */
export const calendarOperation = (parts: CalendarParts): Operation => ({
  id: 'getCalendar',
  method: 'GET',
  path: '/api/v1/admin/calendar',
  tag: 'calendar',
  summary: 'Get a calendar',
  description:
    'Scheduled changes of statuses, in all languages, releases with a time, and dates by which records are due, of what you may list and read. Each day has its first entries, and says how many it has.',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
  headers: tenantHeaders,
  query: { schema: calendarParameters, validation: 'schema' },
  responses: readResponses('The days and their entries.', calendarSchema),
  problems: [400, 503],
  async handle(context) {
    const { caller } = context;
    if (!isAuthenticated(caller)) throw new Error('The operation has roles.');
    const asked = readQuestion(context, parts, caller);
    const days = daysBetween(asked.from, asked.to, asked.zone);
    const found = await Promise.all(sourcesFor(parts, caller, asked).map((source) => source.read(days, asked.perDay)));
    const entries = found.flatMap((each) => each.entries).toSorted(byTime);
    const counts = days.map((_, place) => found.reduce((sum, { totals }) => sum + (totals[place] ?? 0), 0));
    const shown = days.map(() => 0);
    const items = entries.filter(({ at }) => {
      const place = dayOf(days, at);
      const earlier = shown[place];
      if (earlier === undefined || earlier >= asked.perDay) return false;
      shown[place] = earlier + 1;
      return true;
    });
    const shownDays = days.map((day, place) => countedDay(day, counts[place] ?? 0, shown[place] ?? 0));
    const total = shownDays.reduce((sum, day) => sum + day.total, 0);
    const answer = { time_zone: asked.zone.name, days: shownDays, items, total, left_out: total - items.length };
    return jsonRead(context.request, answer);
  },
});

/** What was written while it was read may be shown without having been counted. */
const countedDay = (day: CalendarDay, counted: number, shown: number) => {
  const total = Math.max(counted, shown);
  return { ...day, total, left_out: total - shown };
};

interface Question {
  /** `2026-03-01`; `to` is the day after the last one. */
  readonly from: string;
  readonly to: string;
  readonly zone: NonNullable<ReturnType<typeof timeZone>>;
  readonly perDay: number;
  /** The singular name of a type; undefined: all. */
  readonly type: string | undefined;
  readonly kind: EntryKind | undefined;
}

function readQuestion({ query }: RequestContext, { types, now }: CalendarParts, caller: AuthenticatedCaller): Question {
  const zone = timeZone(String(query.time_zone ?? 'UTC'));
  if (zone === undefined) throw invalidParameter('time_zone', 'a time zone such as Europe/Berlin');
  const date = (name: 'from' | 'to', usual: string): string => {
    const text = query[name] === undefined ? usual : canonicalDate(String(query[name]));
    if (text === undefined) throw invalidParameter(name, 'a day such as 2026-03-01');
    return text;
  };
  const from = date('from', dateAt(now(), zone));
  const to = date('to', dateAfter(from, usualDays));
  const days = countDays(from, to);
  if (days < 1 || days > mostDays) throw invalidParameter('to', `after "from", and at most ${mostDays} days after it`);
  const { type: sent, kind: sentKind } = query;
  const type = sent === undefined ? undefined : typeNamed(types, String(sent));
  // One that the caller does not see is one that there is not.
  if (sent !== undefined && (type === undefined || !hasRecordTimes(types, caller, type)))
    throw invalidParameter('type', 'a content type with times that you see');
  // The schema accepts no others.
  const kind = sentKind as EntryKind | undefined;
  return { from, to, zone, perDay: Number(query.per_day ?? 20), type: type?.singular, kind };
}

function sourcesFor(
  { records, types, releases }: CalendarParts,
  caller: AuthenticatedCaller,
  { type, kind }: Question,
): readonly CalendarSource[] {
  const all = [
    ...recordTimes(records, caller),
    ...(seesReleases(caller, types) ? [releaseTimes(releases, caller)] : []),
  ];
  return all.filter((source) => (type === undefined || source.type === type) && (kind ?? source.kind) === source.kind);
}
