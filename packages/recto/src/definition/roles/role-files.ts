import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DefinitionFault, DefinitionFaults } from '../definition-fault.ts';
import { definitionReader, UnreadableDefinition } from '../definition-reader.ts';
import type { DefinitionSource } from '../definition-source.ts';

/** The files of roles of a folder, read but not checked. The names of their files begin with the folder. */
export interface RoleFiles {
  readonly directory: string;
  readonly sources: readonly DefinitionSource[];
  /** Files that could not be read as roles at all. */
  readonly unreadable: readonly DefinitionFault[];
}

export const noRoleFiles: RoleFiles = Object.freeze({ directory: '', sources: [], unreadable: [] });

/** Reads a folder's roles (`*.toml`, `*.json`; not those in folders inside it). A folder that is missing or empty has none. */
export async function readRoleFiles(directory: string): Promise<RoleFiles> {
  const sources: DefinitionSource[] = [];
  const unreadable: DefinitionFault[] = [];
  for (const name of roleFiles(directory)) {
    const file = join(directory, name);
    try {
      // Ignored, a role would be missing without a word.
      if (name.endsWith('.ts')) throw new UnreadableDefinition(inTypeScript(file));
      const source = await definitionReader(name)?.(file, file);
      if (source !== undefined) sources.push(source);
    } catch (error) {
      if (!(error instanceof UnreadableDefinition)) throw error;
      unreadable.push(error.fault);
    }
  }
  return { directory, sources, unreadable };
}

const inTypeScript = (file: string): DefinitionFault => ({
  file,
  path: '',
  message: 'is TypeScript, which is not read',
  remedy: 'write the role as TOML or JSON',
});

/** The names of a folder's files, sorted; none for a folder that is not there. */
function roleFiles(directory: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    const message = `the folder of roles cannot be read (${error instanceof Error ? error.message : error})`;
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
