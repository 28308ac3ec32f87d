/** A date of the calendar: `2026-03-01`. */
export type CalendarDate = string;

export const calendarViews = ['month', 'week'] as const;
export type CalendarView = (typeof calendarViews)[number];

const day = 86_400_000;
const dateOf = (at: number): CalendarDate => new Date(at).toISOString().slice(0, 10);

export const isDate = (text: string | null): text is CalendarDate =>
  text !== null &&
  /^[1-8]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  dateOf(Date.parse(text)) === text;

export const daysLater = (date: CalendarDate, days: number): CalendarDate => dateOf(Date.parse(date) + days * day);

/** The same day of another month, or its last one. */
export function monthsLater(date: CalendarDate, months: number): CalendarDate {
  const at = new Date(date);
  const wanted = at.getUTCDate();
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 0));
  last.setUTCDate(Math.min(wanted, last.getUTCDate()));
  return dateOf(last.getTime());
}

/** The day that the clocks of a zone show. */
export const todayIn = (zone: string, now: number): CalendarDate =>
  new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).format(now);

/** On which day weeks begin for readers of a locale: 1 is Monday, 7 is Sunday. */
export function firstWeekday(locale: string): number {
  const own: object = new Intl.Locale(locale).maximize();
  // Browsers have it as a method, older ones as a property, and some not at all.
  const getter: unknown = Reflect.get(own, 'getWeekInfo');
  const info: unknown = typeof getter === 'function' ? getter.call(own) : Reflect.get(own, 'weekInfo');
  const first: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'firstDay') : undefined;
  return typeof first === 'number' && first >= 1 && first <= 7 ? first : 1;
}

/** 1 is Monday, 7 is Sunday. */
const weekday = (date: CalendarDate): number => ((new Date(date).getUTCDay() + 6) % 7) + 1;

const weekBegin = (date: CalendarDate, first: number): CalendarDate =>
  daysLater(date, -((weekday(date) - first + 7) % 7));

export interface CalendarRange {
  readonly from: CalendarDate;
  /** The day after the last one. */
  readonly to: CalendarDate;
}

/** The days that a view with a date shows: its week, or the whole weeks that its month is in. */
export function rangeOf(view: CalendarView, date: CalendarDate, first: number): CalendarRange {
  if (view === 'week') {
    const from = weekBegin(date, first);
    return { from, to: daysLater(from, 7) };
  }
  const begin = `${date.slice(0, 8)}01`;
  const end = monthsLater(begin, 1);
  return { from: weekBegin(begin, first), to: daysLater(weekBegin(daysLater(end, -1), first), 7) };
}

/** Where the previous or next page of a view is. */
export const turned = (view: CalendarView, date: CalendarDate, direction: -1 | 1): CalendarDate =>
  view === 'week' ? daysLater(date, 7 * direction) : monthsLater(date, direction);

/** Days in weeks. */
export const weeksOf = <T>(days: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => days.slice(week * 7, week * 7 + 7));
