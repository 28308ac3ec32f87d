import { countOf } from '../../base/count-of.ts';
import type { Job } from '../../jobs/job.ts';
import { jobHealth } from '../../jobs/job-health.ts';
import { jobsTable } from '../../jobs/jobs-table.ts';
import { type Finding, messageOf, ok, warn } from '../finding.ts';
import type { Installation } from '../installation.ts';

/** The background work: what is stuck, and what has failed. */
export async function jobsFinding({ read }: Installation): Promise<Finding> {
  const check = 'jobs';
  try {
    const health = await read(jobsTable.name, (executor, dialect) => jobHealth(executor, dialect, Date.now()));
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
