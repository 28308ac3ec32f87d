import type { Company, WriteJob } from './write-job.ts';

/**
 * Transactions that share one commit at most. The server keeps the numbers of 64 savepoints of a session at hand, and looks
 * those up that are more (https://www.postgresql.org/docs/current/subxacts.html).
 */
const limit = 60;

/**
 * Takes those that can share a commit from the front of a queue, each when it can begin: what waits behind one that does not get
 * on can be taken by someone else meanwhile.
 */
export class JobDraw {
  readonly taken: WriteJob[] = [];
  readonly company: Company;
  /** Whether there may be several. */
  readonly shared: boolean;
  /** Whether each needs a savepoint of its own: one of them has been refused, and all were undone. */
  readonly guarded: boolean;
  readonly #queue: WriteJob[];

  constructor(queue: WriteJob[]) {
    this.#queue = queue;
    this.company = queue[0]?.company ?? 'among others';
    this.guarded = queue[0]?.guarded ?? false;
    this.shared = this.#joins(queue[0]) && this.#joins(queue[1]);
  }

  /** Undefined where there is none any more. */
  next(): WriteJob | undefined {
    const [job] = this.#queue;
    if (job === undefined || (this.taken.length > 0 && !(this.#joins(job) && this.shared))) return undefined;
    if (this.taken.length === limit) return undefined;
    this.#queue.shift();
    this.taken.push(job);
    return job;
  }

  #joins(job: WriteJob | undefined): boolean {
    return job !== undefined && !job.solo && job.company === this.company;
  }
}
