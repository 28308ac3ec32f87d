import { type FieldFault, invalid } from '../../base/problem.ts';
import type { Release } from '../../releases/release.ts';
import { readZonedTime } from '../../releases/zoned-time.ts';
import { canonicalDatetime } from '../../values/datetime.ts';
import { isTimeZone } from '../../values/time-zone.ts';

/** A time and its zone, as they are sent. */
export interface SentTimes {
  readonly scheduled_at?: string | null;
  readonly time_zone?: string | null;
}

/** The members that were sent, read in the zone that is sent or, without one, in `zone`. 422 for a time or a zone that there is not. */
export function readTimes(
  { scheduled_at: at, time_zone: sent }: SentTimes,
  zone: string | null,
): Partial<Pick<Release, 'scheduledAt' | 'timeZone'>> {
  const faults: FieldFault[] = [];
  const isKnown = sent === undefined || sent === null || isTimeZone(sent);
  if (!isKnown)
    faults.push({
      field: 'time_zone',
      code: 'unknown_time_zone',
      message: 'There is no such time zone: write it as Europe/Berlin.',
    });
  const read = typeof at === 'string' && isKnown ? readZonedTime(at, (sent === undefined ? zone : sent) ?? 'UTC') : at;
  if (typeof read === 'object' && read !== null) faults.push({ field: 'scheduled_at', ...read });
  if (faults.length > 0) throw invalid(faults);
  return {
    ...(typeof read === 'string' || read === null ? { scheduledAt: read } : {}),
    ...(sent === undefined ? {} : { timeZone: sent }),
  };
}

/** The time that a caller knows of a release, to be compared with the one that it has. What is no time is never the same. */
export const knownTime = (sent: string | null | undefined): string | null | undefined =>
  typeof sent === 'string' ? (canonicalDatetime(sent) ?? sent) : sent;
