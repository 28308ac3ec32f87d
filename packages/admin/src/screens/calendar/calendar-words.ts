import type { CalendarEntry } from '../../api/calendar-routes.ts';
import { contentTypes } from '../../api/content-types.svelte.ts';
import { languageLabel } from '../../api/language-name.ts';
import { statusLabel } from '../../api/own-names.ts';
import { permissions } from '../../api/permissions.svelte.ts';
import { readableName } from '../../api/readable-name.ts';
import { recordPath } from '../../api/record-title.ts';
import { localeCode, t } from '../../text/text.ts';
import type { IconName } from '../../ui/icons.ts';
import type { CalendarDate } from './calendar-range.ts';

/** Equal for one thing that happens, whenever it does. */
export const entryKey = ({ kind, type, id, language }: CalendarEntry): string =>
  [kind, type ?? '', id, language ?? ''].join('|');

const typeOf = ({ type }: CalendarEntry) => (type === null ? undefined : contentTypes.bySingular(type));
const typeName = (entry: CalendarEntry): string =>
  entry.type === null ? t('calendar.release') : (typeOf(entry)?.name ?? readableName(entry.type));

/** What an entry is called. */
export const entryTitle = (entry: CalendarEntry): string =>
  entry.title ?? t('calendar.untitled', { type: typeName(entry) });

/** What happens at its time. */
export function entryWords(entry: CalendarEntry, now: number): string {
  const what = happening(entry);
  const words = entry.language === null ? what : `${what} (${languageLabel(entry.language)})`;
  return isLate(entry, now) ? `${words}, ${t('calendar.late')}` : words;
}

function happening(entry: CalendarEntry): string {
  switch (entry.kind) {
    case 'status':
      return t('calendar.becomes', { type: typeName(entry), status: statusLabel(entry.becomes ?? '', typeOf(entry)) });
    case 'due':
      return t('calendar.due', { type: typeName(entry) });
    case 'release':
      if (entry.status === 'failed') return t('calendar.failed');
      return t(entry.status === 'scheduled' ? 'calendar.released' : 'calendar.planned');
  }
}

/** A change whose time has come a while ago, and that the service could not make. */
const isLate = ({ kind, status, at }: CalendarEntry, now: number): boolean =>
  (kind === 'status' || (kind === 'release' && status === 'scheduled')) && Date.parse(at) < now - 120_000;

export const entryIcons: Readonly<Record<CalendarEntry['kind'], IconName>> = {
  status: 'documents',
  release: 'box',
  due: 'flag',
};

/** The colour that its type has. */
export const entryColor = (entry: CalendarEntry): string | undefined => typeOf(entry)?.definition.admin?.color;

/** Where it is worked on. */
export function entryPath(entry: CalendarEntry): string {
  const type = typeOf(entry);
  if (entry.kind === 'release' || type === undefined) return `/releases/${entry.id}`;
  const path = recordPath(type, entry.id);
  return entry.language === null ? path : `${path}?language=${encodeURIComponent(entry.language)}`;
}

/** Whether this account may give it another time, as far as that is known before it tries. */
export function mayMove(entry: CalendarEntry): boolean {
  if (entry.kind === 'release') return permissions.releases;
  const may = typeOf(entry)?.may;
  return may?.update === true && (entry.kind === 'due' || may.publish !== false);
}

/** "Monday, 2 March 2026". A date is the same in every zone. */
export const dayText = (date: CalendarDate, form: 'full' | 'short' = 'full'): string =>
  new Intl.DateTimeFormat(localeCode(), {
    timeZone: 'UTC',
    ...(form === 'full'
      ? { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }
      : { weekday: 'short', day: 'numeric', month: 'short' }),
  }).format(new Date(date));

/** "Mon" */
export const weekdayText = (date: CalendarDate, form: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(localeCode(), { timeZone: 'UTC', weekday: form }).format(new Date(date));

/** "March 2026" */
export const monthText = (date: CalendarDate): string =>
  new Intl.DateTimeFormat(localeCode(), { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(new Date(date));

/** "23 – 29 March 2026" */
export const spanText = (from: CalendarDate, last: CalendarDate): string =>
  new Intl.DateTimeFormat(localeCode(), {
    ...{ timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' },
  }).formatRange(new Date(from), new Date(last));

/** "09:00" */
export const timeText = (at: string, zone: string): string =>
  new Intl.DateTimeFormat(localeCode(), { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));

/** "2 Mar 2026, 09:00" */
export const momentText = (at: string, zone: string): string =>
  new Intl.DateTimeFormat(localeCode(), { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(at),
  );
