/**
 * Runs code that may wait for nothing but calls that are tracked, such as those of a transaction. As soon as it waits for anything
 * else, the run is rejected: after all microtasks, it has not ended and no call is under way. No clock decides this.
 */
export class OwnWaits {
  #open = 0;
  #hasEnded = false;
  readonly #foreign = Promise.withResolvers<never>();
  readonly #calls: Promise<unknown>[] = [];

  constructor() {
    // Whoever runs code handles it.
    this.#foreign.promise.catch(() => undefined);
  }

  /** Whether calls are still taken. */
  get isOpen(): boolean {
    return !this.#hasEnded;
  }

  /** A call of the code. */
  track<T>(call: Promise<T>): Promise<T> {
    this.#open += 1;
    const tracked = call.finally(() => {
      this.#open -= 1;
      this.#look();
    });
    this.#calls.push(tracked.catch(() => undefined));
    return tracked;
  }

  /** What a call gets that is made too late: it never settles, so that the run ends here, whatever the code would make of an error. */
  refuse<T>(): Promise<T> {
    this.#look();
    return new Promise(() => undefined);
  }

  /** Resolves when the code and all its calls have ended. Rejects with what it throws, or with `waiting()`. */
  async run(code: () => unknown, waiting: () => Error): Promise<void> {
    this.#waiting = waiting;
    try {
      const ended = Promise.try(code);
      this.#look();
      await Promise.race([ended, this.#foreign.promise]);
    } finally {
      this.#hasEnded = true;
      // Those that were not awaited are part of the transaction, too.
      await Promise.all(this.#calls);
    }
  }

  #waiting: () => Error = () => new Error('It waits.');

  #look(): void {
    setImmediate(() => {
      if (this.#open === 0 && !this.#hasEnded) this.#foreign.reject(this.#waiting());
    });
  }
}
