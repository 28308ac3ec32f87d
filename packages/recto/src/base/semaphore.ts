/** Limits how many tasks run at a time; a bounded number waits, further ones are rejected. */
export class Semaphore {
  readonly #running: number;
  readonly #waiting: number;
  readonly #refuse: () => Error;
  readonly #queue: (() => void)[] = [];
  #active = 0;

  /** `refuse` creates the error for tasks that find the queue full. */
  constructor(limits: { readonly running: number; readonly waiting: number }, refuse: () => Error) {
    this.#running = limits.running;
    this.#waiting = limits.waiting;
    this.#refuse = refuse;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#active < this.#running) this.#active++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // Hands the slot to the next task in the queue, or frees it.
      const next = this.#queue.shift();
      if (next === undefined) this.#active--;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#queue.length >= this.#waiting) return Promise.reject(this.#refuse());
    return new Promise((resolve) => this.#queue.push(resolve));
  }
}
