import type { TimeZone } from '../../values/time-zone.ts';
import type { CalendarDay } from './calendar-entry.ts';

const day = 86_400_000;

/** No zone is further from UTC, and none has changed its clocks by more. */
const around = 2 * day;

/**
 * The days of a zone from one date up to, but not including, another. Each begins when the clocks of the zone first show its date, so that one
 * on which they change has 23 or 25 hours; one that the zone has left out has none.
 */
export function daysBetween(from: string, to: string, zone: TimeZone): readonly CalendarDay[] {
  const days: CalendarDay[] = [];
  const end = Date.parse(to);
  for (let at = Date.parse(from); at < end; at += day) {
    const [begin, next] = [beginOf(at, zone), beginOf(at + day, zone)];
    days.push({ date: dateOf(at), from: timeOf(begin), to: timeOf(next) });
  }
  return days;
}

/** How many days there are from one date to another. */
export const countDays = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / day);

const timeOf = (instant: number): string => new Date(instant).toISOString();
const dateOf = (instant: number): string => timeOf(instant).slice(0, 10);

/** The instant at which a zone's clocks first show a time, given as if it were UTC, or a later one where they skip it. */
function beginOf(local: number, zone: TimeZone): number {
  for (const { from, until, offset } of zone.pieces(local - around, local + around)) {
    const at = Math.max(from, local - offset);
    if (at < until) return at;
  }
  return local;
}

/** The date that the clocks of a zone show at an instant. */
export function dateAt(instant: number, zone: TimeZone): string {
  const [piece] = zone.pieces(instant, instant + 1);
  return dateOf(instant + (piece?.offset ?? 0));
}

/** The date that comes so many days after another. */
export const dateAfter = (date: string, days: number): string => dateOf(Date.parse(date) + days * day);
