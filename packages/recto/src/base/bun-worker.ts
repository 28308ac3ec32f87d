/** A thread of the runtime. Where the types of browsers are known too, `Worker` has only what theirs have. */
export interface BunWorker extends Worker {
  /** The process lives as long as the thread. */
  ref(): void;
  /** The process may end while the thread lives. */
  unref(): void;
}

/** True because nothing but the runtime makes workers here. */
export const bunWorker = (worker: Worker): BunWorker => worker as BunWorker;
