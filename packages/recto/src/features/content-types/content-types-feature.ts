import { DefinitionChanges } from '../../content-types/definition-changes.ts';
import { definitionTables } from '../../content-types/definition-tables.ts';
import { roleTables } from '../../content-types/roles/role-tables.ts';
import { defineFeature } from '../feature.ts';
import { contentTypeOperations } from './content-type-operations.ts';
import { openDefinitions } from './open-definitions.ts';

/** The content types that are served, and those that are created and changed through the API. */
export const contentTypes = defineFeature({
  name: 'content-types',
  tables: [...definitionTables, ...roleTables],
  prepare: ({ deployed }) => deployed,
  async create({ database, settings, log }, deployed) {
    const definitions = await openDefinitions(database, deployed, log);
    return {
      service: definitions,
      operations: () => contentTypeOperations(new DefinitionChanges(definitions), settings.cmsMaxPageSize),
    };
  },
});
