import { version } from '../../base/version.ts';
import { openApiOperation } from '../../http/openapi-operation.ts';
import { defineFeature } from '../feature.ts';

/** The document that describes the operations of all features. */
export const openApi = defineFeature({
  name: 'openapi',
  operations: ({ operations }) => [
    openApiOperation(async () => {
      const { openApiDocument } = await import('../../http/openapi-document.ts');
      return openApiDocument(operations(), { title: 'Recto', version });
    }),
  ],
});
