import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DefinitionFault, DefinitionFaults } from './definition-fault.ts';
import { definitionReader, UnreadableDefinition } from './definition-reader.ts';
import type { DefinitionSource } from './definition-source.ts';

/** The files of a folder, read but not checked. */
export interface DefinitionFiles {
  readonly directory: string;
  readonly sources: readonly DefinitionSource[];
  /** Files that could not be read at all. */
  readonly unreadable: readonly DefinitionFault[];
}

/**
 * Reads the definitions in a folder, not those in folders inside it, in the order of their names. A folder that is missing or empty has
 * none. `read` reads the file of a name; what it throws as `UnreadableDefinition` is collected.
 */
export async function readFolder(
  directory: string,
  what: 'content types' | 'roles',
  read: (name: string) => DefinitionSource | Promise<DefinitionSource> | undefined,
): Promise<DefinitionFiles> {
  const sources: DefinitionSource[] = [];
  const unreadable: DefinitionFault[] = [];
  for (const name of definitionFiles(directory, what)) {
    try {
      const source = await read(name);
      if (source !== undefined) sources.push(source);
    } catch (error) {
      if (!(error instanceof UnreadableDefinition)) throw error;
      unreadable.push(error.fault);
    }
  }
  return { directory, sources, unreadable };
}

/** The names of a folder's definition files, sorted; none for a folder that is not there. */
function definitionFiles(directory: string, what: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    const message = `the folder of ${what} cannot be read (${error instanceof Error ? error.message : error})`;
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
