import { loadSecret } from '../auth/secret-store.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { syncSchema } from '../database/schema/sync-schema.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import { type ServerParts, serveContent } from './content-server.ts';
import { loadDefinitions } from './definitions.ts';
import { type RunningService, type Surroundings, startedFields, welcome } from './running-service.ts';
import { openServiceAuth } from './service-auth.ts';
import { openServiceDatabase } from './service-database.ts';

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
  const types = await loadDefinitions(settings);
  const metrics = new Metrics();
  const database = await openServiceDatabase(settings, metrics);
  try {
    return await startOn(database, { settings, types, metrics, startedAt, ...surroundings });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startOn(database: Database, parts: Parts): Promise<SingleService> {
  const { types, log } = parts;
  log.debug({ changes: await syncSchema(database, types) }, 'the database can hold the content types');
  const secret = await loadSecret({ configured: parts.settings.secret, dataDir: parts.settings.dataDir });
  const auth = await openServiceAuth(database, { ...parts, secret });
  const server = serveContent({ database, secret, auth }, parts);
  const stop = async (): Promise<void> => {
    await server.drain();
    await database.close();
  };
  try {
    await welcome(server.url, auth, parts);
  } catch (error) {
    await stop();
    throw error;
  }
  server.ready();
  log.info(startedFields(server.url, types), 'started');
  const reload = async (): Promise<ContentTypes> => {
    const fresh = await loadDefinitions(parts.settings);
    log.info({ changes: await syncSchema(database, fresh) }, 'definitions reloaded');
    server.use(fresh);
    return fresh;
  };
  return { url: server.url, stop, reload };
}
