import { canonicalDatetime } from '../values/datetime.ts';

const localShape = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?$/;

/** What is wrong with a time. */
export interface TimeFault {
  readonly code: 'bad_format' | 'no_such_time';
  readonly message: string;
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
  // Of a time that the clocks skip, no instant shows it.
  const wanted = Temporal.PlainDateTime.from(shown.slice(0, -1));
  const found = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (found.toPlainDateTime().equals(wanted)) return new Date(found.epochMilliseconds).toISOString();
  return { code: 'no_such_time', message: `The clocks in ${zone} skip ${date} ${minutes}: choose another time.` };
}
