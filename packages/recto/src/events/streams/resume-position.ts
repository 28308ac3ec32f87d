import { sql } from 'kysely';
import { callerId } from '../../base/caller.ts';
import type { EventLog } from '../event-log.ts';
import type { StreamInterest } from './stream-interest.ts';

export interface ResumePosition {
  readonly position: number;
  /** Whether the client has to load everything again. */
  readonly isReset: boolean;
}

/**
 * Where a stream goes on: behind the last event that the client has, if the log has all that followed, and if the caller had the
 * same rights all the time. A new stream begins behind the last event.
 */
export async function resumePosition(
  log: EventLog,
  { caller }: Pick<StreamInterest, 'caller'>,
  lastEventId: string | null,
): Promise<ResumePosition> {
  const last = await log.last();
  if (lastEventId === null || lastEventId === '') return { position: last, isReset: false };
  const after = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  const isKept = !Number.isNaN(after) && (await log.reaches(after));
  if (!isKept || (await rightsHaveChanged(log, callerId(caller), after))) return { position: last, isReset: true };
  return { position: after, isReset: false };
}

/** Whether the account was made or changed behind an event. */
async function rightsHaveChanged(log: EventLog, id: string | null, after: number): Promise<boolean> {
  if (id === null) return false;
  const ofAccount = [sql`"type" = ${'recto:account'}`, sql`"record" = ${id}`];
  const events = await log.read({ after, limit: 1, where: ofAccount });
  return events.length > 0;
}
