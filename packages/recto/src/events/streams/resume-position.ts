import { sql } from 'kysely';
import { callerId } from '../../base/caller.ts';
import type { EventLog } from '../event-log.ts';
import { hasEvent } from '../log-pages.ts';
import type { StreamInterest } from './stream-interest.ts';
import { namesIn } from './stream-types.ts';

/** Numbers of the log that are gone through for a client that comes back. Behind more, it loads everything again. */
export const mostResumed = 20_000;

export interface ResumePosition {
  readonly position: number;
  /** Whether the client has to load everything again. */
  readonly isReset: boolean;
  /** The number of the last event. */
  readonly last: number;
}

/**
 * Where a stream goes on: behind the last event that the client has, if the log has all that followed, if that is not too much to go
 * through, and if the caller had the same rights all the time. A new stream begins behind the last event.
 */
export async function resumePosition(
  log: EventLog,
  interest: Pick<StreamInterest, 'caller' | 'types'>,
  lastEventId: string | null,
): Promise<ResumePosition> {
  const last = await log.last();
  const behindLast = { position: last, last };
  if (lastEventId === null || lastEventId === '') return { ...behindLast, isReset: false };
  const after = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  const isNear = last - after <= mostResumed && (await log.reaches(after));
  if (!isNear || (await rightsHaveChanged(log, interest, after, last))) return { ...behindLast, isReset: true };
  return { position: after, last, isReset: false };
}

/** Whether the account was made or changed behind an event. */
async function rightsHaveChanged(
  log: EventLog,
  { caller, types }: Pick<StreamInterest, 'caller' | 'types'>,
  after: number,
  end: number,
): Promise<boolean> {
  const id = callerId(caller);
  if (id === null) return false;
  const where = [sql`"type" = ${'recto:account'}`, sql`"record" = ${id}`];
  return hasEvent(log, { after, end, where, names: namesIn(types) });
}
