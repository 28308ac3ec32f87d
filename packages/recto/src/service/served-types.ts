import { FatalError } from '../base/fatal-error.ts';
import { Problem } from '../base/problem.ts';
import { databaseLocation, type Settings } from '../config/settings.ts';
import { type DeployedDefinitions, servedDefinitions, typesOf } from '../content-types/definition-set.ts';
import { DefinitionStore } from '../content-types/definition-store.ts';
import type { ServedTypes } from '../content-types/live-definitions.ts';
import { RoleStore } from '../content-types/roles/role-store.ts';
import type { StoredRole } from '../content-types/roles/stored-role.ts';
import type { StoredDefinition } from '../content-types/stored-definition.ts';
import type { Executor } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { describeLocation } from '../database/open-database.ts';
import { readAsItIs } from '../database/read-database.ts';
import { readDeployed } from './definitions.ts';

/**
 * Runs `work` on the configured database, for reading only; undefined where there is none yet. Rejects with a
 * `FatalError` where it cannot be read.
 */
export async function readDatabase<T>(
  settings: Settings,
  work: (reader: Executor, dialect: Dialect) => Promise<T>,
): Promise<T | undefined> {
  const location = databaseLocation(settings);
  const place = location.kind === 'sqlite' ? location.path : describeLocation(location);
  try {
    return await readAsItIs(location, work);
  } catch (error) {
    const isOfDatabase = error instanceof Problem || (error instanceof Error && error.name === 'SQLiteError');
    if (!isOfDatabase) throw error;
    throw new FatalError(`The database ${place} cannot be read; run recto doctor for details.`, error);
  }
}

/** What a database holds of definitions. */
export interface StoredContent {
  readonly stored: readonly StoredDefinition[];
  readonly roles: readonly StoredRole[];
}

/** The content types and roles stored in the configured database; none without one. */
export async function readStored(settings: Settings): Promise<StoredContent> {
  const found = await readDatabase(settings, async (reader, dialect) => {
    const [store, roleStore] = [new DefinitionStore(dialect), new RoleStore(dialect)];
    // A database that this version has not opened yet has no such table.
    const stored = (await store.exists(reader)) ? await store.all(reader) : [];
    return { stored, roles: (await roleStore.exists(reader)) ? await roleStore.all(reader) : [] };
  });
  return found ?? { stored: [], roles: [] };
}

/** The types that a start would serve, from a deployment and stored definitions. Throws `DefinitionFaults`. */
export function servedTypes(deployed: DeployedDefinitions, { stored, roles }: StoredContent): ServedTypes {
  const served = servedDefinitions(stored, deployed);
  return { stored, served, roles, types: typesOf(deployed, { served, roles }) };
}

/** What a start would serve: the definitions of the deployment, and those that its database has. Changes nothing; rejects with a `FatalError`. */
export async function loadServed(settings: Settings): Promise<ServedTypes> {
  const deployed = await readDeployed(settings);
  return servedTypes(deployed, await readStored(settings));
}
