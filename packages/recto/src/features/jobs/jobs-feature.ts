import { jobOperations } from '../../http/jobs/job-operations.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { jobsTable } from '../../jobs/jobs-table.ts';
import { pruneJobs } from '../../jobs/prune-jobs.ts';
import { defineFeature } from '../feature.ts';

/** Background work: its table, its routes, and the removal of jobs that ended long ago. */
export const jobs = defineFeature({
  name: 'jobs',
  tables: [jobsTable],
  operations: (context) => jobOperations(context.jobs, context.settings.cmsMaxPageSize),
  jobs: (context) => [
    periodicJob('jobs.prune', { cron: '53 * * * *' }, async ({ signal }) => {
      await pruneJobs(context.jobs.store, context.now(), signal);
      return undefined;
    }),
  ],
});
