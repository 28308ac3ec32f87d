/** A stretch of time in which a zone's clocks do not change. Instants are milliseconds since 1970; `until` is not part of it. */
export interface ZonePiece {
  readonly from: number;
  readonly until: number;
  /** What its clocks are ahead of UTC by, in milliseconds. */
  readonly offset: number;
}

/** A time zone of the IANA database, as the runtime brings it. */
export interface TimeZone {
  /** As it was asked for. */
  readonly name: string;
  /** The time between two instants, in order, in pieces of which each has one offset. */
  pieces(from: number, until: number): readonly ZonePiece[];
}

/** Without an offset such as `+01:00`, which is no zone: it has no name and no changes. */
const zoneName = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** The zone of a name; undefined where there is none. */
export function timeZone(name: string): TimeZone | undefined {
  if (!zoneName.test(name)) return undefined;
  const key = name.toLowerCase();
  const found = known.get(key) ?? makeClock(name);
  if (found === undefined) return undefined;
  // Names are of the runtime's list, so there are only so many.
  known.set(key, found);
  return { name, pieces: (from, until) => piecesOf(found, from, until) };
}

const known = new Map<string, Clock>();

/** What the clocks of a zone are ahead of UTC by at an instant. */
interface Clock {
  offset(instant: number): number;
  /** The pieces of UTC years that have been asked for. */
  readonly years: Map<number, readonly ZonePiece[]>;
}

function makeClock(name: string): Clock | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return { offset: (instant) => localTime(format, instant) - instant, years: new Map() };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What the zone's clocks show, as if they showed UTC. The instant has whole seconds, and a year of four digits that is not 0. */
function localTime(format: Intl.DateTimeFormat, instant: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const day = 86_400_000;

/** Before there were time zones, each place had one time. */
const firstYear = 1800;
/** From here on, the calendar's cycle of 400 years repeats all rules. */
const lastYear = 2500;
const cycle = 400;

function piecesOf(clock: Clock, from: number, until: number): readonly ZonePiece[] {
  const pieces: ZonePiece[] = [];
  const last = new Date(until - 1).getUTCFullYear();
  for (let year = new Date(from).getUTCFullYear(); year <= last; year += 1) {
    for (const piece of yearOf(clock, year)) {
      const part = { ...piece, from: Math.max(piece.from, from), until: Math.min(piece.until, until) };
      if (part.from < part.until) pieces.push(part);
    }
  }
  return pieces;
}

function yearOf(clock: Clock, year: number): readonly ZonePiece[] {
  const [begin, end] = [beginOf(year), beginOf(year + 1)];
  if (year < firstYear) return [{ from: begin, until: end, offset: clock.offset(beginOf(firstYear)) }];
  const like = year <= lastYear ? year : lastYear - cycle + ((year - lastYear) % cycle);
  const found = clock.years.get(like) ?? findPieces(clock, beginOf(like), beginOf(like + 1));
  clock.years.set(like, found);
  const shift = begin - beginOf(like);
  return shift === 0
    ? found
    : found.map(({ from, until, offset }) => ({ from: from + shift, until: until + shift, offset }));
}

/** The instant at which a UTC year begins. `Date.UTC` takes years below 100 for others. */
const beginOf = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);

/** No zone has changed its clocks twice within a day. */
function findPieces({ offset }: Clock, begin: number, end: number): readonly ZonePiece[] {
  const pieces: ZonePiece[] = [];
  let [from, current] = [begin, offset(begin)];
  for (let at = begin; at < end; at += day) {
    const next = Math.min(at + day, end);
    const after = offset(next);
    if (after === current) continue;
    let [before, changed] = [at, next];
    while (changed - before > 1000) {
      const middle = before + Math.floor((changed - before) / 2000) * 1000;
      if (offset(middle) === current) before = middle;
      else changed = middle;
    }
    if (changed >= end) break;
    pieces.push({ from, until: changed, offset: current });
    [from, current] = [changed, after];
  }
  return [...pieces, { from, until: end, offset: current }];
}
