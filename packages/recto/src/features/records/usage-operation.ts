import Type from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems, jsonResponse } from './record-operation.ts';
import { readResponse } from './record-response.ts';
import { schemaName } from './schema-name.ts';

/** The admin route that lists which records refer to one. */
export function usageOperation(type: ContentType, records: Records): Operation {
  return {
    id: `list${schemaName(type)}RecordUsage`,
    method: 'GET',
    path: `/api/v1/admin/cms/${type.plural}/{id}/usage`,
    tag: type.name,
    summary: `List the records that refer to a record (${type.name})`,
    description:
      'By relations of their own or inside structured fields; of those that the admin routes show the caller.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'get' },
    params: idParams,
    query: { schema: Type.Object(pageParameters), validation: 'schema' },
    responses: { 200: jsonResponse('A page of references.', () => usageSchema), 304: unchanged },
    problems: commonProblems(404),
    async handle(context) {
      const page = readPage(context.query, records.limits.maxPageSize);
      const answer = await records.usage({ type, id: context.param('id'), caller: context.caller }, page);
      return readResponse(answer, context);
    },
  };
}

export const usageSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          type: Type.String({ description: 'The singular name of the type of the record that refers to this one.' }),
          id: recordId,
          field: Type.String({ description: 'The field that does.' }),
          places: Type.Array(Type.String(), { description: 'Where in the field, such as `body[2].author`.' }),
        },
        { $id: 'RecordUse', additionalProperties: false },
      ),
    ),
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1, description: 'The size used, which may be less than requested.' }),
  },
  { $id: 'RecordUsage', additionalProperties: false },
);
