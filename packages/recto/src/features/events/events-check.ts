import { readersTable } from '../../events/event-tables.ts';
import { type HeldBack, heldBack, isStuck, type ReaderState, readerStates } from '../../events/reader-state.ts';
import { type Finding, messageOf, ok, warn } from '../finding.ts';
import type { Installation } from '../installation.ts';

const check = 'events';

/** How long a commit may take, in seconds. */
const longestCommit = 60;

/** The readers of the event log: which one does not get on, and whether all of them wait for a transaction. */
export async function eventsFinding({ read }: Installation): Promise<Finding> {
  try {
    const state = await read(readersTable.name, async (executor, dialect) => ({
      readers: await readerStates(executor, dialect),
      held: await heldBack(executor, dialect),
    }));
    return state === undefined ? inOrder : judgeEvents(state, Date.now());
  } catch (error) {
    return warn(check, messageOf(error), 'See the finding on the database.');
  }
}

export interface LogState {
  readonly readers: readonly ReaderState[];
  readonly held: HeldBack | undefined;
}

/** What is said of the log at `now` (milliseconds since 1970). */
export function judgeEvents({ readers, held }: LogState, now: number): Finding {
  if (held !== undefined && held.seconds > longestCommit) {
    const message = `all readers of the log wait for a transaction that has run for ${Math.round(held.seconds)} seconds`;
    return warn(check, message, remedyFor(held));
  }
  const stuck = readers.filter((state) => isStuck(state, now));
  if (stuck.length === 0) return inOrder;
  const named = stuck.map(({ name, behind, waitingSince }) => `${name} (${behind} events, since ${waitingSince})`);
  const remedy = 'Start the service, and see its log. Events are kept for a reader for twice RECTO_EVENTS_KEEP_DAYS.';
  return warn(check, `readers of the log are more than an hour behind: ${named.join(', ')}`, remedy);
}

const inOrder = ok(check, 'no reader of the log is stuck');

const remedyFor = ({ pid }: HeldBack): string =>
  pid === null
    ? 'End the prepared transaction: see pg_prepared_xacts.'
    : `See process ${pid} in pg_stat_activity; SELECT pg_terminate_backend(${pid}) ends it.`;
