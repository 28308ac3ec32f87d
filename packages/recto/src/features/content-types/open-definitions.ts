import type { Logger } from '../../base/logger.ts';
import type { DeployedDefinitions } from '../../content-types/definition-set.ts';
import { LiveDefinitions } from '../../content-types/live-definitions.ts';
import type { Database } from '../../database/database.ts';

/** The content types of a deployment and of its database, which is brought up to them. Rejects with a `FatalError`. */
export async function openDefinitions(
  database: Database,
  deployed: DeployedDefinitions,
  log: Logger,
): Promise<LiveDefinitions> {
  const onFailure = (error: unknown): void =>
    log.error({ err: error }, 'the changed content types cannot be served; those before are');
  const { definitions, changes } = await LiveDefinitions.open({ database, deployed, onFailure });
  log.debug({ changes }, 'the database can hold the content types');
  return definitions;
}
