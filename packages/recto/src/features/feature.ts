import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Settings } from '../config/settings.ts';
import type { EngineTable } from '../database/engine/engine-table.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import type { FeatureMetric } from '../http/metrics/feature-metric.ts';
import type { Mount } from '../http/mount.ts';
import type { Operation } from '../http/operation.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Records } from '../records/records.ts';
import type { HooksOfType } from '../records/write/write-hooks.ts';
import type { InstallationCheck } from './installation.ts';
import type { Content, Given, ServiceCore } from './service-core.ts';

/**
 * A part of the product, listed in `features/index.ts`. What it declares is the same for all services. `create` makes what belongs
 * to one service and lives as long as it does; `operations`, `mounts` and `jobs` are made for each set of content types.
 * Settings and commands are declared in one table each, because both are typed together and listed in help.
 */
export interface Feature<Service = unknown, Prepared = unknown> {
  /** Unique; the name of its folder. */
  readonly name: string;
  /** Content types that ship with it. */
  readonly types?: readonly DefinitionSource[];
  /** The same, where they depend on settings. */
  configuredTypes?(settings: TypeSettings): readonly DefinitionSource[];
  /** Tables that it needs besides those of content types. They are created, migrated and copied with all others. */
  readonly tables?: readonly EngineTable[];
  /** What `recto doctor` checks of it, each loaded when it runs. */
  readonly checks?: readonly InstallationCheck[];
  /** Reads and checks what it needs of the deployment before a database is opened. Rejects with a `FatalError`. */
  prepare?(given: Given): MaybePromise<Prepared>;
  /** Called once for each service, when its database is open. Rejects with a `FatalError`. */
  create(core: FeatureCore, prepared: Prepared): MaybePromise<FeatureParts<Service>>;
}

/** What a feature is made with: the core of the service, and other features. */
export interface FeatureCore extends ServiceCore {
  /** What another feature offers in this service. It is created first, wherever it is listed. */
  use<Service>(feature: Feature<Service>): Promise<Service>;
}

/** A feature in one service. */
export interface FeatureParts<Service> {
  /** What it offers to other features and to whoever holds the service. */
  readonly service?: Service;
  /** Its routes for one set of content types. */
  operations?(content: Content): readonly Operation[];
  /** Routes outside the API, such as files. */
  mounts?(content: Content): readonly Mount[];
  /** The kinds of its background work, on one set of content types. */
  jobs?(content: Content): readonly JobKind[];
  /** What it adds to `GET /metrics`. */
  readonly metrics?: readonly FeatureMetric[];
  /** What runs with the writes of records. */
  writeHooks?(records: () => Records): HooksOfType | undefined;
  /** Ends what it has begun, before the database is closed. */
  close?(): Promise<void>;
}

/** The settings that built-in types depend on. */
export type TypeSettings = Pick<Settings, 'mediaPresets'>;

/** Gives a feature its type. */
export const defineFeature = <Service, Prepared>(feature: Feature<Service, Prepared>): Feature<Service, Prepared> =>
  feature;
