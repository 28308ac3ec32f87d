import { type TimeZone, timeZone } from './time-zone.ts';

/** The parts of the calendar that times are grouped by. A week begins on Monday and belongs to the year of its Thursday (ISO 8601). */
export const calendarUnits = ['year', 'month', 'week', 'day', 'hour'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

/** The characters of a canonical date or datetime that name the unit in UTC; for a week, the day. */
export const unitPrefix = { year: 4, month: 7, week: 10, day: 10, hour: 13 } as const satisfies Record<
  CalendarUnit,
  number
>;

/** Times with one prefix, from one text up to, but not including, another: which unit they are in. */
export type UnitPiece = readonly [prefix: string, from: string, until: string, unit: string];

/** Before and after every datetime. */
const [earliest, latest] = ['', '~'];

/** The pieces of the times that begin with a prefix of `unitPrefix[unit]` characters, in a zone. */
export function unitPieces(prefix: string, unit: CalendarUnit, zone: TimeZone): readonly UnitPiece[] {
  const [begin, end] = rangeOf(prefix);
  const bounds: { from: number; name: string }[] = [];
  for (const piece of zone.pieces(begin, end)) {
    let at = piece.from;
    while (at < piece.until) {
      const { name, next } = unitAt(at + piece.offset, unit);
      // Where clocks go back, the same unit may come again.
      if (bounds.at(-1)?.name !== name) bounds.push({ from: at, name });
      at = next - piece.offset;
    }
  }
  return bounds.map(({ from, name }, index) => {
    const following = bounds[index + 1];
    const until = following === undefined ? latest : new Date(following.from).toISOString();
    return [prefix, index === 0 ? earliest : new Date(from).toISOString(), until, name];
  });
}

/** The piece of the dates or the UTC times of one day: their week. */
export function weekPieces(date: string): readonly UnitPiece[] {
  // Asked for here and not with the module: clocks load what the runtime knows of languages, which a start does not need.
  const utc = timeZone('UTC');
  return utc === undefined ? [] : unitPieces(date, 'week', utc);
}

/** The instants that a prefix begins with, and the one after them. */
function rangeOf(prefix: string): readonly [number, number] {
  const begin = Date.parse(`${prefix}${'0000-01-01T00:00:00.000Z'.slice(prefix.length)}`);
  const unit = calendarUnits.find((name) => name !== 'week' && unitPrefix[name] === prefix.length);
  if (unit === undefined || Number.isNaN(begin)) throw new Error(`"${prefix}" begins no time.`);
  return [begin, unitAt(begin, unit).next];
}

/** The unit of a local time (as if it were UTC), and the local time at which the next one begins. */
function unitAt(local: number, unit: CalendarUnit): { readonly name: string; readonly next: number } {
  const time = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC').toPlainDateTime();
  const date = time.toPlainDate();
  switch (unit) {
    case 'year':
      return { name: yearName(date.year), next: beginOf(date.with({ month: 1, day: 1 }).add({ years: 1 })) };
    case 'month':
      return { name: date.toPlainYearMonth().toString(), next: beginOf(date.with({ day: 1 }).add({ months: 1 })) };
    case 'week': {
      const { weekOfYear = 1, yearOfWeek = date.year, dayOfWeek } = date;
      const name = `${yearName(yearOfWeek)}-W${String(weekOfYear).padStart(2, '0')}`;
      return { name, next: beginOf(date.add({ days: 8 - dayOfWeek })) };
    }
    case 'day':
      return { name: date.toString(), next: beginOf(date.add({ days: 1 })) };
    case 'hour':
      return {
        name: `${date}T${String(time.hour).padStart(2, '0')}`,
        next: (Math.floor(local / 3_600_000) + 1) * 3_600_000,
      };
  }
}

/** Beyond the years of four digits, there are two more and a sign. */
const yearName = (year: number): string =>
  Temporal.PlainYearMonth.from({ year, month: 1 }).toString().slice(0, -'-01'.length);

/** The instant at which a UTC day begins. */
const beginOf = (date: Temporal.PlainDate): number => date.toZonedDateTime('UTC').epochMilliseconds;
