/** One measured value at a time. */
export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number;
  readonly value: number;
}

/** A straight line through samples. */
export interface Trend {
  /** The value at the beginning of time. */
  readonly start: number;
  /** The growth of the value in a second. */
  readonly slope: number;
  /** The standard error of the slope. */
  readonly error: number;
}

/** The line with the least squares of distances; NaN for fewer than three samples. */
export function trendOf(samples: readonly Sample[]): Trend {
  const count = samples.length;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count;
  const [time, level] = [mean(samples.map(({ at }) => at)), mean(samples.map(({ value }) => value))];
  const spread = samples.reduce((sum, { at }) => sum + (at - time) ** 2, 0);
  const common = samples.reduce((sum, { at, value }) => sum + (at - time) * (value - level), 0);
  const slope = common / spread;
  const start = level - slope * time;
  const rest = samples.reduce((sum, { at, value }) => sum + (value - start - slope * at) ** 2, 0);
  return { start, slope, error: count < 3 ? Number.NaN : Math.sqrt(rest / (count - 2) / spread) };
}
