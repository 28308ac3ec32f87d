import Type from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import type { Reply } from '../../http/responses/reply.ts';
import { idParams } from '../../http/shared-schemas.ts';
import type { Duplicate } from '../../records/copies/duplicate-record.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems, createdHeaders, jsonResponse, own } from './record-operation.ts';
import { writeReply } from './record-response.ts';
import { copySchema, recordSchema } from './record-schemas.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

const body = new CheckedBody({
  related: Type.Optional(Type.Boolean()),
  set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

/** The admin route that makes a copy of a record, with what belongs to it. `one` is the path of a record, with `{id}`. */
export function duplicateOperation(type: ContentType, records: Records, one: string): Operation {
  return {
    id: `duplicate${schemaName(type)}Record`,
    method: 'POST',
    path: `${one}/duplicate`,
    tag: type.name,
    summary: `Duplicate a record with what belongs to it (${type.name})`,
    description:
      'What belongs to it is what leads to it by a relation with `cascade`, and so on. Each copy is created with the rights of the caller, all of them or none.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'create' },
    params: idParams,
    once: true,
    body: own(() =>
      Type.Object(
        {
          related: Type.Optional(
            Type.Boolean({ default: true, description: 'Whether what belongs to the record is copied as well.' }),
          ),
          set: Type.Optional(copySchema(type)),
        },
        { additionalProperties: false },
      ),
    ),
    responses: { 201: jsonResponse('The copy.', () => duplicateSchema(type, records), createdHeaders) },
    problems: commonProblems(403, 404, 409, 422),
    async handle(context) {
      const { related = true, set = {} } = await body.read(context);
      const { prepareDuplicate } = await import('../../records/copies/duplicate-record.ts');
      const id = context.param('id');
      const write = await prepareDuplicate(records, { type, caller: context.caller, id, related, set });
      return respondToWrite(context, records, write, (duplicate) => replyOf(duplicate, one));
    },
  };
}

function replyOf({ id, answer, copies, hidden }: Duplicate, one: string): Reply {
  const reply = writeReply(answer, 201, one.replace('{id}', id));
  const counts = JSON.stringify(Object.fromEntries(copies));
  return { ...reply, body: `{"record":${reply.body},"copies":${counts},"hidden":${hidden}}` };
}

const duplicateSchema = (type: ContentType, records: Records) =>
  Type.Object(
    {
      record: recordSchema(type, 'admin', records.types),
      copies: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: 'How many copies there are of each type, by its singular name, the record itself among them.',
      }),
      hidden: Type.Integer({
        minimum: 0,
        description: 'How many records belong to it that the caller may not get, and that were not copied.',
      }),
    },
    { additionalProperties: false },
  );
