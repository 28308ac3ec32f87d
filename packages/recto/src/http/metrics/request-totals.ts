/** Upper bounds of the duration histogram, in seconds: from a cached answer to a stuck one. */
export const durationBounds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/**
 * What one route has answered so far. Counting is a few additions on numbers that are already there, so that it costs
 * a cached answer next to nothing; the sums over buckets are made when they are read.
 */
export class RequestTotals {
  readonly #statuses = new Map<number, number>();
  /** One count a bucket, the last for durations over every bound. */
  readonly #buckets = new Array<number>(durationBounds.length + 1).fill(0);
  #seconds = 0;
  #count = 0;

  add(status: number, seconds: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (seconds > (durationBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#seconds += seconds;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** The sum of all durations. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Answers by status. */
  get statuses(): ReadonlyMap<number, number> {
    return this.#statuses;
  }

  /** For each bound, how many took at most that long. */
  cumulative(): readonly (readonly [bound: number, count: number])[] {
    let sum = 0;
    return durationBounds.map((bound, index) => {
      sum += this.#buckets[index] ?? 0;
      return [bound, sum];
    });
  }
}
