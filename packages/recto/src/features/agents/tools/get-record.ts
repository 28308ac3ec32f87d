import Type from 'typebox';
import { draftsOf } from '../../../records/drafts/draft.ts';
import { adminAddress } from '../agent-requests.ts';
import type { Tool } from '../tool.ts';
import { argumentsOf, fieldsArgument, idArgument, textOf, typeArgument } from './arguments.ts';
import { knownType } from './known-type.ts';
import { namesOf } from './search-records.ts';
import { shownFields } from './shown-fields.ts';
import { fittingRecord } from './size-limit.ts';

/** One record, with its draft applied. */
export const getRecord: Tool = {
  name: 'get',
  title: 'Get a record',
  description:
    'One record with its draft applied, and the etag that update_draft and publish take. Long texts end with "truncated": read on with fields and offset.',
  inputSchema: argumentsOf({
    type: typeArgument,
    id: idArgument,
    fields: fieldsArgument,
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Characters of long texts to leave out.' })),
  }),
  from: 'read',
  annotations: { readOnlyHint: true },
  async run(given, call) {
    const { type, may } = knownType(textOf(given, 'type'), call);
    const { fields = shownFields(type, may, 'one'), offset = 0 } = given;
    const hasDrafts = draftsOf(type) !== undefined;
    const { json, etag } = await call.requests.send({
      method: 'GET',
      path: `${adminAddress(type)}/${encodeURIComponent(textOf(given, 'id'))}`,
      query: { fields: namesOf(fields), ...(hasDrafts ? { draft: 'true' } : {}) },
    });
    const { __draft: draft, ...record } = json;
    return {
      etag,
      ...(hasDrafts ? { has_draft: draft !== undefined && draft !== null } : {}),
      ...fittingRecord(record, Number(offset)),
    };
  },
};
