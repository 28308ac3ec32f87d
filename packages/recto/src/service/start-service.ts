import type { Settings } from '../config/settings.ts';
import type { DeployedDefinitions } from '../content-types/definition-set.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import { type ServerParts, serveContent } from './content-server.ts';
import { readDeployed, refuseWrongFiles } from './definitions.ts';
import { type RunningService, type Surroundings, startedFields, welcome } from './running-service.ts';
import { openServingDatabase } from './service-database.ts';
import { openServiceParts } from './service-parts.ts';

/** A service in this one process. */
export interface SingleService extends RunningService {
  /**
   * Reads the definitions anew and serves them from the next request on; what runs finishes on those before. Rejects with a
   * `StartRefused` when they are wrong or do not fit what is stored; nothing changes then.
   */
  reload(): Promise<ContentTypes>;
}

type Parts = ServerParts & Surroundings;

/**
 * Brings the service up in this process: definitions, database, accounts, routes, port; ready when it resolves.
 * Rejects with a `StartRefused` for whatever is not as it must be; nothing is left open then.
 */
export async function startService(settings: Settings, surroundings: Surroundings): Promise<SingleService> {
  const startedAt = Date.now();
  const deployed = await readDeployed(settings);
  refuseWrongFiles(settings, deployed);
  const metrics = new Metrics();
  const database = await openServingDatabase(settings, metrics, surroundings.log);
  try {
    return await startOn(database, deployed, { settings, metrics, startedAt, ...surroundings });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startOn(database: Database, deployed: DeployedDefinitions, parts: Parts): Promise<SingleService> {
  const { settings, log } = parts;
  const opened = await openServiceParts(database, deployed, parts);
  const { definitions } = opened;
  const server = serveContent(opened, parts);
  const stop = async (): Promise<void> => {
    await server.drain();
    await database.close();
  };
  try {
    await welcome(server.url, opened, parts);
    await definitions.settle();
  } catch (error) {
    await stop();
    throw error;
  }
  server.ready();
  log.info(startedFields(server.url, definitions.current.types), 'started');
  const reload = async (): Promise<ContentTypes> => {
    log.info({ changes: await definitions.redeploy(await readDeployed(settings)) }, 'definitions reloaded');
    await definitions.settle();
    return definitions.current.types;
  };
  return { url: server.url, stop, reload };
}
