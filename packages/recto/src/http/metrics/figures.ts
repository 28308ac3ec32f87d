import type { ReadPlaces } from '../../database/database.ts';
import type { FeatureMetric } from './feature-metric.ts';
import type { RequestTotals } from './request-totals.ts';

/** The response cache as it stands. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
  readonly entries: number;
}

/** A route and what it has answered. */
export interface RouteTotals {
  readonly method: string;
  readonly path: string;
  readonly totals: RequestTotals;
}

/** The service's numbers as they stand. */
export interface Figures {
  readonly routes: Iterable<RouteTotals>;
  readonly databaseSeconds: number;
  readonly databaseStatements: number;
  /** Undefined where there is no cache. */
  readonly cache: CacheFigures | undefined;
  /** Undefined where the database has no replicas. */
  readonly reads: ReadPlaces | undefined;
  readonly features: readonly FeatureMetric[];
}
