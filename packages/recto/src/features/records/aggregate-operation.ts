import type { ContentType } from '../../definition/content-type.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import type { Operation } from '../../http/operation.ts';
import { unchanged } from '../../http/shared-responses.ts';
import type { Records } from '../../records/records.ts';
import { aggregateQuerySchema, aggregateSchema } from './aggregate-schemas.ts';
import { answerAt, type ReadAsked } from './parameters/at-parameter.ts';
import { inLanguage } from './parameters/language-parameter.ts';
import { type Action, closed, commonProblems, jsonResponse, own, security } from './record-operation.ts';
import { readResponse } from './record-response.ts';
import { schemaName } from './schema-name.ts';

/**
 * Counts, sums and the like over the records of a list, below the list's own address. No id and no slug is `aggregate`.
 */
export function aggregateOperations(
  type: ContentType,
  records: Records,
  { path, admin }: { readonly path: string; readonly admin: boolean },
): readonly Operation[] {
  if (type.kind === 'single') return [];
  const view = admin ? 'admin' : 'list';
  const isClosed = !admin && type.endpoints.list.access === 'none';
  return [
    {
      id: `${admin ? 'adminA' : 'a'}ggregate${schemaName(type)}Records`,
      method: 'GET',
      path: `${path}/aggregate`,
      tag: type.name,
      summary: `Count, add up and group records (${type.name}${admin ? ', admin' : ''})`,
      ...security(type, { action: 'list', admin }),
      ...(isClosed ? closed : aggregateAction(type, records, view)),
    },
  ];
}

const aggregateAction = (type: ContentType, records: Records, view: 'list' | 'admin'): Action => ({
  query: own(() => aggregateQuerySchema(type, view, records.types)),
  responses: {
    200: jsonResponse('The groups; without `group`, one.', () => aggregateSchema(type, view)),
    304: unchanged,
  },
  problems: commonProblems(),
  async handle(context) {
    const answer = async ({ records: own, caller, search }: ReadAsked): Promise<Response> => {
      const question = { type, view: viewFor(view, caller, own.types), action: 'list', reads: true } as const;
      const { tag, ...asked } = inLanguage(own, question, search, caller);
      return readResponse(await asked.records.aggregate(asked.type, view, asked.caller, asked.rest), context, tag);
    };
    const { caller, search } = context;
    return view === 'admin' ? answerAt(type, records, context, answer) : answer({ records, caller, search });
  },
});
