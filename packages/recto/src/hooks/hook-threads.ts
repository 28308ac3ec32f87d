import { unavailable } from '../base/problem.ts';
import { HookThread, ThreadGone, type ThreadRun } from './hook-thread.ts';

/** How long anything waits for a thread at least, in milliseconds. */
const leastPatienceMs = 10_000;

interface Waiting {
  readonly given: (thread: HookThread) => void;
  readonly refused: (error: Error) => void;
}

export interface ThreadLimits {
  /** How many handlers run at a time. */
  readonly threads: number;
  /** How many more may wait; further ones get 503. */
  readonly waiting: number;
}

/** Threads for handlers. Each is started when it is first needed, and stays. */
export class HookThreads {
  readonly #limits: ThreadLimits;
  readonly #idle: HookThread[] = [];
  readonly #all = new Set<HookThread>();
  readonly #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
  }

  /** Runs a handler as soon as a thread is free. It waits for one as long as it may take. */
  async run(run: ThreadRun): Promise<string | null> {
    for (;;) {
      const thread = await this.#take(Math.max(run.timeoutMs, leastPatienceMs));
      try {
        // It may have been cancelled while it waited.
        run.signal?.throwIfAborted();
        return await thread.run(run);
      } catch (error) {
        // That a thread has ended is heard a moment later. A new one has nothing left behind in it.
        if (!(error instanceof ThreadGone)) throw error;
      } finally {
        this.#give(thread);
      }
    }
  }

  /** Ends all threads, and with them all handlers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refused } of this.#waiting.splice(0)) refused(unavailable('shutting_down', 'The service stops.'));
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  #take(patienceMs: number): Promise<HookThread> {
    const { threads, waiting } = this.#limits;
    if (this.#isClosed) return Promise.reject(unavailable('shutting_down', 'The service stops.'));
    const idle = this.#idleThread();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#all.size < threads) return Promise.resolve(this.#start());
    if (this.#waiting.length >= waiting) return Promise.reject(busy());
    const given = Promise.withResolvers<HookThread>();
    const entry = { given: given.resolve, refused: given.reject };
    this.#waiting.push(entry);
    const timer = setTimeout(() => {
      const place = this.#waiting.indexOf(entry);
      if (place === -1) return;
      this.#waiting.splice(place, 1);
      given.reject(busy());
    }, patienceMs);
    return given.promise.finally(() => clearTimeout(timer));
  }

  /** One that still runs: what a handler left behind, such as a timer that throws, can end a thread after the handler. */
  #idleThread(): HookThread | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isAlive) return idle;
      this.#all.delete(idle);
    }
    return undefined;
  }

  #start(): HookThread {
    const thread = new HookThread();
    this.#all.add(thread);
    return thread;
  }

  /** Takes a thread back; one that was ended is replaced where somebody waits. */
  #give(thread: HookThread): void {
    if (!thread.isAlive) this.#all.delete(thread);
    const free = thread.isAlive ? thread : undefined;
    const next = this.#isClosed ? undefined : this.#waiting.shift();
    if (next !== undefined) next.given(free ?? this.#start());
    else if (free !== undefined) this.#idle.push(free);
  }
}

const busy = () => unavailable('busy', 'Too many calls of this service’s own routes are running.');
