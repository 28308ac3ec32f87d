import type { RateCounters } from '../auth/rate-counters.ts';
import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config/settings.ts';
import type { Feature } from '../features/feature.ts';
import type { DeployedCode } from '../hooks/deployed-code.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import type { WalkBounds } from '../query/list-query.ts';
import type { PreparedDatabase } from './prepared-database.ts';

export interface ServiceParts extends PreparedDatabase {
  readonly settings: Settings;
  readonly features: readonly Feature[];
  readonly metrics: Metrics;
  readonly log: Logger;
  /** The hooks, routes and jobs of the deployment. */
  readonly code: DeployedCode;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where this is one of several workers. */
  readonly group?: ServiceGroup;
  /** The clock of jobs and of what is kept for a time, in milliseconds since 1970. */
  readonly now?: () => number;
  /** How long a job stays with a process that has died. */
  readonly leaseMs?: number;
  /** So many matches of a search are counted and ranked; default: `defaultMostMatches`. */
  readonly mostMatches?: number;
  /** How far lists look for a page by its related records; default: `defaultWalk`. */
  readonly walk?: WalkBounds;
  /** Closes the database, if it is the service's own. */
  close(): Promise<void>;
}

/** What all workers share. They also share the port. */
export interface ServiceGroup {
  readonly workers: number;
  /** The counters of rate-limited calls. */
  readonly counters: RateCounters;
  /** The metrics, in the Prometheus text format. */
  readonly metricsText: () => Promise<string>;
  /** Rejects unless all workers serve. */
  readonly checkWorkers: () => Promise<void>;
}
