import type { Static, TSchema } from 'typebox';
import { newId } from '../base/ids.ts';
import type { Database, Transaction, TransactionWork } from '../database/database.ts';
import type { JobType } from './job-kind.ts';
import { JobStatements } from './job-statements.ts';
import { JobStore, jobsGeneration } from './job-store.ts';
import type { JobRow } from './jobs-table.ts';

export interface EnqueueOptions {
  /** Milliseconds since 1970; default: now. */
  readonly runAt?: number;
  /** Of those that are due, the highest goes first. Default 0. */
  readonly priority?: number;
  /** Only one job with this key waits or runs. If there is one, it runs at the earlier time; if it runs, it runs once more. */
  readonly key?: string;
  /** The account or API token that asks for it, who may then read it. */
  readonly createdBy?: string | null;
  readonly tenant?: string | null;
}

/** The background work of an installation. */
export class Jobs {
  readonly store: JobStore;
  readonly now: () => number;
  readonly #database: Database;
  readonly #statements: JobStatements;

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.now = now;
    this.store = new JobStore(database);
    this.#statements = new JobStatements(database.dialect);
  }

  /** Enqueues a job and resolves with its id, once it is stored. */
  async enqueue<S extends TSchema>(
    type: JobType<S>,
    payload: Static<S>,
    options: EnqueueOptions = {},
  ): Promise<string> {
    return this.#database.transaction((transaction) => this.enqueueIn(transaction, type, payload, options));
  }

  /** Enqueues a job as part of a transaction: there is a job if, and only if, the transaction is committed. */
  async enqueueIn<S extends TSchema>(
    transaction: Transaction,
    type: JobType<S>,
    payload: Static<S>,
    options: EnqueueOptions = {},
  ): Promise<string> {
    const row = newRow(type, payload, options, this.now());
    const stored = await transaction.first<{ id: string }>(this.#statements.insert(row));
    transaction.touch(jobsGeneration);
    return stored?.id ?? row.id;
  }

  /** Runs work in a transaction of the jobs' database. */
  readonly runInTransaction = <T>(work: TransactionWork<T>): Promise<T> => this.#database.transaction(work);

  /** Cancels the job that has a key, as part of a transaction. */
  async cancelIn(transaction: Transaction, key: string): Promise<void> {
    await transaction.run(this.#statements.cancelKey(key, this.now()));
    transaction.touch(jobsGeneration);
  }
}

const defaultAttempts = 5;

/** The row of a job that waits. */
export function newRow<S extends TSchema>(
  { name, attempts = defaultAttempts }: JobType<S>,
  payload: Static<S>,
  { runAt, priority = 0, key, createdBy = null, tenant = null }: EnqueueOptions,
  now: number,
): JobRow {
  return {
    id: newId(),
    kind: name,
    state: 'queued',
    key: key ?? null,
    payload: JSON.stringify(payload),
    priority,
    run_at: Math.round(runAt ?? now),
    again_at: null,
    attempts: 0,
    max_attempts: attempts,
    owner: null,
    heartbeat_at: null,
    progress: null,
    checkpoint: null,
    result: null,
    error: null,
    created_by: createdBy,
    tenant_id: tenant,
    created_at: now,
    started_at: null,
    finished_at: null,
  };
}
