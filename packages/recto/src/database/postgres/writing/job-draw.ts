import type { LockMode, WriteJob } from './write-job.ts';

/**
 * Transactions that share one commit at most. The server keeps the numbers of 64 savepoints of a session at hand, and looks
 * those up that are more (https://www.postgresql.org/docs/current/subxacts.html).
 */
const limit = 60;

/**
 * Takes those that can share a commit from the front of a queue, each when it can begin: what waits behind one that does not get
 * on can be taken by someone else meanwhile. To be made before the transaction begins: what is queued later may come from
 * someone who knows of a commit that the transaction does not see, and is left for the next one.
 */
export class JobDraw {
  readonly taken: WriteJob[] = [];
  #first: WriteJob | undefined;
  readonly lockMode: LockMode;
  /** Whether there may be several. */
  readonly shared: boolean;
  /** Whether each needs a savepoint of its own: one of them failed, and all were undone. */
  readonly usesSavepoint: boolean;
  readonly #queue: WriteJob[];
  readonly #madeAt = performance.now();

  /** Takes the first one at once, so that a transaction which is begun for it has something to do. */
  constructor(queue: WriteJob[]) {
    const first = queue.shift();
    this.#queue = queue;
    this.#first = first;
    this.lockMode = first?.lockMode ?? 'among others';
    this.usesSavepoint = first?.usesSavepoint ?? false;
    this.shared = this.#joins(first) && this.#joins(queue[0]);
    if (first !== undefined) this.taken.push(first);
  }

  /** Undefined where there is none any more. */
  next(): WriteJob | undefined {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return first;
    const [job] = this.#queue;
    if (job === undefined || !this.shared || !this.#joins(job) || this.taken.length === limit) return undefined;
    this.#queue.shift();
    this.taken.push(job);
    return job;
  }

  #joins(job: WriteJob | undefined): boolean {
    return job !== undefined && !job.retryAlone && job.lockMode === this.lockMode && job.queuedAt <= this.#madeAt;
  }
}
