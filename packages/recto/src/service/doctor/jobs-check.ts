import { countOf } from '../../base/count-of.ts';
import type { DatabaseLocation } from '../../config/settings.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { engineState } from '../../database/engine/engine-state.ts';
import { readAsItIs } from '../../database/read-database.ts';
import type { Job } from '../../jobs/job.ts';
import { jobHealth } from '../../jobs/job-health.ts';
import { rectoTables } from '../recto-tables.ts';
import { type Finding, messageOf, ok, warn } from './finding.ts';

/** The background work: what is stuck, and what has failed. */
export async function jobsFinding(location: DatabaseLocation): Promise<Finding> {
  const check = 'jobs';
  try {
    const health = await readAsItIs(location, healthOf);
    if (health === undefined) return ok(check, 'none yet');
    const { stuck, failing, failed } = health;
    if (stuck.length > 0)
      return warn(check, `${countOf(stuck.length, 'job')} should have run long ago: ${kindsOf(stuck)}`, seeJobs);
    if (failing.length > 0)
      return warn(
        check,
        `${countOf(failing.length, 'scheduled job')} failed in every recent run: ${kindsOf(failing)}`,
        seeJobs,
      );
    if (failed > 0)
      return warn(check, `${countOf(failed, 'job')} failed in the last day`, 'See: recto jobs list --state failed');
    return ok(check, 'none is stuck or has failed in the last day');
  } catch (error) {
    return warn(check, messageOf(error), 'See the finding on the database.');
  }
}

const seeJobs = 'See: recto jobs list';

const kindsOf = (jobs: readonly Job[]): string => [...new Set(jobs.map(({ kind }) => kind))].join(', ');

/** A database that this version has not opened yet has no such table. */
async function healthOf(executor: Executor, dialect: Dialect) {
  const { present } = await engineState(executor, dialect, rectoTables);
  return present.has('recto_jobs') ? jobHealth(executor, dialect, Date.now()) : undefined;
}
