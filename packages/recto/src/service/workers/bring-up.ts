import type { Settings } from '../../config/settings.ts';
import type { DeployedDefinitions } from '../../content-types/definition-set.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { DefinitionFiles } from '../../definition/load-definitions.ts';
import { plainDefinition } from '../../definition/plain-definition.ts';
import { readDeployed, refuseWrongFiles } from '../definitions.ts';
import { type Surroundings, startedFields, welcome } from '../running-service.ts';
import { openServiceDatabase } from '../service-database.ts';
import { openServiceParts } from '../service-parts.ts';
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
  const deployed = await readDeployed(options.settings);
  refuseWrongFiles(options.settings, deployed);
  const { url, types } = await bringUpOn(supervisor, deployed, options);
  options.log.info({ ...startedFields(url, types), workers: options.count }, 'started');
  return url;
}

async function bringUpOn(
  supervisor: Supervisor,
  deployed: DeployedDefinitions,
  parts: Options,
): Promise<{ readonly url: string; readonly types: ContentTypes }> {
  const { settings, count, log } = parts;
  const startedAt = Date.now();
  const database = await openServiceDatabase(settings);
  try {
    const opened = await openServiceParts(database, deployed, parts);
    const claim = await claimPort({ host: settings.host, port: settings.port, log });
    try {
      const shared = { ...settings, port: claim.port };
      await supervisor.serve({
        settings: shared,
        secret: opened.secret,
        definitions: plainFiles(deployed.files),
        startedAt,
        workers: count,
      });
    } finally {
      await claim.release();
    }
    await welcome(claim.url, opened, parts);
    await opened.definitions.settle();
    supervisor.ready();
    return { url: claim.url, types: opened.definitions.current.types };
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
