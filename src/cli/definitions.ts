import { existsSync } from 'node:fs';
import { builtInTypes } from '../builtin/built-in-types.ts';
import { settingTable } from '../config/setting-table.ts';
import type { Settings } from '../config/settings.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { checkedContentTypes, type DefinitionFiles, readDefinitionFiles } from '../definition/load-definitions.ts';
import { StartRefused } from '../errors/start-refused.ts';

/**
 * The content types that the settings lead to. The default folder may be missing, as in a first try; one that was named may not.
 * Throws `StartRefused` (`DefinitionFaults` for wrong definitions).
 */
export const loadDefinitions = async (settings: Settings): Promise<ContentTypes> =>
  contentTypesOf(await readDefinitions(settings));

/** The first half of `loadDefinitions`: what the files hold. */
export async function readDefinitions({ contentTypesDir }: Settings): Promise<DefinitionFiles> {
  if (contentTypesDir !== settingTable.contentTypesDir.default && !existsSync(contentTypesDir)) {
    throw new StartRefused(`RECTO_CONTENT_TYPES_DIR: there is no folder ${contentTypesDir}.`);
  }
  return readDefinitionFiles(contentTypesDir);
}

/** The second half of `loadDefinitions`. */
export const contentTypesOf = (files: DefinitionFiles): ContentTypes => checkedContentTypes(files, builtInTypes);
