import { loadSecret } from '../../auth/secret-store.ts';
import type { Settings } from '../../config/settings.ts';
import { syncSchema } from '../../database/schema/sync-schema.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { DefinitionFiles } from '../../definition/load-definitions.ts';
import { plainDefinition } from '../../definition/plain-definition.ts';
import { contentTypesOf, readDefinitions } from '../definitions.ts';
import { type Surroundings, startedFields, welcome } from '../running-service.ts';
import { openServiceAuth } from '../service-auth.ts';
import { openServiceDatabase } from '../service-database.ts';
import { claimPort } from './port-claim.ts';
import type { Supervisor } from './supervisor.ts';

interface Options extends Surroundings {
  readonly settings: Settings;
  /** How many workers there are. */
  readonly count: number;
}

/**
 * Does what is to be done once for all workers: checks the definitions, brings the database up to them, finds the port, makes
 * the first admin; and has the workers serve. Resolves with the address. Rejects with a `StartRefused` for whatever is not as it must be.
 */
export async function bringUp(supervisor: Supervisor, options: Options): Promise<string> {
  const files = await readDefinitions(options.settings);
  const types = contentTypesOf(files);
  const url = await bringUpOn(supervisor, { ...options, files, types });
  options.log.info({ ...startedFields(url, types), workers: options.count }, 'started');
  return url;
}

interface Parts extends Options {
  readonly files: DefinitionFiles;
  readonly types: ContentTypes;
}

async function bringUpOn(supervisor: Supervisor, parts: Parts): Promise<string> {
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
