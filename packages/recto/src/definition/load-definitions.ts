import { join } from 'node:path';
import { type CheckTraits, checkDefinitions } from './check-definitions.ts';
import type { ContentTypes } from './content-type.ts';
import { DefinitionFaults } from './definition-fault.ts';
import { type DefinitionFiles, readFolder } from './definition-folder.ts';
import { definitionReader } from './definition-reader.ts';
import type { DefinitionRegistry } from './definition-registry.ts';
import type { DefinitionSource } from './definition-source.ts';
import type { Languages } from './languages/languages.ts';

/** Reads a folder's definition files (`*.toml`, `*.json`, `*.ts`). */
export const readDefinitionFiles = (directory: string): Promise<DefinitionFiles> =>
  readFolder(directory, 'content types', (name) => definitionReader(name)?.(join(directory, name), name));

/**
 * The content types that files define, together with definitions from elsewhere (`others`). Throws `DefinitionFaults`,
 * which holds every error of every definition.
 */
export function typesOfFiles(
  files: DefinitionFiles,
  others: readonly DefinitionSource[] = [],
  {
    registry,
    roles,
    languages,
  }: {
    readonly registry?: DefinitionRegistry | undefined;
    readonly roles?: CheckTraits['roles'] | undefined;
    readonly languages?: Languages | undefined;
  } = {},
): ContentTypes {
  const { directory, sources, unreadable } = files;
  const traits = {
    unreadable,
    ...(registry === undefined ? {} : { registry }),
    ...(roles === undefined ? {} : { roles }),
    ...(languages === undefined ? {} : { languages }),
  };
  const { types, faults } = checkDefinitions([...others, ...sources], traits);
  if (types !== undefined) return types;
  // Roles say themselves where their files are.
  const ofRoles = [...(roles?.sources ?? []), ...(roles?.unreadable ?? [])];
  const elsewhere = new Set([...others, ...ofRoles].map(({ file }) => file));
  const all = faults.map((fault) =>
    elsewhere.has(fault.file) ? fault : { ...fault, file: join(directory, fault.file) },
  );
  const roleFiles = new Set(ofRoles.map(({ file }) => file));
  const inRoles = all.filter(({ file }) => roleFiles.has(file)).length;
  const what =
    inRoles === 0 ? undefined : inRoles === all.length ? 'the roles' : 'the content type definitions and roles';
  throw new DefinitionFaults(
    all.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
    what,
  );
}

/** The content types of a folder's files together with definitions from elsewhere. Rejects with `DefinitionFaults`. */
export const loadContentTypes = async (
  directory: string,
  others: readonly DefinitionSource[] = [],
): Promise<ContentTypes> => typesOfFiles(await readDefinitionFiles(directory), others);
