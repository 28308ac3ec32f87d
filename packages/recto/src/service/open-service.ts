import type { PasswordHasher } from '../auth/password-hasher.ts';
import { memoryCounters } from '../auth/rate-counters.ts';
import { loadSecret } from '../auth/secret-store.ts';
import type { Logger } from '../base/logger.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Settings } from '../config/settings.ts';
import type { DeployedDefinitions } from '../content-types/definition-set.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypeDefinition } from '../definition/define-content-type.ts';
import { accounts } from '../features/accounts/accounts-feature.ts';
import type { Feature } from '../features/feature.ts';
import { features } from '../features/index.ts';
import type { Content, ServiceCore, ServiceGroup } from '../features/service-core.ts';
import { type PreparedFeatures, prepareFeatures, ServiceFeatures } from '../features/service-features.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import type { WalkBounds } from '../query/list-query.ts';
import { deployedObjects, readDeployed, refuseWrongFiles } from './definitions.ts';
import { Service } from './service.ts';
import { openServingDatabase } from './service-database.ts';
import type { ServiceParts } from './service-parts.ts';

/** As `RectoOptions`, and parts that a worker or a test has already. */
export interface ServiceOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Default: all features of the product. */
  readonly features?: readonly Feature[];
  readonly definitions?: readonly ContentTypeDefinition[] | undefined;
  /** In place of `definitions`: what was read before, built-in types included. */
  readonly deployed?: DeployedDefinitions;
  /** Opened before; stays open when the service stops. */
  readonly database?: Database;
  readonly passwords?: PasswordHasher;
  /** Where this is one of several workers. */
  readonly group?: ServiceGroup;
  /** Milliseconds since 1970; default: now. */
  readonly startedAt?: number;
  /** The clock of jobs and of what is kept for a time, in milliseconds since 1970. */
  readonly now?: () => number;
  /** How long a job stays with a process that has died. */
  readonly leaseMs?: number;
  /** So many matches of a search are counted and ranked; default: `defaultMostMatches`. */
  readonly mostMatches?: number;
  /** How far lists look for a page by its related records; default: `defaultWalk`. */
  readonly walk?: WalkBounds;
  /** `start` follows right away. */
  readonly startsNow?: boolean;
}

/** Opens a service that does not listen yet. Rejects with a `FatalError`; nothing is left open then. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, log, passwords, group, startsNow = false } = options;
  const startedAt = options.startedAt ?? Date.now();
  const deployed = await deployedOf(options);
  const isEmbedded = options.definitions !== undefined;
  const given = { settings, deployed, isEmbedded, passwords, startsNow };
  const prepared = await prepareFeatures(options.features ?? features, given);
  const metrics = new Metrics();
  const database = options.database ?? (await openServingDatabase(settings, metrics, log));
  const close = async (): Promise<void> => (options.database === undefined ? database.close() : undefined);
  try {
    const core: Omit<ServiceCore, 'content'> = {
      ...{ settings, log, database, process: { metrics, startedAt, group } },
      secret: await loadSecret({ configured: settings.secret, dataDir: settings.dataDir }),
      now: options.now ?? Date.now,
      counters: group?.counters ?? memoryCounters(),
    };
    return await composeService(core, prepared, { ...options, startsNow, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates the features, and the service of them. */
async function composeService(
  core: Omit<ServiceCore, 'content'>,
  prepared: PreparedFeatures,
  { startsNow, close, leaseMs, mostMatches, walk }: ServiceOptions & Pick<ServiceParts, 'close'>,
): Promise<Service> {
  let service: Service | undefined;
  const content = (): MaybePromise<Content> => {
    if (service === undefined) throw new Error('The service is not open yet.');
    return service.contentNow();
  };
  const created = await ServiceFeatures.create({ ...core, content }, prepared);
  try {
    if (startsNow === true) await created.get(accounts).firstAdmin();
    const bounds = {
      ...(leaseMs === undefined ? {} : { leaseMs }),
      ...(mostMatches === undefined ? {} : { mostMatches }),
      ...(walk === undefined ? {} : { walk }),
    };
    service = new Service({ ...core, ...bounds, features: created, close });
    return service;
  } catch (error) {
    await created.close();
    throw error;
  }
}

async function deployedOf({ settings, definitions, deployed, database }: ServiceOptions): Promise<DeployedDefinitions> {
  const found =
    deployed ?? (definitions === undefined ? await readDeployed(settings) : deployedObjects(definitions, settings));
  if (database === undefined) refuseWrongFiles(settings, found);
  return found;
}
