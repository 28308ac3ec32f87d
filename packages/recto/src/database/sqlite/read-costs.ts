import { Cache } from '../../base/cache.ts';

/** A statement that takes this long, in milliseconds, is slow: other requests would notice the wait. */
const slowMs = 3;

/** A statement that takes this long, in milliseconds, keeps a thread from shorter ones. */
const longMs = 20;

/** So many quick runs in a row make a statement run inline. */
const trial = 8;

/**
 * After a slow run inline, a statement runs in threads for so many times as long. No more, because a pause of the runtime (its
 * garbage collection) or of the machine looks the same.
 */
const slowFactor = 20;

/** A run inline of so many milliseconds is a stall. */
const stallMs = 15;

/** After a stall, all statements that run inline for their past alone run in threads for so many times as long. */
const stallFactor = 200;

/** What is remembered. Callers choose which statements there are. */
const most = { statements: 5_000, characters: 3_000_000 } as const;

interface Cost {
  /** Quick runs in a row. */
  quick: number;
  /** The last run, in milliseconds. */
  last: number;
  /** Until then it runs in threads. */
  slowUntil: number;
}

/** How long a statement is likely to take; `unknown`: it has not run yet. */
export type Duration = 'brief' | 'long' | 'unknown';

/**
 * What statements have cost, by their text. What a statement costs depends on its values too, so it can be quick a thousand
 * times and slow the next time. It runs inline after several quick runs in a row, and in threads after a slow one.
 */
export class ReadCosts {
  readonly #costs = new Cache<Cost>({
    entries: most.statements,
    size: { most: most.characters, of: (_, text) => text.length + 100 },
  });
  readonly #now: () => number;
  #stalledUntil = 0;

  /** `now`: a clock in milliseconds, from 0 on, that does not go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a statement is likely to be quick. `bounded`: it has little to read, and is quick until a run of it was slow. */
  isQuick(sql: string, bounded: boolean): boolean {
    const cost = this.#costs.get(sql);
    if (cost === undefined) return bounded;
    if (cost.quick < trial) return false;
    return this.#now() >= (bounded ? cost.slowUntil : Math.max(cost.slowUntil, this.#stalledUntil));
  }

  duration(sql: string): Duration {
    const cost = this.#costs.peek(sql);
    if (cost === undefined) return 'unknown';
    return cost.last < longMs ? 'brief' : 'long';
  }

  /** A statement took so many milliseconds. `inline`: other requests waited for it. */
  took(sql: string, milliseconds: number, { bounded, inline }: { bounded: boolean; inline: boolean }): void {
    const cost = this.#costs.get(sql) ?? this.#begin(sql, bounded);
    cost.last = milliseconds;
    if (milliseconds < slowMs) {
      cost.quick += 1;
      return;
    }
    cost.quick = 0;
    if (!inline) return;
    const now = this.#now();
    cost.slowUntil = now + milliseconds * slowFactor;
    if (bounded || milliseconds < stallMs) return;
    this.#stalledUntil = Math.max(this.#stalledUntil, now + milliseconds * stallFactor);
  }

  #begin(sql: string, bounded: boolean): Cost {
    const cost = { quick: bounded ? trial : 0, last: 0, slowUntil: 0 };
    this.#costs.set(sql, cost);
    return cost;
  }
}
