import Type, { type TObject } from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import type { Records } from '../../records/records.ts';
import { ifMatch, ifMatchHeader, refusals, taggedHeaders, told } from '../cms/record-operation.ts';
import { writeResponse } from '../cms/record-response.ts';
import { recordSchema, schemaName } from '../cms/record-schemas.ts';
import type { Operation } from '../operation.ts';

/** `PUT /api/v1/admin/pages/{id}/status` (service specification, section 3). Any state may follow any other. */
export function statusOperation(type: ContentType, records: Records): Operation {
  return {
    id: `set${schemaName(type)}Status`,
    method: 'PUT',
    path: `/api/v1/admin/${type.plural}/{id}/status`,
    tag: type.name,
    summary: `Set the status of a ${type.singular}`,
    security: 'bearer',
    roles: ['admin', 'editor'],
    params: { id: Type.String({ description: 'The record identifier (UUIDv7).' }) },
    headers: ifMatchHeader,
    body: { schema: statusSchema(type), validation: 'schema' },
    responses: { 200: told('The record as it is now.', () => recordSchema(type, 'admin'), taggedHeaders) },
    problems: refusals(404, 409, 422),
    async handle(context) {
      const payload = await context.body();
      const change = { type, admin: true, caller: context.caller, search: '', id: context.param('id'), payload };
      return writeResponse(await records.update({ ...change, ifMatch: ifMatch(context) }), 200);
    },
  };
}

function statusSchema(type: ContentType): TObject {
  const field = type.field.get('status');
  if (field === undefined) throw new Error(`The type ${type.singular} has no status.`);
  return Type.Object({ status: field.type.input(field) }, { additionalProperties: false });
}
