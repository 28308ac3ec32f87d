import type { AuthServices } from '../auth/auth-services.ts';
import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config/settings.ts';
import type { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { EngineTable } from '../database/engine/engine-table.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import type { EventLog } from '../events/event-log.ts';
import type { EventStreams } from '../events/streams/event-streams.ts';
import type { DeployedCode } from '../hooks/deployed-code.ts';
import type { FeatureMetric } from '../http/metrics/feature-metric.ts';
import type { Mount } from '../http/mount.ts';
import type { Operation } from '../http/operation.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { MediaServices } from '../media/media-services.ts';
import type { Records } from '../records/records.ts';
import type { HealthState } from './health/health-state.ts';

/**
 * A part of the product: the types, tables, API routes and background work that it adds. Listed in `features/index.ts`.
 * Settings and commands are declared in one table each, because both are typed together and listed in help.
 */
export interface Feature {
  /** Unique; used in the log. */
  readonly name: string;
  /** Content types that ship with it. */
  readonly types?: readonly DefinitionSource[];
  /** The same, where they depend on settings. */
  configuredTypes?(settings: TypeSettings): readonly DefinitionSource[];
  /** Tables that it needs besides those of content types. They are created, migrated and copied with all others. */
  readonly tables?: readonly EngineTable[];
  /** Its routes for one set of content types. */
  operations?(context: FeatureContext): readonly Operation[];
  /** Routes outside the API, such as files. */
  mounts?(context: FeatureContext): readonly Mount[];
  /** What it adds to `GET /metrics`, under the same names for every set of content types. */
  metrics?(context: FeatureContext): readonly FeatureMetric[];
  /** The kinds of its background work, on one set of content types. */
  jobs?(context: FeatureContext): readonly JobKind[];
}

/** The settings that built-in types depend on. */
export type TypeSettings = Pick<Settings, 'mediaPresets'>;

/** The services that a feature may use. Created for each set of content types. */
export interface FeatureContext {
  readonly settings: Settings;
  readonly log: Logger;
  readonly types: ContentTypes;
  readonly records: Records;
  /** The log of changes, one for the whole process. */
  readonly events: EventLog;
  /** The streams of changes of this process. */
  readonly streams: EventStreams;
  /** What tokens are signed with. */
  readonly secret: string;
  readonly definitions: LiveDefinitions;
  readonly auth: AuthServices;
  readonly health: HealthState;
  /** How many processes serve together. */
  readonly workers: number;
  readonly media: MediaServices;
  /** Enqueues background work. */
  readonly jobs: Jobs;
  /** The hooks, routes and jobs of the deployment. */
  readonly code: DeployedCode;
  /** The service's clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** The metrics of all processes, in the Prometheus text format. */
  readonly metricsText: () => Promise<string>;
  /** The operations of all features. Call only when all features are set up, such as while answering a request. */
  operations(): readonly Operation[];
}

/** Gives a feature its type. */
export const defineFeature = (feature: Feature): Feature => feature;
