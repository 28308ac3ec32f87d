import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config/settings.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { readDeployed } from './definitions.ts';
import { openService } from './open-service.ts';
import { type RunningService, startedFields } from './running-service.ts';

/** A service in this one process. */
export interface SingleService extends RunningService {
  /**
   * Reloads the definitions and serves them from the next request on; running requests finish on the previous ones. Rejects with a
   * `FatalError` when they are wrong or do not fit what is stored; nothing changes then.
   */
  reload(): Promise<ContentTypes>;
}

/**
 * Brings the service up in this process: definitions, database, accounts, routes, port; ready when it resolves.
 * Rejects with a `FatalError` if anything is wrong; nothing is left open then.
 */
export async function startService(settings: Settings, log: Logger): Promise<SingleService> {
  const service = await openService({ settings, log, startsNow: true });
  const { url, firstAdmin } = await service.start();
  if (url === null) throw new Error('A service that listens has an address.');
  const { types } = service;
  log.info(startedFields(url, types), 'started');
  const reload = async (): Promise<ContentTypes> => {
    const { definitions } = service.parts;
    log.info({ changes: await definitions.redeploy(await readDeployed(settings)) }, 'definitions reloaded');
    await definitions.settle();
    return service.types;
  };
  return { url, types, firstAdmin, stop: () => service.stop(), reload };
}
