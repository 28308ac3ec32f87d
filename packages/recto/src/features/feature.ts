import type { AuthServices } from '../auth/auth-services.ts';
import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config/settings.ts';
import type { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { EngineTable } from '../database/engine/engine-table.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import type { HealthState } from '../http/health/health-state.ts';
import type { Mount } from '../http/mount.ts';
import type { Operation } from '../http/operation.ts';
import type { Records } from '../records/records.ts';

/**
 * A part of the product: what it adds to the types, the tables, the API and the background work. Listed in
 * `features/index.ts`. Settings and commands are declared in one table each, because both are typed as a whole and listed in help.
 */
export interface Feature {
  /** Unique; for the log. */
  readonly name: string;
  /** Content types that ship with it. */
  readonly types?: readonly DefinitionSource[];
  /** Tables that it needs besides those of content types. They are created, migrated and copied with all others. */
  readonly tables?: readonly EngineTable[];
  /** Its routes for one set of content types. */
  operations?(context: FeatureContext): readonly Operation[];
  /** What it serves beside the API, such as files. */
  mounts?(context: FeatureContext): readonly Mount[];
  /** Its background work on one set of content types. */
  jobs?(context: FeatureContext): readonly Job[];
}

/** What a feature works with. Made for each set of content types. */
export interface FeatureContext {
  readonly settings: Settings;
  readonly log: Logger;
  readonly types: ContentTypes;
  readonly records: Records;
  readonly definitions: LiveDefinitions;
  readonly auth: AuthServices;
  readonly health: HealthState;
  /** The metrics of all processes, in the Prometheus text format. */
  readonly metricsText: () => Promise<string>;
  /** The operations of all features. To be called once they are all there: while a request is answered, say. */
  operations(): readonly Operation[];
}

/** Background work that is looked at once a second, in each process. */
export interface Job {
  /** For the log. */
  readonly name: string;
  /**
   * Does what is due at `now` (canonical datetime), and resolves with the next time at which something is, null for none that
   * is known. Ends early when `signal` is aborted.
   */
  run(now: string, signal: AbortSignal): Promise<string | null>;
}

/** Gives a feature its type. */
export const defineFeature = (feature: Feature): Feature => feature;
