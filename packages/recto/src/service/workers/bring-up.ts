import { makeFirstAdmin } from '../../auth/first-admin.ts';
import type { Logger } from '../../base/logger.ts';
import type { Settings } from '../../config/settings.ts';
import type { DeployedDefinitions } from '../../content-types/definition-set.ts';
import type { DefinitionFiles } from '../../definition/load-definitions.ts';
import { plainDefinition } from '../../definition/plain-definition.ts';
import { checkTypes } from '../../hooks/check-types.ts';
import { loadCode } from '../../hooks/load-code.ts';
import type { LoadedCode } from '../../hooks/loaded-code.ts';
import { readDeployed, refuseWrongFiles } from '../definitions.ts';
import { prepareDatabase } from '../prepared-database.ts';
import { type RunningService, startedFields } from '../running-service.ts';
import { openServiceDatabase } from '../service-database.ts';
import { claimPort } from './port-claim.ts';
import type { Supervisor } from './supervisor.ts';

interface Options {
  readonly settings: Settings;
  /** How many workers there are. */
  readonly count: number;
  readonly log: Logger;
}

type BroughtUp = Omit<RunningService, 'stop'>;

/**
 * Does what happens once for all workers: checks the definitions, updates the database schema, finds the port, creates the first
 * admin, and has the workers serve. Rejects with a `FatalError` if anything is wrong.
 */
export async function bringUp(supervisor: Supervisor, options: Options): Promise<BroughtUp> {
  const deployed = await readDeployed(options.settings);
  refuseWrongFiles(options.settings, deployed);
  // Each worker loads it for itself.
  const code = await loadCode(options.settings);
  const broughtUp = await bringUpOn(supervisor, { deployed, code }, options);
  options.log.info({ ...startedFields(broughtUp.url, broughtUp.types), workers: options.count }, 'started');
  return broughtUp;
}

async function bringUpOn(
  supervisor: Supervisor,
  { deployed, code }: { readonly deployed: DeployedDefinitions; readonly code: LoadedCode },
  parts: Options,
): Promise<BroughtUp> {
  const { settings, count, log } = parts;
  const startedAt = Date.now();
  const database = await openServiceDatabase(settings);
  try {
    const prepared = await prepareDatabase(database, deployed, { settings, log, startsNow: true });
    checkTypes(code, prepared.definitions.current.types);
    const claim = await claimPort({ host: settings.host, port: settings.port, log });
    try {
      const shared = { ...settings, port: claim.port };
      await supervisor.serve({
        settings: shared,
        secret: prepared.secret,
        definitions: plainFiles(deployed.files),
        startedAt,
        workers: count,
      });
    } finally {
      await claim.release();
    }
    await prepared.definitions.settle();
    const draft = await prepared.firstAdmin();
    const firstAdmin = draft === undefined ? undefined : await makeFirstAdmin(prepared.auth, draft);
    supervisor.ready();
    return { url: claim.url, types: prepared.definitions.current.types, firstAdmin };
  } finally {
    await database.close();
  }
}

/** As data that can be sent to another process. They have been checked, so their places in the files are no longer needed. */
const plainFiles = ({ directory, sources }: DefinitionFiles): DefinitionFiles => ({
  directory,
  sources: sources.map(({ file, definition }) => ({ file, definition: plainDefinition(definition, () => undefined) })),
  unreadable: [],
});
