import type { Logger } from '../../base/logger.ts';
import { builtInTypes } from '../../builtin/built-in-types.ts';
import type { Settings } from '../../config/settings.ts';
import type { MetricSnapshot } from '../../http/metrics/metric-snapshot.ts';
import { Metrics } from '../../http/metrics/metrics.ts';
import { type ContentServer, serveContent } from '../content-server.ts';
import { openServiceAuth } from '../service-auth.ts';
import { openServingDatabase } from '../service-database.ts';
import { openServiceDefinitions } from '../service-definitions.ts';
import type { Assignment } from './messages.ts';
import type { WholeService } from './whole-service.ts';

/** One of several processes that serve. */
export interface WorkerService {
  ready(): void;
  /** Its own metrics. */
  measure(): Promise<MetricSnapshot>;
  stop(): Promise<void>;
}

/** Serves, not yet ready, on a database that the supervisor has brought up to the definitions. Rejects with a `StartRefused`. */
export async function startWorker(assignment: Assignment, whole: WholeService, log: Logger): Promise<WorkerService> {
  const { secret, startedAt, workers } = assignment;
  const settings = shareOf(assignment.settings, workers);
  const metrics = new Metrics();
  const database = await openServingDatabase(settings, metrics, log);
  let server: ContentServer;
  try {
    const auth = await openServiceAuth(database, {
      settings,
      secret,
      log,
      shared: { workers, counters: whole.counters },
    });
    const told = { metricsText: whole.metricsText, checkWorkers: () => whole.checkWorkers(workers) };
    const deployed = { builtIn: builtInTypes, files: assignment.definitions };
    const definitions = await openServiceDefinitions(database, deployed, log);
    const parts = { settings, metrics, log, startedAt, whole: told };
    server = serveContent({ definitions, secret, auth }, parts);
  } catch (error) {
    await database.close();
    throw error;
  }
  const stop = async (): Promise<void> => {
    await server.drain();
    await database.close();
  };
  return { ready: server.ready, measure: () => metrics.snapshot(), stop };
}

/** What the settings allow the service, divided among its workers. */
const shareOf = (settings: Settings, workers: number): Settings => ({
  ...settings,
  cacheBytes: Math.floor(settings.cacheBytes / workers),
  // One for reads and one for writes is the least.
  databasePool: Math.max(2, Math.floor(settings.databasePool / workers)),
});
