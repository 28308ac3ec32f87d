import type { JobStore } from './job-store.ts';

const dayMs = 86_400_000;

/** How long jobs are kept after their end, in days. */
export const jobsKeptDays = { done: 7, failed: 30, cancelled: 30 } as const;

/** Removes jobs that ended long ago. */
export async function pruneJobs(store: JobStore, now: number, signal: AbortSignal): Promise<void> {
  for (const state of ['done', 'failed', 'cancelled'] as const)
    await store.prune(state, now - jobsKeptDays[state] * dayMs, signal);
}
