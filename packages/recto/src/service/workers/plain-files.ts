import type { DefinitionFiles } from '../../definition/definition-folder.ts';
import { plainDefinition } from '../../definition/plain-definition.ts';

/** As data that can be sent to another process. They have been checked, so their places in the files are no longer needed. */
export const plainFiles = ({ directory, sources }: DefinitionFiles): DefinitionFiles => ({
  directory,
  sources: sources.map(({ file, definition }) => ({ file, definition: plainDefinition(definition, () => undefined) })),
  unreadable: [],
});
