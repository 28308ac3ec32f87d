import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckTraits, checkDefinitions } from './check-definitions.ts';
import type { ContentTypes } from './content-type.ts';
import { type DefinitionFault, DefinitionFaults } from './definition-fault.ts';
import { definitionReader, UnreadableDefinition } from './definition-reader.ts';
import type { DefinitionRegistry } from './definition-registry.ts';
import type { DefinitionSource } from './definition-source.ts';

/** The definition files of a folder, read but not checked. */
export interface DefinitionFiles {
  readonly directory: string;
  readonly sources: readonly DefinitionSource[];
  /** Files that could not be read as definitions at all. */
  readonly unreadable: readonly DefinitionFault[];
}

/** Reads a folder's definition files (`*.toml`, `*.json`, `*.ts`; not those in folders inside it). A folder that is missing or empty has none. */
export async function readDefinitionFiles(directory: string): Promise<DefinitionFiles> {
  const sources: DefinitionSource[] = [];
  const unreadable: DefinitionFault[] = [];
  for (const file of definitionFiles(directory)) {
    try {
      const source = await definitionReader(file)?.(join(directory, file), file);
      if (source !== undefined) sources.push(source);
    } catch (error) {
      if (!(error instanceof UnreadableDefinition)) throw error;
      unreadable.push(error.fault);
    }
  }
  return { directory, sources, unreadable };
}

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
  }: { readonly registry?: DefinitionRegistry | undefined; readonly roles?: CheckTraits['roles'] | undefined } = {},
): ContentTypes {
  const { directory, sources, unreadable } = files;
  const traits = {
    unreadable,
    ...(registry === undefined ? {} : { registry }),
    ...(roles === undefined ? {} : { roles }),
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

/** The names of a folder's definition files, sorted; none for a folder that is not there. */
function definitionFiles(directory: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    const message = `the folder of content types cannot be read (${error instanceof Error ? error.message : error})`;
    const remedy = 'name a folder that the service can read, or one that is not there';
    throw new DefinitionFaults([{ file: directory, path: '', message, remedy }]);
  }
  return names.filter((name) => definitionReader(name) !== undefined && isFile(join(directory, name))).toSorted();
}

/** A link counts as what it leads to; one that leads nowhere, or to itself, is a file that cannot be read. */
function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return true;
  }
}
