import type { Transaction } from '../../database.ts';
import type { DatabaseFault } from '../../dialect.ts';
import { outageProblem } from '../../outage-problem.ts';
import type { Failure } from '../postgres-failure.ts';
import { postgresFault } from '../postgres-fault.ts';

/** How a transaction locks out others: it runs beside any number of them, or beside no other writer. */
export type LockMode = 'among others' | 'alone';

/** Transactions that met another one again and again; run alone they cannot, so this is only for what is not foreseen. */
const conflictLimit = 8;

export interface WriteJobOptions {
  /** Runs the work; what it returns answers the caller, once the commit is durable. */
  readonly work: (transaction: Transaction) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
  /** How many connections may turn out to be lost, or to have stale plans, one after the other. */
  readonly connections: number;
  /** How long it waits for locks, and for others in its way, from its first run on. */
  readonly busyTimeoutMs: number;
}

/** A pending transaction: its work, and how often it may still be tried. */
export class WriteJob {
  readonly work: WriteJobOptions['work'];
  readonly queuedAt = performance.now();
  /** Whether it shares no commit. */
  retryAlone = false;
  /** Whether it was undone because another one failed, or failed itself. */
  usesSavepoint = false;
  lockMode: LockMode = 'among others';
  readonly #options: WriteJobOptions;
  readonly #left: Record<Failure, number>;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(options: WriteJobOptions) {
    const { work, connections } = options;
    this.#options = options;
    this.work = work;
    this.#left = { conflict: conflictLimit, clash: 1, lost: connections + 1, stale: connections + 1 };
  }

  /** There is a connection: what waits behind others of this process is not held up by strangers. */
  begun(): void {
    this.#deadline = Math.min(this.#deadline, performance.now() + this.#options.busyTimeoutMs);
  }

  /** Whether it can run again after it was undone; rejects for its caller where it cannot. */
  runsAgain({ error, failure }: Undone): boolean {
    // One that has taken long itself gets one more run, in which nobody can be in its way.
    const late = performance.now() > this.#deadline && this.lockMode === 'alone';
    if (failure === 'rejection') {
      this.usesSavepoint = true;
      return true;
    }
    if (failure === undefined || this.#left[failure] === 0 || late) {
      this.reject(error, failure);
      return false;
    }
    this.#left[failure] -= 1;
    if (failure === 'conflict' || failure === 'clash') {
      // Alone and met by another: some other program's, which is no reason to hold up those that shared the commit.
      if (this.lockMode === 'alone') this.retryAlone = true;
      this.lockMode = 'alone';
    }
    return true;
  }

  /** Whether it has met others so often that a pause may help. */
  get isContended(): boolean {
    return this.#left.conflict < conflictLimit - 1;
  }

  reject(error: unknown, failure?: Failure): void {
    this.#options.reject(outageProblem(lastingFault(error, failure), error));
  }
}

/** What it is for the caller when running again does not help. */
function lastingFault(error: unknown, failure: Failure | undefined): DatabaseFault | undefined {
  if (failure === 'conflict') return { kind: 'busy' };
  return failure === 'lost' ? { kind: 'unreachable' } : postgresFault(error);
}

/** Why a transaction is undone: the error for its caller, and what can be done about it. */
export interface Undone {
  readonly error: unknown;
  /** `rejection`: one of those that share it failed, and all of them are undone for want of savepoints. */
  readonly failure: Failure | 'rejection' | undefined;
}
