import { DefinitionChanges } from '../../content-types/definition-changes.ts';
import { definitionTables } from '../../content-types/definition-tables.ts';
import { contentTypeOperations } from '../../http/content-types/content-type-operations.ts';
import { defineFeature } from '../feature.ts';

/** Content types that are created and changed through the API. */
export const contentTypes = defineFeature({
  name: 'content-types',
  tables: definitionTables,
  operations: ({ definitions, settings }) =>
    contentTypeOperations(new DefinitionChanges(definitions), settings.cmsMaxPageSize),
});
