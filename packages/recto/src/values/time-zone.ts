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

/** The zone of a name, in any case; undefined where there is none. */
export function timeZone(name: string): TimeZone | undefined {
  if (!isTimeZone(name)) return undefined;
  const clocks = clocksOf(name);
  return { name, pieces: (from, until) => [...piecesOf(clocks, from, until)] };
}

/** Whether a text is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    clockOf(name, 0);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What the clocks of a zone show at an instant. */
const clockOf = (zone: string, instant: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

function* piecesOf(clocks: Clocks, from: number, until: number): Generator<ZonePiece> {
  for (let begin = from; begin < until; ) {
    const unchanged = clocks(begin);
    const end = Math.min(unchanged.until, until);
    yield { from: begin, until: end, offset: unchanged.offset };
    begin = end;
  }
}

/** The time from an instant to the next change of a zone's clocks. */
type Clocks = (instant: number) => ZonePiece;

/** Units are asked for in order, so that most instants are in the same piece as the one before. */
function clocksOf(zone: string): Clocks {
  let last: ZonePiece | undefined;
  return (instant) => {
    if (last !== undefined && instant >= last.from && instant < last.until) return last;
    const clock = clockOf(zone, instant);
    const until = clock.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    last = { from: instant, until, offset: clock.offsetNanoseconds / 1_000_000 };
    return last;
  };
}
