import { LRUCache } from 'lru-cache';

/** From this on a statement is slow, in milliseconds: others would notice that they wait for it. */
const slowMs = 3;

/** So many times in a row a statement must have been quick before it is trusted to be; more for one that broke trust. */
const firstTrial = 8;
const trialGrowth = 8;
const longestTrial = 100_000;

/** One that was quick so many times more often than it had to be is not blamed for a pause of the runtime's (its garbage collection) in its time. */
const goodName = 1_000;

/** A trusted statement that takes this long, in milliseconds, ends the trust in all that are trusted for their past alone … */
const stallMs = 15;

/** … for so many times as long as it took: whoever finds such statements on purpose holds others up for one part in so many at most. */
const distrustFactor = 200;

/** What is remembered, by the texts of statements: callers choose which there are. */
const most = { statements: 5_000, characters: 3_000_000 } as const;

interface Cost {
  /** How often in a row it was quick. */
  quick: number;
  /** How often it has to be. */
  trial: number;
  /** What it takes of late, in milliseconds. */
  expected: number;
}

/**
 * What statements have cost, by their text, and so which of them may run where all others wait for their end. What a
 * statement costs depends on its values too, so that one can be quick a thousand times and slow the next time: trust is
 * earned, lost at once, and harder to earn once more.
 */
export class ReadCosts {
  readonly #costs = new LRUCache<string, Cost>({
    max: most.statements,
    maxSize: most.characters,
    sizeCalculation: (_, text) => text.length + 100,
  });
  readonly #now: () => number;
  #distrustUntil = Number.NEGATIVE_INFINITY;

  /** `now`: a clock in milliseconds that does not go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a statement is likely to be quick. `bounded`: there is little for it to read, so that it is until it has shown otherwise. */
  isTrusted(sql: string, bounded: boolean): boolean {
    const cost = this.#costs.get(sql);
    if (cost === undefined) return bounded;
    return cost.quick >= cost.trial && (bounded || this.#now() >= this.#distrustUntil);
  }

  /** What a statement is likely to take, in milliseconds; undefined for one that is not known. */
  expected(sql: string): number | undefined {
    return this.#costs.peek(sql)?.expected;
  }

  /** A statement took so many milliseconds. `trusted`: others waited for it. */
  took(sql: string, milliseconds: number, { bounded, trusted }: { bounded: boolean; trusted: boolean }): void {
    const cost = this.#costs.get(sql) ?? this.#begin(sql, bounded);
    cost.expected = Math.max(milliseconds, cost.expected * 0.8);
    if (milliseconds < slowMs) cost.quick += 1;
    else if (trusted) this.#betrayed(cost, milliseconds, bounded);
    else cost.quick = 0;
  }

  #begin(sql: string, bounded: boolean): Cost {
    const cost = { quick: bounded ? firstTrial : 0, trial: firstTrial, expected: 0 };
    this.#costs.set(sql, cost);
    return cost;
  }

  #betrayed(cost: Cost, milliseconds: number, bounded: boolean): void {
    const hadGoodName = cost.quick >= cost.trial + goodName;
    cost.trial = hadGoodName ? firstTrial : Math.min(cost.trial * trialGrowth, longestTrial);
    cost.quick = hadGoodName && milliseconds < stallMs ? cost.trial : 0;
    if (bounded || milliseconds < stallMs) return;
    this.#distrustUntil = Math.max(this.#distrustUntil, this.#now() + milliseconds * distrustFactor);
  }
}
