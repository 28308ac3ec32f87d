import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { UsageFault } from '../base/usage-fault.ts';
import { jobJson } from '../features/jobs/job-operations.ts';
import type { Job, JobState } from '../jobs/job.ts';
import { JobStore } from '../jobs/job-store.ts';
import { isPeriodicKey } from '../jobs/periodic-jobs.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { withDatabase } from './existing-database.ts';
import { textTable } from './text-table.ts';

export interface ListJobsOptions extends AnswerOptions {
  readonly state?: JobState;
  readonly kind?: string;
  readonly limit: string;
}

/** `recto jobs list`. All functions here resolve with the exit code. */
export const listJobs = (terminal: Terminal, options: ListJobsOptions): Promise<number> =>
  answer(terminal, options, () => {
    const limit = limitOf(options.limit);
    return withDatabase(terminal, async (database) => {
      const { state, kind } = options;
      const { jobs, total } = await new JobStore(database).list({ state, kind }, { limit, offset: 0 });
      const rows = jobs
        .map(jobJson)
        .map((job) => [
          ...[job.kind, job.state, job.run_at, attemptsOf(job)],
          ...[
            job.progress === null ? '-' : `${job.progress.done}/${job.progress.total ?? '?'}`,
            job.error ?? '-',
            job.id,
          ],
        ]);
      const table = textTable([['KIND', 'STATE', 'RUNS AT', 'ATTEMPTS', 'PROGRESS', 'ERROR', 'ID'], ...rows]);
      const shown = jobs.length < total ? `${jobs.length} of ${countOf(total, 'job')}` : countOf(total, 'job');
      const text = `${jobs.length === 0 ? '' : `${table}\n`}${shown}.\n`;
      return { text, json: { jobs: jobs.map(jobJson), total } };
    });
  });

/** One with a schedule has no last attempt. */
const attemptsOf = ({ scheduled, attempts, max_attempts: most }: ReturnType<typeof jobJson>): string =>
  scheduled ? String(attempts) : `${attempts}/${most}`;

const mostListed = 10_000;

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= mostListed) return limit;
  throw new UsageFault(`--limit must be a number from 1 to ${mostListed}.`);
}

/** `recto jobs retry`. */
export const retryJob = (terminal: Terminal, id: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, () =>
    withDatabase(terminal, async (database) => {
      const store = new JobStore(database);
      await find(store, id);
      const job = await database.transaction((transaction) => store.retry(transaction, id, Date.now()));
      if (job === undefined) throw new FatalError(`${id} is running or done.`);
      return { text: `Queued ${id} (${job.kind}).\n`, json: { job: jobJson(job) } };
    }),
  );

/** `recto jobs cancel`. */
export const cancelJob = (terminal: Terminal, id: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, () =>
    withDatabase(terminal, async (database) => {
      const store = new JobStore(database);
      const { key } = await find(store, id);
      if (isPeriodicKey(key)) throw new FatalError(`${id} runs by a schedule of the service.`);
      const job = await database.transaction((transaction) => store.cancel(transaction, id, Date.now()));
      if (job === undefined) throw new FatalError(`${id} has ended.`);
      return { text: `Cancelled ${id} (${job.kind}).\n`, json: { job: jobJson(job) } };
    }),
  );

async function find(store: JobStore, id: string): Promise<Job> {
  const job = await store.get(id);
  if (job === undefined) throw new FatalError(`There is no job with the id ${id}; "recto jobs list" shows the ids.`);
  return job;
}
