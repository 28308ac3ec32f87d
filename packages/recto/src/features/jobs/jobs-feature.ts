import { jobStates } from '../../jobs/job.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { jobsTable } from '../../jobs/jobs-table.ts';
import { pruneJobs } from '../../jobs/prune-jobs.ts';
import { defineFeature } from '../feature.ts';
import { jobOperations } from './job-operations.ts';

/** Background work: its table, its routes, and the removal of jobs that ended long ago. */
export const jobs = defineFeature({
  name: 'jobs',
  tables: [jobsTable],
  operations: (context) => jobOperations(context.jobs, context.settings.cmsMaxPageSize),
  metrics: (context) => [
    {
      name: 'recto_jobs',
      help: 'Background jobs, by state.',
      type: 'gauge',
      labelNames: ['state'],
      aggregate: 'max',
      read: async () => {
        const counts = await context.jobs.store.counts();
        return jobStates.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
      },
    },
  ],
  jobs: (context) => [
    periodicJob('jobs.prune', { cron: '53 * * * *' }, async ({ signal }) => {
      await pruneJobs(context.jobs.store, context.now(), signal);
      return undefined;
    }),
  ],
});
