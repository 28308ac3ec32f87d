import { DefinitionChanges } from '../../content-types/definition-changes.ts';
import { definitionTables } from '../../content-types/definition-tables.ts';
import { defineFeature } from '../feature.ts';
import { contentTypeOperations } from './content-type-operations.ts';

/** Content types that are created and changed through the API. */
export const contentTypes = defineFeature({
  name: 'content-types',
  tables: definitionTables,
  operations: ({ definitions, settings }) =>
    contentTypeOperations(new DefinitionChanges(definitions), settings.cmsMaxPageSize),
});
