import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config/settings.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { contentTypes } from '../features/content-types/content-types-feature.ts';
import { hooks } from '../features/hooks/hooks-feature.ts';
import { checkTypes } from '../hooks/check-types.ts';
import { beginHooks } from '../hooks/deployed-code.ts';
import { loadCode } from '../hooks/load-code.ts';
import { readDeployed } from './definitions.ts';
import { listedTypes } from './listed-types.ts';
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
  const types = listedTypes(service.types);
  log.info(startedFields(url, types), 'started');
  const reload = async (): Promise<ContentTypes> => {
    const [definitions, code] = [service.get(contentTypes), service.get(hooks)];
    const [loaded, deployed] = [await loadCode(settings), await readDeployed(settings)];
    await beginHooks(service.parts.database, loaded);
    const before = code.current;
    // What is served for the new types is made with it.
    code.current = loaded;
    try {
      log.info({ changes: await definitions.redeploy(deployed) }, 'definitions reloaded');
      checkTypes(loaded, definitions.current.types);
    } catch (error) {
      code.current = before;
      throw error;
    }
    await code.runner.restart();
    await definitions.settle();
    return service.types;
  };
  return { url, types, firstAdmin, stop: () => service.stop(), reload };
}
