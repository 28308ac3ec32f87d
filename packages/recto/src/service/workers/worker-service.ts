import type { Logger } from '../../base/logger.ts';
import type { Settings } from '../../config/settings.ts';
import { builtInTypesFor } from '../../features/index.ts';
import type { MetricSnapshot } from '../../http/metrics/metric-snapshot.ts';
import { openService } from '../open-service.ts';
import type { Assignment } from './messages.ts';
import type { SupervisorClient } from './supervisor-client.ts';

/** One of several processes that serve. */
export interface WorkerService {
  ready(): void;
  /** Its own metrics. */
  measure(): Promise<MetricSnapshot>;
  stop(): Promise<void>;
  /** Whether code of the deployment runs in this process. */
  readonly hasHooks: boolean;
}

/** Serves, not yet ready, on a database that the supervisor has migrated. Rejects with a `FatalError`. */
export async function startWorker(
  assignment: Assignment,
  supervisor: SupervisorClient,
  log: Logger,
): Promise<WorkerService> {
  const { secret, startedAt, workers } = assignment;
  const { counters, metricsText } = supervisor;
  const service = await openService({
    settings: { ...shareOf(assignment.settings, workers), secret },
    deployed: { builtIn: builtInTypesFor(assignment.settings), files: assignment.definitions },
    log,
    startedAt,
    group: { workers, counters, metricsText, checkWorkers: () => supervisor.checkWorkers(workers) },
  });
  try {
    service.listen();
  } catch (error) {
    await service.stop();
    throw error;
  }
  return {
    ready: () => service.ready(),
    measure: () => service.parts.metrics.snapshot(),
    stop: () => service.stop(),
    hasHooks: service.parts.code.current.hooks.length > 0,
  };
}

/** What the settings allow the service, divided among its workers. */
const shareOf = (settings: Settings, workers: number): Settings => ({
  ...settings,
  cacheBytes: Math.floor(settings.cacheBytes / workers),
  // One for reads and one for writes is the least.
  databasePool: Math.max(2, Math.floor(settings.databasePool / workers)),
});
