import { jobStates } from '../../jobs/job.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { Jobs } from '../../jobs/jobs.ts';
import { jobsTable } from '../../jobs/jobs-table.ts';
import { pruneJobs } from '../../jobs/prune-jobs.ts';
import { defineFeature } from '../feature.ts';
import { jobOperations } from './job-operations.ts';

/** Background work: its table, its routes, and the removal of jobs that ended long ago. Others enqueue with what it offers. */
export const jobs = defineFeature({
  name: 'jobs',
  tables: [jobsTable],
  checks: [async (installation) => (await import('./jobs-check.ts')).jobsFinding(installation)],
  create({ database, settings, now }) {
    const jobs = new Jobs(database, now);
    return {
      service: jobs,
      operations: () => jobOperations(jobs, settings.cmsMaxPageSize),
      metrics: [
        {
          name: 'recto_jobs',
          help: 'Background jobs, by state.',
          type: 'gauge',
          labelNames: ['state'],
          aggregate: 'max',
          read: async () => {
            const counts = await jobs.store.counts();
            return jobStates.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
          },
        },
      ],
      jobs: () => [
        periodicJob('jobs.prune', { cron: '53 * * * *' }, async ({ signal }) => {
          await pruneJobs(jobs.store, now(), signal);
          return undefined;
        }),
      ],
    };
  },
});
