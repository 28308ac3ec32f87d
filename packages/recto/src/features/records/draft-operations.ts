import { badRequest } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { draftsOf } from '../../records/drafts/draft.ts';
import type { DraftRequest } from '../../records/drafts/write-draft.ts';
import type { Records } from '../../records/records.ts';
import type { InLanguage } from './parameters/language-parameter.ts';
import { languageQuery, namedLanguage } from './parameters/named-language.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, taggedHeaders } from './record-operation.ts';
import { removedReply, writeReply } from './record-response.ts';
import { recordSchema } from './record-schemas.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** The admin routes of the drafts of a type's records. `one` is the path of a record, with `{id}`. */
export function draftOperations(type: ContentType, records: Records, one: string): readonly Operation[] {
  const hasDrafts = draftsOf(type) !== undefined;
  if (!hasDrafts && publishedInLanguage(type) === undefined) return [];
  const shared = {
    tag: type.name,
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'update' },
    params: idParams,
    headers: ifMatchHeader,
  } as const satisfies Partial<Operation>;
  const requestOf = (context: RequestContext, asked: Pick<InLanguage, 'type' | 'caller'>): DraftRequest => {
    const id = context.param('id');
    return { type: asked.type, caller: asked.caller, id, payload: {}, ifMatch: ifMatch(context) };
  };
  const publish: Operation = {
    ...shared,
    right: { type: type.singular, action: 'publish' },
    id: `publish${schemaName(type)}Record`,
    method: 'POST',
    path: `${one}/publish`,
    summary: `Publish a record${hasDrafts ? ', or its draft' : ''} (${type.name})`,
    once: true,
    ...languageQuery(type, true),
    responses: {
      200: jsonResponse('The record as it is now.', () => recordSchema(type, 'admin', records.types), taggedHeaders),
    },
    problems: commonProblems(404, 409, 422),
    handle: (context) => {
      const asked = namedLanguage(type, records, context);
      const write =
        asked === 'all'
          ? records.preparePublications(requestOf(context, { type, caller: context.caller }))
          : asked.records.preparePublication(requestOf(context, asked));
      const { records: own, tag } = asked === 'all' ? { records, tag: records.types.languages.default.tag } : asked;
      return respondToWrite(context, own, write, (answer) => writeReply(answer, 200, undefined, tag));
    },
  };
  const discard: Operation = {
    ...shared,
    id: `discard${schemaName(type)}RecordDraft`,
    method: 'DELETE',
    path: `${one}/draft`,
    summary: `Throw the draft of a record away (${type.name})`,
    ...languageQuery(type, false),
    responses: { 204: { description: 'There is no draft any more.' } },
    problems: commonProblems(404, 409),
    handle: (context) => {
      const asked = namedLanguage(type, records, context);
      if (asked === 'all') throw badRequest('invalid_parameter', '"language" names one language here.');
      const write = asked.records.prepareDiscard(requestOf(context, asked));
      return respondToWrite(context, asked.records, write, () => removedReply);
    },
  };
  return hasDrafts ? [publish, discard] : [publish];
}
