import type { Executor } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { Job } from './job.ts';
import { JobStatements } from './job-statements.ts';
import { jobOf } from './job-store.ts';
import type { JobRow } from './jobs-table.ts';

const hourMs = 3_600_000;
/** Longer than the time between the runs of hourly jobs: a service that runs has begun one since then. */
const recentMs = 2 * hourMs;
const mostNamed = 100;

export interface JobHealth {
  /** Jobs that did not run, or were not renewed, for hours in which others ran. */
  readonly stuck: readonly Job[];
  /** Jobs with a schedule that fail run after run. */
  readonly failing: readonly Job[];
  /** How many failed for good in the last day. */
  readonly failed: number;
}

/** What a person should know of the background work. For reading alone. */
export async function jobHealth(executor: Executor, dialect: Dialect, now: number): Promise<JobHealth> {
  const statements = new JobStatements(dialect);
  const begun = await executor.first<{ at: number | null }>(statements.lastBegun());
  // Where no service ran, all jobs wait.
  const isServed = begun !== undefined && begun.at !== null && Number(begun.at) > now - recentMs;
  const stuck = isServed ? await executor.rows<JobRow>(statements.stuck(now - recentMs, mostNamed)) : [];
  const failing = await executor.rows<JobRow>(statements.failing(mostNamed));
  const failed = await executor.first<{ total: number | bigint | string }>(statements.failedSince(now - 24 * hourMs));
  return { stuck: stuck.map(jobOf), failing: failing.map(jobOf), failed: Number(failed?.total ?? 0) };
}
