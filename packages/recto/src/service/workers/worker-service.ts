import type { Logger } from '../../base/logger.ts';
import type { Settings } from '../../config/settings.ts';
import { noRoleFiles } from '../../definition/roles/role-files.ts';
import { accounts } from '../../features/accounts/accounts-feature.ts';
import { contentTypes } from '../../features/content-types/content-types-feature.ts';
import { hooks } from '../../features/hooks/hooks-feature.ts';
import type { MetricSnapshot } from '../../http/metrics/metric-snapshot.ts';
import { listedTypes } from '../listed-types.ts';
import { openService, type ServiceOptions } from '../open-service.ts';
import type { ExpectedDefinitions } from './expected-definitions.ts';
import type { Assignment, Completed, Preparation, Prepared } from './messages.ts';
import { plainFiles } from './plain-files.ts';
import type { SupervisorClient } from './supervisor-client.ts';

/** One of several processes that serve. */
export interface WorkerService {
  /** What it read, for the other workers. */
  readonly prepared: Prepared;
  /** Listens on the port that all share, and is not ready yet. Throws `FatalError` where it cannot; everything is closed then. */
  listen(port: number): Promise<void>;
  /** Does what is left to do once for all workers. */
  complete(): Promise<Completed>;
  ready(): void;
  /** Its own metrics. */
  measure(): Promise<MetricSnapshot>;
  stop(): Promise<void>;
  /** Whether code of the deployment runs in this process. */
  readonly hasHooks: boolean;
}

/** Checks the definitions and migrates the database to them, for all workers. Rejects with a `FatalError`. */
export const prepareWorker = (preparation: Preparation, supervisor: SupervisorClient, log: Logger) =>
  openWorker({ settings: preparation.settings, log, startsNow: true }, preparation, supervisor);

/** Opens the service on a database that another worker has migrated. Rejects with a `FatalError`. */
export async function joinWorkers(
  assignment: Assignment,
  expected: ExpectedDefinitions,
  supervisor: SupervisorClient,
  log: Logger,
): Promise<WorkerService> {
  const settings = { ...assignment.settings, secret: assignment.secret };
  const deployed = await expected.for(assignment);
  return openWorker({ settings, deployed, log }, assignment, supervisor);
}

async function openWorker(
  options: ServiceOptions,
  { workers, startedAt }: Preparation,
  { counters, metricsText, checkWorkers }: SupervisorClient,
): Promise<WorkerService> {
  const service = await openService({
    ...options,
    settings: shareOf(options.settings, workers),
    startedAt,
    group: { workers, counters, metricsText, checkWorkers: () => checkWorkers(workers) },
  });
  const { secret, process } = service.parts;
  const definitions = service.get(contentTypes);
  return {
    prepared: {
      secret,
      definitions: plainFiles(definitions.deployed.files),
      roles: plainFiles(definitions.deployed.roles ?? noRoleFiles),
    },
    async listen(port) {
      try {
        service.listen(port);
      } catch (error) {
        await service.stop();
        throw error;
      }
    },
    async complete() {
      const firstAdmin = await service.complete(await service.get(accounts).firstAdmin());
      return { types: listedTypes(service.types), firstAdmin };
    },
    ready: () => service.ready(),
    measure: () => process.metrics.snapshot(),
    stop: () => service.stop(),
    hasHooks: service.get(hooks).current.hooks.length > 0,
  };
}

/** What the settings allow the service, divided among its workers. */
const shareOf = (settings: Settings, workers: number): Settings => ({
  ...settings,
  cacheBytes: Math.floor(settings.cacheBytes / workers),
  // One for reads and one for writes is the least.
  databasePool: Math.max(2, Math.floor(settings.databasePool / workers)),
});
