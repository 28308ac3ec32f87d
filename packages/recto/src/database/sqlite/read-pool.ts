import type { Query } from '../database.ts';
import { readTimedOut, shuttingDown } from '../outage-problem.ts';
import type { Duration } from './read-costs.ts';
import type { SqliteReaderOptions } from './sqlite-file.ts';
import { SqliteThread } from './sqlite-thread.ts';
import type { StatementTime } from './statement-time.ts';
import type { Ask } from './thread-messages.ts';

export interface PoolRequest {
  readonly ask: Ask;
  readonly query: Query;
  readonly duration: Duration;
  /** Called with the time it took, before the promise settles. */
  readonly observe: (time: StatementTime) => void;
}

interface Waiting extends PoolRequest {
  /** `performance.now()` */
  readonly since: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread is given so many brief statements at once: enough to have something to do while results travel. */
const briefAtOnce = 4;

/** So long a statement waits for its turn, in milliseconds: by then its client has mostly gone, and others wait behind it. */
const patienceMs = 30_000;

/** How often statements that have waited too long are looked for, in milliseconds. */
const lookEveryMs = 1_000;

/**
 * Two threads that read. One takes no long statements, so that a short list never waits for a long search; the other takes
 * these first, and else what the first one has no time for. Statements wait here and not in the threads. A thread starts with
 * its first statement. A statement that waits too long is rejected with a 503 `Problem`, so that requests do not pile up.
 */
export class ReadPool {
  readonly #first: PoolThread;
  readonly #second: PoolThread;
  /** Each in the order in which they came. */
  readonly #long: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #look: Timer | undefined;
  #closed = false;
  readonly #patienceMs: number;

  constructor(options: SqliteReaderOptions, patience = patienceMs) {
    this.#patienceMs = patience;
    const { path, busyTimeoutMs, observe } = options;
    const thread = () => new PoolThread(new SqliteThread({ path, busyTimeoutMs, purpose: 'read' }, observe));
    this.#first = thread();
    this.#second = thread();
  }

  run(request: PoolRequest): Promise<unknown> {
    if (this.#closed) return Promise.reject(shuttingDown());
    return new Promise((resolve, reject) => {
      const queue = request.duration === 'long' ? this.#long : this.#others;
      queue.push({ ...request, since: performance.now(), resolve, reject });
      this.#dispatch();
    });
  }

  /** Rejects what waits and what runs. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#look);
    for (const { reject } of [...this.#long.splice(0), ...this.#others.splice(0)]) reject(shuttingDown());
    await Promise.all([this.#first.thread.close(), this.#second.thread.close()]);
  }

  #dispatch(): void {
    this.#giveUp();
    if (this.#second.isIdle) this.#give(this.#second, this.#long);
    if (this.#first.isIdle) this.#give(this.#first, this.#others);
    if (this.#second.isIdle) this.#give(this.#second, this.#others);
    while (this.#others[0]?.duration === 'brief' && this.#first.takesMore) this.#give(this.#first, this.#others);
    if (this.#long.length + this.#others.length > 0) this.#lookAgain();
  }

  #give(thread: PoolThread, queue: Waiting[]): void {
    const waiting = queue.shift();
    if (waiting === undefined) return;
    thread.run(waiting, () => {
      if (!this.#closed) this.#dispatch();
    });
  }

  #giveUp(): void {
    const latest = performance.now() - this.#patienceMs;
    for (const queue of [this.#long, this.#others]) {
      while ((queue[0]?.since ?? latest) < latest) queue.shift()?.reject(readTimedOut());
    }
  }

  /** Also while no statement ends, those that wait are given up in time. */
  #lookAgain(): void {
    this.#look ??= setTimeout(
      () => {
        this.#look = undefined;
        this.#dispatch();
      },
      Math.min(lookEveryMs, this.#patienceMs),
    );
  }
}

/** A thread, and how many statements it has been given. */
class PoolThread {
  readonly thread: SqliteThread;
  #running = 0;
  #onlyBrief = true;

  constructor(thread: SqliteThread) {
    this.thread = thread;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Behind a statement that may take long nothing is to wait. */
  get takesMore(): boolean {
    return this.#onlyBrief && this.#running < briefAtOnce;
  }

  run({ ask, query, duration, observe, resolve, reject }: Waiting, onSettled: () => void): void {
    this.#running += 1;
    this.#onlyBrief = duration === 'brief';
    const settle = (time: StatementTime | undefined): void => {
      this.#running -= 1;
      if (time !== undefined) observe(time);
      onSettled();
    };
    this.thread.run({ ask, query, settle, resolve, reject });
  }
}
