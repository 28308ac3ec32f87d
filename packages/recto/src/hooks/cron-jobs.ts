import { type JobKind, periodicJob } from '../jobs/job-kind.ts';
import type { Records } from '../records/records.ts';
import { systemFor } from './after-events.ts';
import type { HookRunner } from './hook-runner.ts';
import type { LoadedJob } from './loaded-code.ts';

/** What the kinds of a deployment's jobs begin with. */
export const cronPrefix = 'cron.';

/** The kind of the job of a file in `jobs/`. */
export const cronKind = (name: string): string => `${cronPrefix}${name}`;

/** The scheduled jobs of a deployment. */
export const cronJobs = (
  jobs: readonly LoadedJob[],
  { records, runner }: { readonly records: Records; readonly runner: HookRunner },
): readonly JobKind[] =>
  jobs.map((job) =>
    periodicJob(cronKind(job.name), { cron: job.schedule, startsAtItsTime: true }, async ({ signal }) => {
      const system = systemFor(`job:${job.name}`, null);
      const { timeout } = job.options;
      const task = { phase: 'job', path: job.path } as const;
      await runner.run(job, { task, signal, records, rights: { caller: system, system }, timeout });
      return undefined;
    }),
  );
