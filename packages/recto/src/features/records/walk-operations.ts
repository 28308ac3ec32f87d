import Type, { type TObject } from 'typebox';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { endpointViews, viewFor, viewNamed } from '../../definition/rights/read-view.ts';
import type { Operation } from '../../http/operation.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { readableField } from '../../query/read-view.ts';
import { ruleParameters } from '../../records/plans/access.ts';
import { longestWalk, type WalkRequest } from '../../records/read/walk-tree.ts';
import type { Records } from '../../records/records.ts';
import { inLanguage } from './parameters/language-parameter.ts';
import { recordQuerySchema } from './parameters/query-schemas.ts';
import { commonProblems, jsonResponse, own, security } from './record-operation.ts';
import { readResponse } from './record-response.ts';
import { recordSchema } from './record-schemas.ts';
import { schemaName } from './schema-name.ts';

const ways = {
  ancestors: 'The records above one, from the root down',
  subtree: 'A record and those below it, level by level',
} as const satisfies Record<WalkRequest['way'], string>;

/**
 * The routes that list the records of a tree above and below one. Where `get` does not show the parent of a record, there
 * are only the admin routes.
 */
export function walkOperations(type: ContentType, records: Records): readonly Operation[] {
  const tree = type.facts.tree;
  if (tree === undefined) return [];
  const isPublic =
    type.endpoints.get.access !== 'none' && readableField(type, endpointViews.get, tree.parent) !== undefined;
  const views: readonly WalkRequest['view'][] = isPublic ? ['get', 'admin'] : ['admin'];
  return views.flatMap((view) => [
    walkOperation(type, records, view, 'ancestors'),
    walkOperation(type, records, view, 'subtree'),
  ]);
}

function walkOperation(
  type: ContentType,
  records: Records,
  view: WalkRequest['view'],
  way: WalkRequest['way'],
): Operation {
  const admin = view === 'admin';
  const verb = `${way.charAt(0).toUpperCase()}${way.slice(1)}`;
  return {
    id: `${admin ? 'adminL' : 'l'}ist${schemaName(type)}Record${verb}`,
    method: 'GET',
    path: `/api/v1/${admin ? 'admin/' : ''}cms/${type.plural}/{id}/${way}`,
    tag: type.name,
    summary: `${ways[way]} (${type.name}${admin ? ', admin' : ''})`,
    ...security(type, { action: 'get', admin }),
    params: idParams,
    query: own(() => walkQuerySchema(type, view, records.types)),
    responses: { 200: jsonResponse('The records.', () => walkSchema(type, view, records.types)), 304: unchanged },
    problems: commonProblems(404),
    async handle(context) {
      const { caller, search } = context;
      const question = { type, view: viewFor(view, caller, records.types), action: 'get', reads: true } as const;
      const { tag, ...asked } = inLanguage(records, question, search, caller);
      const walk = { type: asked.type, view, caller: asked.caller, search: asked.rest, way, id: context.param('id') };
      return readResponse(await asked.records.walk(walk), context, tag);
    },
  };
}

/** What the rules of `get` read. */
function walkQuerySchema(type: ContentType, view: WalkRequest['view'], types: ContentTypes): TObject {
  const { properties } = recordQuerySchema(type, 'get', view === 'admin', types);
  const read = ruleParameters(type, viewNamed(view), 'get');
  return Type.Object(Object.fromEntries(Object.entries(properties).filter(([name]) => read.has(name))));
}

const walkSchema = (type: ContentType, view: WalkRequest['view'], types: ContentTypes): TObject =>
  Type.Object(
    {
      items: Type.Array(recordSchema(type, view, types)),
      total: Type.Integer({ minimum: 0, description: `All of them; \`items\` has the first ${longestWalk}.` }),
    },
    { additionalProperties: false },
  );
