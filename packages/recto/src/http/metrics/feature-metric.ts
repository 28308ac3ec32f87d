import type { MaybePromise } from '../../base/maybe-promise.ts';

export interface MeasuredValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that a feature adds to `GET /metrics`. */
export interface FeatureMetric {
  /** `recto_jobs`. */
  readonly name: string;
  readonly help: string;
  /** A counter only rises, and is of this process. */
  readonly type: 'counter' | 'gauge';
  readonly labelNames: readonly string[];
  /** What counts of several processes. Default `sum`; `max` for what each of them reads from the database. */
  readonly aggregate?: 'sum' | 'max';
  /** The values at the moment of a scrape. */
  read(): MaybePromise<readonly MeasuredValue[]>;
}
