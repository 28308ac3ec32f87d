import type { FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { idParams } from '../../http/shared-schemas.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, taggedHeaders } from '../records/record-operation.ts';
import { writeResponse } from '../records/record-response.ts';
import { recordSchema } from '../records/record-schemas.ts';
import { schemaName } from '../records/schema-name.ts';

/** `PUT /api/v1/admin/pages/{id}/status` (service specification, section 3). Any state may follow any other. */
export function statusOperation(type: ContentType, records: Records): Operation {
  const field = statusField(type);
  const { input, documentedInput = input } = field.type;
  const body = new CheckedBody({ status: input(field) }, { status: documentedInput(field) });
  return {
    id: `set${schemaName(type)}Status`,
    method: 'PUT',
    path: `/api/v1/admin/${type.plural}/{id}/status`,
    tag: type.name,
    summary: `Set the status of a ${type.singular}`,
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'update' },
    params: idParams,
    headers: ifMatchHeader,
    body: body.declaration,
    responses: {
      200: jsonResponse('The record as it is now.', () => recordSchema(type, 'admin', records.types), taggedHeaders),
    },
    problems: commonProblems(404, 409, 422),
    async handle(context) {
      const payload = await body.read(context, (_, { status }) => statusErrors(field, status));
      const change = { type, admin: true, caller: context.caller, search: '', id: context.param('id'), payload };
      return writeResponse(await records.update({ ...change, ifMatch: ifMatch(context) }), 200);
    },
  };
}

function statusField(type: ContentType): Field {
  const field = type.field.get('status');
  if (field === undefined) throw new Error(`The type ${type.singular} has no status.`);
  return field;
}

function statusErrors(field: Field, status: unknown): readonly FieldFault[] {
  if (typeof status !== 'string') return [];
  const parsed = field.type.parse(status, field);
  return parsed.ok ? [] : [{ field: field.name, code: parsed.code, message: parsed.message }];
}
