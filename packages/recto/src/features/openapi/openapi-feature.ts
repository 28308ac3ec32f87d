import { version } from '../../base/version.ts';
import { openApiOperation } from '../../http/openapi/openapi-operation.ts';
import { tagDescriptions } from '../../http/openapi/openapi-tags.ts';
import { defineFeature } from '../feature.ts';
import { recordSchemaLookup } from '../records/record-schemas.ts';

const documentInfo = {
  title: 'Recto',
  version,
  description: `The interface of a content management service and of the content types it serves.

What this document accepts, the service accepts, and what it does not describe, the service refuses: an unknown parameter with 400, an unknown field of a body with 422. Beyond the schemas, the service refuses text with U+0000 or a lone surrogate, JSON nested deeper than 64 levels, and what only stored data can decide: a value that is taken, a record that does not exist, a write that a rule forbids.`,
  license: { name: 'MIT', identifier: 'MIT' },
};

/** The document that describes the operations of all features. */
export const openApi = defineFeature({
  name: 'openapi',
  create: () => ({
    operations: ({ operations, types }) => [
      openApiOperation(async () => {
        const { openApiDocument } = await import('../../http/openapi/openapi-document.ts');
        return openApiDocument(operations(), documentInfo, {
          schema: recordSchemaLookup(types),
          tag: tagDescriptions(types.all),
        });
      }),
    ],
  }),
});
