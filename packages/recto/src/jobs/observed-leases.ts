/** A running job of another process. */
export interface RunningJob {
  readonly id: string;
  readonly owner: string;
  readonly heartbeatAt: number;
}

interface Sight {
  readonly mark: string;
  /** By this process's own steady clock. */
  readonly since: number;
}

/**
 * Finds the jobs whose runner has died: those that nobody has renewed for as long as a lease while this process watched. No two
 * clocks are compared, and none that can jump is read, so a job is not taken from a runner that works.
 */
export class ObservedLeases {
  readonly #leaseMs: number;
  #sights: ReadonlyMap<string, Sight> = new Map();

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** Those of all running jobs whose lease has ended at `now`, in milliseconds of `performance.now()`. */
  ended<J extends RunningJob>(running: readonly J[], now: number): readonly J[] {
    const sights = new Map<string, Sight>();
    const ended: J[] = [];
    for (const job of running) {
      const mark = `${job.owner} ${job.heartbeatAt}`;
      const known = this.#sights.get(job.id);
      const sight = known?.mark === mark ? known : { mark, since: now };
      sights.set(job.id, sight);
      if (now - sight.since >= this.#leaseMs) ended.push(job);
    }
    this.#sights = sights;
    return ended;
  }
}
