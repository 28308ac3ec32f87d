import type { Query } from '../database.ts';
import { readTimedOut, shuttingDown } from '../outage-problem.ts';
import type { SqliteReaderOptions } from './sqlite-file.ts';
import { SqliteThread } from './sqlite-thread.ts';
import type { StatementTime } from './statement-time.ts';
import type { Ask } from './thread-messages.ts';

export interface LaneRequest {
  readonly ask: Ask;
  readonly query: Query;
  /** What it is likely to take, in milliseconds; undefined: nobody knows. */
  readonly expected: number | undefined;
  /** Called with the time it took, before the answer is given. */
  readonly observe: (time: StatementTime) => void;
}

interface Waiting extends LaneRequest {
  readonly expected: number;
  /** `performance.now()` */
  readonly since: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement that is likely to take this long, in milliseconds, waits for others of its kind and not for short ones. */
const longMs = 20;

/** What the brief lane's thread is given at once, in milliseconds of expected work: enough to have something to do while answers travel. */
const givenMs = 4;

/** What a statement counts for that nobody knows: nothing else is given to the thread meanwhile, for it may take long. */
const unknownMs = givenMs;

/** The least that a statement counts for, with its way there and back. */
const leastMs = 0.2;

/** After so many milliseconds a statement of the brief lane holds up those behind it, which may then go to the other thread. */
const overdueMs = longMs;

/** So long a statement waits for its turn, in milliseconds: whoever asked has mostly gone by then, and others wait behind it. */
const patienceMs = 30_000;

/**
 * Two threads that read: one for what is likely to be brief, one for what is likely to take long, so that nobody's short list
 * waits for somebody's long search. Statements wait here and not in the threads. Of the long ones that goes first which has
 * waited longest for what it takes. A thread starts when there is something for it to do. What waits for too long is rejected
 * with a 503 `Problem`, so that more requests than can be served do not pile up.
 */
export class ReadLanes {
  readonly #brief: Lane;
  readonly #long: Lane;
  #overdue: Timer | undefined;
  #closed = false;
  readonly #patienceMs: number;

  constructor(options: SqliteReaderOptions, patience = patienceMs) {
    this.#patienceMs = patience;
    const { path, busyTimeoutMs, observe } = options;
    const thread = () => new SqliteThread({ path, busyTimeoutMs, purpose: 'read' }, observe);
    this.#brief = new Lane(thread());
    this.#long = new Lane(thread());
  }

  run(request: LaneRequest): Promise<unknown> {
    if (this.#closed) return Promise.reject(shuttingDown());
    return new Promise((resolve, reject) => {
      const expected = Math.max(request.expected ?? unknownMs, leastMs);
      const lane = expected < longMs ? this.#brief : this.#long;
      lane.waiting.push({ ...request, expected, since: performance.now(), resolve, reject });
      this.#dispatch();
    });
  }

  /** Rejects what waits and what runs. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#overdue);
    for (const { waiting } of [this.#brief, this.#long]) {
      for (const { reject } of waiting.splice(0)) reject(shuttingDown());
    }
    await Promise.all([this.#brief.thread.close(), this.#long.thread.close()]);
  }

  #dispatch(): void {
    const tooLong = performance.now() - this.#patienceMs;
    this.#brief.giveUp(tooLong);
    this.#long.giveUp(tooLong);
    if (this.#long.given === 0) this.#give(this.#long, takeWorthiest(this.#long.waiting));
    while (this.#brief.given < givenMs) {
      if (!this.#give(this.#brief, this.#brief.waiting.shift())) break;
    }
    if (this.#brief.waiting.length + this.#long.waiting.length === 0) return;
    if (this.#brief.isOverdue() && this.#long.given === 0) this.#give(this.#long, this.#brief.waiting.shift());
    this.#overdue ??= setTimeout(() => {
      this.#overdue = undefined;
      this.#dispatch();
    }, overdueMs);
  }

  #give(lane: Lane, waiting: Waiting | undefined): boolean {
    if (waiting === undefined) return false;
    lane.take(waiting, () => {
      if (!this.#closed) this.#dispatch();
    });
    return true;
  }
}

/** A thread, what it has been given, and what waits for it. */
class Lane {
  readonly thread: SqliteThread;
  readonly waiting: Waiting[] = [];
  /** What is in the thread's hands, in milliseconds of expected work. */
  given = 0;
  #running = 0;
  #lastSign = 0;

  constructor(thread: SqliteThread) {
    this.thread = thread;
  }

  take({ ask, query, expected, observe, resolve, reject }: Waiting, onSettled: () => void): void {
    if (this.#running === 0) this.#lastSign = performance.now();
    this.#running += 1;
    this.given += expected;
    const settle = (time: StatementTime | undefined): void => {
      this.#lastSign = performance.now();
      this.#running -= 1;
      // What is added and taken away in another order does not come out even.
      this.given = this.#running === 0 ? 0 : this.given - expected;
      if (time !== undefined) observe(time);
      onSettled();
    };
    this.thread.run({ ask, query, settle, resolve, reject });
  }

  /** Rejects what has waited since before a time. */
  giveUp(before: number): void {
    // In the order in which they came.
    while ((this.waiting[0]?.since ?? before) < before) this.waiting.shift()?.reject(readTimedOut());
  }

  isOverdue(): boolean {
    return performance.now() - this.#lastSign >= overdueMs;
  }
}

/** Takes out the one that has waited longest for what it is likely to take. */
function takeWorthiest(waiting: Waiting[]): Waiting | undefined {
  const now = performance.now();
  const worth = ({ since, expected }: Waiting): number => (now - since + 1) / expected;
  let best = 0;
  for (const [place, candidate] of waiting.entries()) {
    const current = waiting[best];
    if (current !== undefined && worth(candidate) > worth(current)) best = place;
  }
  return waiting.splice(best, 1)[0];
}
