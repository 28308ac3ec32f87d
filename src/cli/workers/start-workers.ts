import { fileURLToPath } from 'node:url';
import { loadSecret } from '../../auth/secret-store.ts';
import type { Settings } from '../../config/settings.ts';
import { syncSchema } from '../../database/schema/sync-schema.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { DefinitionFiles } from '../../definition/load-definitions.ts';
import { plainDefinition } from '../../definition/plain-definition.ts';
import { contentTypesOf, readDefinitions } from '../definitions.ts';
import { type RunningService, type Surroundings, startedFields, welcome } from '../running-service.ts';
import { openServiceAuth } from '../service-auth.ts';
import { openServiceDatabase } from '../service-database.ts';
import { claimPort } from './port-claim.ts';
import { Supervisor } from './supervisor.ts';

const workerProgram = fileURLToPath(new URL('./worker-main.ts', import.meta.url));

/**
 * Brings the service up in `count` processes on one port, which this one supervises; ready when it resolves. Whatever is to
 * be done once is done here: definitions are checked, the database is brought up to them, the first admin is made.
 * Rejects with a `StartRefused` for whatever is not as it must be; nothing is left running then.
 */
export async function startWorkers(
  settings: Settings,
  count: number,
  surroundings: Surroundings,
): Promise<RunningService> {
  const { log } = surroundings;
  // Made first, so that the workers load while the database is looked at.
  const supervisor = new Supervisor({ count, command: [process.execPath, workerProgram], log });
  try {
    const files = await readDefinitions(settings);
    const types = contentTypesOf(files);
    const url = await bringUp(supervisor, { settings, files, types, count, ...surroundings });
    log.info({ ...startedFields(url, types), workers: count }, 'started');
    const stop = async (): Promise<void> => {
      if (!(await supervisor.stop())) throw new Error('Not every worker stopped in order.');
    };
    return { url, stop };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

interface Parts extends Surroundings {
  readonly settings: Settings;
  readonly files: DefinitionFiles;
  readonly types: ContentTypes;
  readonly count: number;
}

async function bringUp(supervisor: Supervisor, parts: Parts): Promise<string> {
  const { settings, types, files, count, log } = parts;
  const startedAt = Date.now();
  const database = await openServiceDatabase(settings);
  try {
    log.debug({ changes: await syncSchema(database, types) }, 'the database can hold the content types');
    const secret = await loadSecret({ configured: settings.secret, dataDir: settings.dataDir });
    const auth = await openServiceAuth(database, { settings, secret, log });
    const claim = await claimPort({ host: settings.host, port: settings.port, log });
    try {
      const shared = { ...settings, port: claim.port };
      await supervisor.serve({ settings: shared, secret, definitions: plainFiles(files), startedAt, workers: count });
    } finally {
      await claim.release();
    }
    await welcome(claim.url, auth, parts);
    supervisor.ready();
    return claim.url;
  } finally {
    await database.close();
  }
}

/** As data that can be sent to another process. They have been checked, so that nobody has to be told where they stand. */
const plainFiles = ({ directory, sources }: DefinitionFiles): DefinitionFiles => ({
  directory,
  sources: sources.map(({ file, definition }) => ({ file, definition: plainDefinition(definition, () => undefined) })),
  unreadable: [],
});
