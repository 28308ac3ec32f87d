import { FatalError } from '../../base/fatal-error.ts';
import type { DatabaseLocation } from '../../config/settings.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { engineState, newerText } from '../../database/engine/engine-state.ts';
import { describeLocation } from '../../database/open-database.ts';
import { inspectDatabase, inspectStandbys, readAsItIs } from '../../database/read-database.ts';
import { isUnfinishedCopy } from '../../database/unfinished-copy.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { type Finding, fail, messageOf, ok, warn } from '../../features/finding.ts';
import { previewSchema } from '../../migrations/sync-schema.ts';
import { rectoTables } from '../recto-tables.ts';

const remedies = {
  sqlite: 'Stop the service and restore a backup: recto restore FILE --force',
  postgres: 'Look whether the server runs and RECTO_DATABASE_URL is right; docs/scaling.md lists what it needs.',
} as const;

/** The database: a file is read completely, a server is queried. Nothing is written. */
export async function databaseFinding(location: DatabaseLocation): Promise<Finding> {
  const check = 'database';
  const place = location.kind === 'sqlite' ? location.path : describeLocation(location);
  try {
    const faults = await inspectDatabase(location);
    if (faults === undefined) return ok(check, `${place} is not there yet; the first start creates it`);
    if (faults.length > 0) return fail(check, faults.join('; '), remedies[location.kind]);
    const shape = await readAsItIs(location, shapeFault);
    if (shape !== undefined) return fail(check, `${place} ${shape.detail}`, shape.remedy);
    return ok(check, location.kind === 'sqlite' ? `${place} is intact` : `${place} is usable`);
  } catch (error) {
    const reason = messageOf(error);
    return fail(
      check,
      error instanceof FatalError ? reason : `${place} cannot be read: ${reason}`,
      remedies[location.kind],
    );
  }
}

/** Why this version cannot serve what is stored, as far as the engine's own tables show it. */
async function shapeFault(executor: Executor, dialect: Dialect): Promise<Fault | undefined> {
  if (await isUnfinishedCopy(executor, dialect))
    return { detail: 'holds a copy that is not finished', remedy: 'Run recto copy again: it goes on where it was.' };
  const detail = newerText(await engineState(executor, dialect, rectoTables), rectoTables);
  return detail === undefined ? undefined : { detail, remedy: 'Run that version, or restore a backup.' };
}

interface Fault {
  readonly detail: string;
  readonly remedy: string;
}

/** The replicas: a service runs without them, and reads from the database itself. */
export async function replicasFinding(location: DatabaseLocation, urls: readonly string[]): Promise<Finding> {
  const check = 'replicas';
  const remedy = 'Reads go to the database itself until then; docs/scaling.md lists what a replica needs.';
  try {
    const faults = await inspectStandbys(location, urls);
    return faults.length > 0 ? warn(check, faults.join('; '), remedy) : ok(check, `${urls.length} can be read from`);
  } catch (error) {
    return warn(check, `the database does not report its position: ${messageOf(error)}`, remedy);
  }
}

/** Whether the definitions fit what is stored; `types` is undefined where the definitions are wrong. */
export async function schemaFinding(location: DatabaseLocation, types: ContentTypes | undefined): Promise<Finding> {
  const check = 'schema';
  if (types === undefined) return warn(check, 'not checked, because the definitions have errors', 'Fix those first.');
  try {
    const preview = await readAsItIs(location, (executor, dialect) => previewSchema(executor, dialect, types));
    if (preview === undefined) return ok(check, 'nothing is stored yet');
    const { refusals, waiting: forApply, created, changed } = preview;
    if (refusals.length > 0)
      return fail(check, refusals.join('; '), 'Change the definitions back, or what is stored: no start loses data.');
    if (forApply.length > 0)
      return fail(check, forApply.join(' '), 'Run: recto migrate plan, and then: recto migrate apply');
    const waiting = [...created, ...changed];
    if (waiting.length === 0) return ok(check, 'the definitions fit what is stored');
    return ok(check, `the next start brings the database up to: ${waiting.join(', ')}`);
  } catch (error) {
    return fail(check, messageOf(error), 'See the finding on the database.');
  }
}
