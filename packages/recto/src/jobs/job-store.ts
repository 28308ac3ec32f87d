import type { Database, Query, Transaction } from '../database/database.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { Job, JobProgress, JobState } from './job.ts';
import { type JobFilter, JobStatements } from './job-statements.ts';
import type { JobRow } from './jobs-table.ts';

/** The generation that rises when jobs were enqueued, retried or cancelled. */
export const jobsGeneration = 'recto:jobs';

/** Rows that one transaction removes: other writers wait for it. */
const slice = 500;

/** Reads and changes the jobs of a database, for people. */
export class JobStore {
  readonly #database: Database;
  readonly #statements: JobStatements;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new JobStatements(database.dialect);
  }

  async get(id: string): Promise<Job | undefined> {
    const row = await this.#database.first<JobRow>(this.#statements.byId(id));
    return row === undefined ? undefined : jobOf(row);
  }

  /** A page, the newest first, and how many there are. */
  async list(
    filter: JobFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly jobs: readonly Job[]; readonly total: number }> {
    const rows = await this.#database.rows<JobRow>(this.#statements.page(filter, limit, offset));
    const count = await this.#database.first<Total>(this.#statements.count(filter));
    return { jobs: rows.map(jobOf), total: Number(count?.total ?? 0) };
  }

  /** How many there are in each state that some are in. */
  async counts(): Promise<ReadonlyMap<JobState, number>> {
    const rows = await this.#database.rows<Total & { state: JobState }>(this.#statements.states());
    return new Map(rows.map(({ state, total }) => [state, Number(total)]));
  }

  /** Lets a job run (again) now, as part of a transaction; undefined for one that runs or is done. */
  retry(transaction: Transaction, id: string, now: number): Promise<Job | undefined> {
    return this.#change(transaction, id, this.#statements.retry(id, now));
  }

  /** Ends a job that is queued or runs, as part of a transaction; undefined for any other. A run notices within seconds. */
  cancel(transaction: Transaction, id: string, now: number): Promise<Job | undefined> {
    return this.#change(transaction, id, this.#statements.cancel(id, now));
  }

  /** Removes the jobs that reached a final state before a time. */
  async prune(state: JobState, before: number, signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (let some = slice; some === slice && !signal.aborted; removed += some) {
      some = await this.#database.transaction(async (transaction) =>
        transaction.run(this.#statements.prune(state, before, slice)),
      );
    }
    return removed;
  }

  async #change(transaction: Transaction, id: string, change: Query): Promise<Job | undefined> {
    if ((await transaction.run(change)) === 0) return undefined;
    transaction.touch(jobsGeneration);
    const row = await transaction.first<JobRow>(this.#statements.byId(id));
    return row === undefined ? undefined : jobOf(row);
  }
}

interface Total {
  readonly total: number | bigint | string;
}

/** Null for what is no JSON, which somebody else wrote: one such row must not keep others from being listed or run. */
function parsed(text: string | null): JsonValue {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));

/** A stored row as a job. */
export const jobOf = (row: JobRow): Job => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  key: row.key,
  payload: parsed(row.payload),
  priority: row.priority,
  runAt: Number(row.run_at),
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  owner: row.owner,
  heartbeatAt: numberOrNull(row.heartbeat_at),
  // Written by `progressText`.
  progress: parsed(row.progress) as JobProgress | null,
  checkpoint: parsed(row.checkpoint),
  result: parsed(row.result),
  error: row.error,
  createdBy: row.created_by,
  tenant: row.tenant_id,
  createdAt: Number(row.created_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
});

export const progressText = ({ done, total }: JobProgress): string => JSON.stringify({ done, total });
