import type { DatabaseLocation } from '../../config/settings.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { engineState } from '../../database/engine/engine-state.ts';
import { readAsItIs } from '../../database/read-database.ts';
import { readersTable } from '../../events/event-tables.ts';
import { isStuck, readerStates } from '../../events/reader-state.ts';
import { rectoTables } from '../recto-tables.ts';
import { type Finding, messageOf, ok, warn } from './finding.ts';

/** The readers of the event log: which one does not get on. */
export async function eventsFinding(location: DatabaseLocation): Promise<Finding> {
  const check = 'events';
  try {
    const states = (await readAsItIs(location, statesOf)) ?? [];
    const stuck = states.filter((state) => isStuck(state, Date.now()));
    if (stuck.length === 0) return ok(check, 'no reader of the log is stuck');
    const named = stuck.map(({ name, behind, waitingSince }) => `${name} (${behind} events, since ${waitingSince})`);
    const remedy = 'Start the service, and see its log. Events are kept for a reader for twice RECTO_EVENTS_KEEP_DAYS.';
    return warn(check, `readers of the log are more than an hour behind: ${named.join(', ')}`, remedy);
  } catch (error) {
    return warn(check, messageOf(error), 'See the finding on the database.');
  }
}

/** A database that this version has not opened yet has no such table. */
async function statesOf(executor: Executor, dialect: Dialect) {
  const { present } = await engineState(executor, dialect, rectoTables);
  return present.has(readersTable.name) ? readerStates(executor, dialect) : undefined;
}
