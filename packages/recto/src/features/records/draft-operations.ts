import Type, { type TObject } from 'typebox';
import { badRequest } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { readParameters } from '../../query/query-text.ts';
import { draftsOf } from '../../records/drafts/draft.ts';
import type { DraftRequest } from '../../records/drafts/write-draft.ts';
import type { Records } from '../../records/records.ts';
import { type InLanguage, inLanguage, takesLanguage } from './parameters/language-parameter.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, own, taggedHeaders } from './record-operation.ts';
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
      const asked = languageOf(type, records, context);
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
      const asked = languageOf(type, records, context);
      if (asked === 'all') throw badRequest('invalid_parameter', '"language" names one language here.');
      const write = asked.records.prepareDiscard(requestOf(context, asked));
      return respondToWrite(context, asked.records, write, () => removedReply);
    },
  };
  return hasDrafts ? [publish, discard] : [publish];
}

/** Stands for all languages where a request names one. */
const every = '*';

/** The query string of a route that names one language, or all of them. */
function languageQuery({ languages }: ContentType, orAll: boolean): Pick<Operation, 'query'> {
  if (languages === undefined) return {};
  const tags = [...languages.all.map(({ tag }) => tag), ...(orAll ? [every] : [])];
  const description = `The language that is meant${orAll ? `, or \`${every}\` for all` : ''}. Default: ${languages.default.tag}.`;
  const language = Type.Unsafe<string>({ type: 'string', enum: tags, description });
  return { query: own((): TObject => Type.Object({ language: Type.Optional(language) })) };
}

function languageOf(type: ContentType, records: Records, { caller, search }: RequestContext): InLanguage | 'all' {
  const view = viewFor('admin', caller, records.types);
  const question = { type, view, action: 'update', reads: false } as const;
  if (type.languages === undefined || !takesLanguage(records, question))
    return { records, type, rest: '', caller, tag: undefined };
  const parameters = new Map(readParameters(search));
  if (parameters.size === 1 && parameters.get('language') === every) return 'all';
  const asked = inLanguage(records, question, search, caller);
  if (asked.rest !== '') throw badRequest('unknown_parameter', '"language" is the only parameter of this route.');
  return asked;
}
