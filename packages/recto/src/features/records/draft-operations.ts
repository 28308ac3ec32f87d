import type { ContentType } from '../../definition/content-type.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { draftsOf } from '../../records/drafts/draft.ts';
import type { DraftRequest } from '../../records/drafts/write-draft.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, taggedHeaders } from './record-operation.ts';
import { removedReply, writeReply } from './record-response.ts';
import { recordSchema } from './record-schemas.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** The admin routes of the drafts of a type's records. `one` is the path of a record, with `{id}`. */
export function draftOperations(type: ContentType, records: Records, one: string): readonly Operation[] {
  if (draftsOf(type) === undefined) return [];
  const shared = {
    tag: type.name,
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'update' },
    params: idParams,
    headers: ifMatchHeader,
  } as const satisfies Partial<Operation>;
  const requestOf = (context: RequestContext): DraftRequest => {
    const id = context.param('id');
    return { type, caller: context.caller, id, payload: {}, ifMatch: ifMatch(context) };
  };
  const publish: Operation = {
    ...shared,
    right: { type: type.singular, action: 'publish' },
    id: `publish${schemaName(type)}Record`,
    method: 'POST',
    path: `${one}/publish`,
    summary: `Publish a record, or its draft (${type.name})`,
    once: true,
    responses: {
      200: jsonResponse('The record as it is now.', () => recordSchema(type, 'admin', records.types), taggedHeaders),
    },
    problems: commonProblems(404, 409, 422),
    handle: (context) => {
      const write = records.preparePublication(requestOf(context));
      return respondToWrite(context, records, write, (answer) => writeReply(answer, 200));
    },
  };
  const discard: Operation = {
    ...shared,
    id: `discard${schemaName(type)}RecordDraft`,
    method: 'DELETE',
    path: `${one}/draft`,
    summary: `Throw the draft of a record away (${type.name})`,
    responses: { 204: { description: 'There is no draft any more.' } },
    problems: commonProblems(404, 409),
    handle: (context) => {
      const write = records.prepareDiscard(requestOf(context));
      return respondToWrite(context, records, write, () => removedReply);
    },
  };
  return [publish, discard];
}
