import { join } from 'node:path';
import type { DefinitionFault } from '../definition-fault.ts';
import { type DefinitionFiles, readFolder } from '../definition-folder.ts';
import { definitionReader, UnreadableDefinition } from '../definition-reader.ts';

/** The files of roles of a folder, read but not checked. The names of their files begin with the folder. */
export type RoleFiles = DefinitionFiles;

export const noRoleFiles: RoleFiles = Object.freeze({ directory: '', sources: [], unreadable: [] });

/** Reads a folder's roles (`*.toml`, `*.json`). */
export const readRoleFiles = (directory: string): Promise<RoleFiles> =>
  readFolder(directory, 'roles', (name) => {
    const file = join(directory, name);
    // Ignored, a role would be missing without a word.
    if (name.endsWith('.ts')) throw new UnreadableDefinition(inTypeScript(file));
    return definitionReader(name)?.(file, file);
  });

const inTypeScript = (file: string): DefinitionFault => ({
  file,
  path: '',
  message: 'is TypeScript, which is not read',
  remedy: 'write the role as TOML or JSON',
});
