import { canonicalDatetime } from '../values/datetime.ts';

const localShape = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?$/;
const zoneShape = /^[A-Za-z][A-Za-z0-9_+\-/]*$/;
const dayMs = 86_400_000;

/** What is wrong with a time. */
export interface TimeFault {
  readonly code: 'bad_format' | 'no_such_time';
  readonly message: string;
}

/** Whether a text is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!zoneShape.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * An instant (with `Z` or an offset), or a time as a clock in the zone shows it, as a canonical datetime. A time that the clocks skip is
 * an error; of one that comes twice, the first is meant.
 */
export function readZonedTime(text: string, zone: string): string | TimeFault {
  const instant = canonicalDatetime(text);
  if (instant !== undefined) return instant;
  const [, date, minutes, seconds = '00'] = localShape.exec(text) ?? [];
  const shown = date === undefined ? undefined : canonicalDatetime(`${date}T${minutes}:${seconds}Z`);
  if (shown === undefined) {
    const message = `Must be an instant such as 2026-03-29T09:00:00+02:00, or a time in ${zone} such as 2026-03-29T09:00.`;
    return { code: 'bad_format', message };
  }
  const clock = clockOf(zone);
  const wanted = Date.parse(shown);
  const offsets = [clock(wanted - dayMs) - (wanted - dayMs), clock(wanted + dayMs) - (wanted + dayMs)];
  const found = offsets
    .map((offset) => wanted - offset)
    .filter((at) => clock(at) === wanted)
    .toSorted((a, b) => a - b);
  const [first] = found;
  if (first !== undefined) return new Date(first).toISOString();
  return { code: 'no_such_time', message: `The clocks in ${zone} skip ${date} ${minutes}: choose another time.` };
}

/** What the clocks of a zone show at an instant, as if they showed UTC. */
function clockOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  };
}
