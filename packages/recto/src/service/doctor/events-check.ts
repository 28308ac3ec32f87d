import type { DatabaseLocation } from '../../config/settings.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { engineState } from '../../database/engine/engine-state.ts';
import { readAsItIs } from '../../database/read-database.ts';
import { readersTable } from '../../events/event-tables.ts';
import { type HeldBack, heldBack, isStuck, type ReaderState, readerStates } from '../../events/reader-state.ts';
import { rectoTables } from '../recto-tables.ts';
import { type Finding, messageOf, ok, warn } from './finding.ts';

const check = 'events';

/** How long a commit may take, in seconds. */
const longestCommit = 60;

/** The readers of the event log: which one does not get on, and whether all of them wait for a transaction. */
export async function eventsFinding(location: DatabaseLocation): Promise<Finding> {
  try {
    const state = await readAsItIs(location, stateOf);
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

/** A database that this version has not opened yet has no such table. */
async function stateOf(executor: Executor, dialect: Dialect): Promise<LogState | undefined> {
  const { present } = await engineState(executor, dialect, rectoTables);
  if (!present.has(readersTable.name)) return undefined;
  return { readers: await readerStates(executor, dialect), held: await heldBack(executor, dialect) };
}
