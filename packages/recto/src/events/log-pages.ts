import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog } from './event-log.ts';
import type { EventRange } from './event-range.ts';
import type { FullEvent } from './logged-event.ts';

/** Numbers of the log that one statement goes through, by its key: about a millisecond. */
export const pageNumbers = 1_000;

/** A part of the log. */
export interface LogPart extends Pick<EventRange, 'where'> {
  /** Events behind this number. */
  readonly after: number;
  /** Up to this number, which has been settled. */
  readonly end: number;
  /** The names of all types and of accounts. */
  readonly names: readonly string[];
}

export interface LogPage {
  readonly events: readonly FullEvent[];
  /** The number up to which the log has been read. */
  readonly through: number;
}

/** The first page of a part: of its events, those that the conditions hold for. How long it takes does not depend on how many there are. */
export async function readPage(
  log: Pick<EventLog, 'readForResponse'>,
  { after, end, where, names }: LogPart,
): Promise<LogPage> {
  // Quick statements run inline: between two of them, others have their turn.
  await nextTurn();
  const through = Math.min(after + pageNumbers, end);
  const range = { after, through, limit: pageNumbers, ...(where && { where }) };
  return { events: await log.readForResponse(range, names), through };
}

/** Whether the conditions hold for an event of the part. */
export async function hasEvent(log: Pick<EventLog, 'readForResponse'>, part: LogPart): Promise<boolean> {
  for (let { after } = part; after < part.end; ) {
    const { events, through } = await readPage(log, { ...part, after });
    if (events.length > 0) return true;
    after = through;
  }
  return false;
}
