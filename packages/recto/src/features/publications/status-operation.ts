import { badRequest, type FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { responseOf } from '../../http/responses/reply.ts';
import { idParams } from '../../http/shared-schemas.ts';
import type { Records } from '../../records/records.ts';
import { languageQuery, namedLanguage } from '../records/parameters/named-language.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, taggedHeaders } from '../records/record-operation.ts';
import { writeReply } from '../records/record-response.ts';
import { recordSchema } from '../records/record-schemas.ts';
import { schemaName } from '../records/schema-name.ts';

/**
 * `PUT /api/v1/admin/pages/{id}/status` (service specification, section 3). Any state may follow any other. Where languages have states of
 * their own, `language` names the one whose state is set.
 */
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
    ...languageQuery(type, false),
    body: body.declaration,
    responses: {
      200: jsonResponse('The record as it is now.', () => recordSchema(type, 'admin', records.types), taggedHeaders),
    },
    problems: commonProblems(404, 409, 422),
    async handle(context) {
      const payload = await body.read(context, (_, { status }) => statusErrors(field, status));
      const asked = namedLanguage(type, records, context);
      if (asked === 'all') throw badRequest('invalid_parameter', '"language" names one language here.');
      const { records: own, tag, ...written } = asked;
      const change = { ...{ type: written.type, caller: written.caller }, admin: true, search: '', payload };
      const answer = await own.update({ ...change, id: context.param('id'), ifMatch: ifMatch(context) });
      return responseOf(writeReply(answer, 200, undefined, tag));
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
