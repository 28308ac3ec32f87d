import type { PasswordHasher } from '../auth/password-hasher.ts';
import type { RateCounters } from '../auth/rate-counters.ts';
import type { Logger } from '../base/logger.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Settings } from '../config/settings.ts';
import type { DeployedDefinitions } from '../content-types/definition-set.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import type { Operation } from '../http/operation.ts';
import type { Records } from '../records/records.ts';

/** What a service is opened with, before it has a database. */
export interface Given {
  readonly settings: Settings;
  /** The definitions of the deployment, as they were read. */
  readonly deployed: DeployedDefinitions;
  /** The program passes its definitions as objects: no folder was read. */
  readonly isEmbedded: boolean;
  /** Default: the secure cost. */
  readonly passwords?: PasswordHasher | undefined;
  /** The service starts right away: what takes long may begin. */
  readonly startsNow: boolean;
}

/** What all features of one service build on. Nothing of it is shared with another service in the same process. */
export interface ServiceCore {
  readonly settings: Settings;
  readonly log: Logger;
  readonly database: Database;
  /** What tokens are signed with. */
  readonly secret: string;
  /** The service's clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Counts rate-limited calls, of all processes. */
  readonly counters: RateCounters;
  readonly process: ServiceProcess;
  /** What is served for the current content types. Not before the service is open. */
  content(): MaybePromise<Content>;
}

/** The process of a service, and those beside it. */
export interface ServiceProcess {
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where this is one of several workers. */
  readonly group: ServiceGroup | undefined;
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

/** One set of content types as it is served. */
export interface Content {
  readonly types: ContentTypes;
  readonly records: Records;
  /** The operations of all features. Call only when all of them are made, such as while a request is answered. */
  readonly operations: () => readonly Operation[];
}
