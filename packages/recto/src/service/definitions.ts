import { existsSync } from 'node:fs';
import { FatalError } from '../base/fatal-error.ts';
import { settingTable } from '../config/setting-table.ts';
import { databaseLocation, type Settings } from '../config/settings.ts';
import { type DeployedDefinitions, typesOf } from '../content-types/definition-set.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { languagesOf } from '../definition/languages/languages.ts';
import { readDefinitionFiles } from '../definition/load-definitions.ts';
import { readRoleFiles } from '../definition/roles/role-files.ts';
import { builtInTypesFor } from '../features/index.ts';

/**
 * The definitions that come with the deployment, read but not checked. The default folder may be missing, as in a first try;
 * one that was named may not. Rejects with a `FatalError`.
 */
export async function readDeployed(settings: Settings): Promise<DeployedDefinitions> {
  const { contentTypesDir, rolesDir } = settings;
  if (contentTypesDir !== settingTable.contentTypesDir.default && !existsSync(contentTypesDir)) {
    throw new FatalError(`RECTO_CONTENT_TYPES_DIR: there is no folder ${contentTypesDir}.`);
  }
  if (rolesDir !== settingTable.rolesDir.default && !existsSync(rolesDir)) {
    throw new FatalError(`RECTO_ROLES_DIR: there is no folder ${rolesDir}.`);
  }
  const [files, roles] = await Promise.all([readDefinitionFiles(contentTypesDir), readRoleFiles(rolesDir)]);
  return { builtIn: builtInTypesFor(settings), files, roles, languages: languagesOf(settings) };
}

/** Definitions that a program passes as objects, treated as those of a deployment. */
export const deployedObjects = (definitions: readonly unknown[], settings: Settings): DeployedDefinitions => ({
  builtIn: builtInTypesFor(settings),
  languages: languagesOf(settings),
  files: {
    directory: '',
    sources: definitions.map((definition, index) => ({ file: `definitions[${index}]`, definition })),
    unreadable: [],
  },
});

/** Reports wrong files before a database is created. An existing database may hold types that the files relate to, so it is read first. */
export function refuseWrongFiles(settings: Settings, deployed: DeployedDefinitions): void {
  const location = databaseLocation(settings);
  if (location.kind === 'sqlite' && !existsSync(location.path)) typesOf(deployed);
}

/** The content types of the deployment's definitions, without those of a database. Rejects with a `FatalError`. */
export const loadDefinitions = async (settings: Settings): Promise<ContentTypes> =>
  typesOf(await readDeployed(settings));
