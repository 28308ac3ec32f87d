import { existsSync } from 'node:fs';
import { builtInTypes } from '../builtin/built-in-types.ts';
import { settingTable } from '../config/setting-table.ts';
import type { Settings } from '../config/settings.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { loadContentTypes } from '../definition/load-definitions.ts';
import { StartRefused } from '../errors/start-refused.ts';

/**
 * The content types that the settings lead to. The default folder may be missing, as in a first try; one that was named may not.
 * Throws `StartRefused` (`DefinitionFaults` for wrong definitions).
 */
export async function loadDefinitions({ contentTypesDir }: Settings): Promise<ContentTypes> {
  if (contentTypesDir !== settingTable.contentTypesDir.default && !existsSync(contentTypesDir)) {
    throw new StartRefused(`RECTO_CONTENT_TYPES_DIR: there is no folder ${contentTypesDir}.`);
  }
  return loadContentTypes(contentTypesDir, builtInTypes);
}
