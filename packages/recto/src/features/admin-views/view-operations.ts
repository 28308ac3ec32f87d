import Type from 'typebox';
import { type SavedView, type SavedViewInput, viewLimits } from '../../admin-views/saved-view.ts';
import { mayChange, type SavedViews } from '../../admin-views/saved-views.ts';
import { type AuthenticatedCaller, type Caller, callerScopes, isAuthenticated } from '../../base/caller.ts';
import { badRequest, type FieldFault, invalid, Problem } from '../../base/problem.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { textFaults } from '../../http/bodies/text-faults.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext, RunInTransaction } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { filterPlace } from '../../query/filter-query.ts';
import { newView, viewChange, viewJson, viewSchema } from './admin-view-schemas.ts';
import { ReadableNames } from './readable-names.ts';

const root = '/api/v1/admin/views';
/** For all who have something to see in the admin. */
export const adminViewsCommon = {
  tag: 'admin-views',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
} as const;

export interface ViewOperationParts {
  readonly views: SavedViews;
  readonly types: ContentTypes;
  readonly maxPageSize: number;
  readonly runInTransaction: RunInTransaction;
}

const createBody = new CheckedBody(newView);
const changeBody = new CheckedBody(viewChange);
const parameters = Type.Object({
  ...pageParameters,
  type: Type.Optional(Type.String({ description: 'Only views of this content type: its singular or plural name.' })),
});

/** Who asks: the operations have roles. */
export function callerOf({ caller }: RequestContext): AuthenticatedCaller {
  if (!isAuthenticated(caller)) throw new Error('The operation has roles.');
  return caller;
}

/** Saved views of lists. A role of the installation's own sees those that name nothing that it does not read. */
export function viewOperations({
  views,
  types,
  maxPageSize,
  runInTransaction,
}: ViewOperationParts): readonly Operation[] {
  const shown = (view: SavedView, caller: AuthenticatedCaller, names: ReadableNames) =>
    viewJson(view, (singular) => names.nameOf(singular), mayChange(view, caller));
  return [
    {
      ...adminViewsCommon,
      id: 'listSavedViews',
      method: 'GET',
      path: root,
      summary: 'List saved views',
      description:
        'Your own, and the shared ones of your tenant that name nothing which you may not read, by their names.',
      query: { schema: parameters, validation: 'schema' },
      responses: readResponses('One page of views.', pageSchema('SavedViewList', viewSchema)),
      problems: [400, 503],
      handle: async (context) => {
        const { query } = context;
        const caller = callerOf(context);
        const page = readPage(query, maxPageSize);
        const names = new ReadableNames(caller, types);
        const singular = typeof query.type === 'string' ? askedType(query.type, names) : undefined;
        const { views: found, total } = await views.page(caller, singular, page, names);
        const items = found.map((view) => shown(view, caller, names));
        return jsonRead(context.request, { items, total, page: page.page, page_size: page.pageSize });
      },
    },
    {
      ...adminViewsCommon,
      id: 'createSavedView',
      method: 'POST',
      path: root,
      summary: 'Save a view',
      description: `A filter, search, order and columns under a name. At most ${viewLimits.views} for each owner: 409 \`too_many_views\`.`,
      once: true,
      body: createBody.declaration,
      responses: { 201: { description: 'The view.', schema: viewSchema, headers: locationHeader } },
      problems: [400, 409, 422, 503],
      handle: async (context) => {
        const caller = callerOf(context);
        const names = new ReadableNames(caller, types);
        const sent = await createBody.read(context, (_, sound) => faultsOf(sound, names));
        const faults = [...faultsOf(sent, names), ...sharingFaults(caller, sent)];
        if (faults.length > 0) throw invalid(faults);
        const type = names.typeNamed(sent.type)?.singular ?? sent.type;
        const input: SavedViewInput = { ...defaults, ...sent, type };
        return context.respondInTransaction(
          runInTransaction,
          (transaction) => views.create(transaction, caller, input, names),
          (view) => jsonReply(201, shown(view, caller, names), { Location: `${root}/${view.id}` }),
        );
      },
    },
    {
      ...adminViewsCommon,
      id: 'getSavedView',
      method: 'GET',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Get a saved view',
      responses: readResponses('The view.', viewSchema),
      problems: [404, 503],
      handle: async (context) => {
        const caller = callerOf(context);
        const names = new ReadableNames(caller, types);
        return jsonRead(context.request, shown(await views.get(caller, context.param('id'), names), caller, names));
      },
    },
    {
      ...adminViewsCommon,
      id: 'updateSavedView',
      method: 'PUT',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Change a saved view',
      description: 'Members that are left out stay. A shared view is changed by its owner and by admins.',
      body: changeBody.declaration,
      responses: { 200: { description: 'The view.', schema: viewSchema } },
      problems: [400, 403, 404, 422, 503],
      handle: async (context) => {
        const caller = callerOf(context);
        const { name, shared, filter, search, sort, columns } = await changeBody.read(context);
        const names = new ReadableNames(caller, types);
        const id = context.param('id');
        const { type } = await views.get(caller, id, names);
        const changes = { name, shared, filter, search, sort, columns };
        const unstorable = textFaults(changes);
        const faults = [
          ...(unstorable.length > 0 || filter === undefined
            ? unstorable
            : filterFaults(filter, names.typeNamed(type), names)),
          ...sharingFaults(caller, changes),
        ];
        if (faults.length > 0) throw invalid(faults);
        const given = Object.entries(changes);
        const input: Partial<SavedViewInput> = Object.fromEntries(given.filter(([, value]) => value !== undefined));
        const view = await runInTransaction((transaction) =>
          views.update(transaction, caller, { id, sight: names }, input),
        );
        return json(200, shown(view, caller, names));
      },
    },
    {
      ...adminViewsCommon,
      id: 'deleteSavedView',
      method: 'DELETE',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Delete a saved view',
      description: 'A shared view is deleted by its owner and by admins.',
      responses: { 204: { description: 'The view is gone.' } },
      problems: [403, 404, 503],
      handle: async (context) => {
        const caller = callerOf(context);
        const names = new ReadableNames(caller, types);
        await runInTransaction((transaction) => views.remove(transaction, caller, context.param('id'), names));
        return noContent();
      },
    },
  ];
}

const defaults: Omit<SavedViewInput, 'type' | 'name'> = {
  shared: false,
  filter: '',
  search: '',
  sort: '',
  columns: [],
};

/** The singular name of a type whose list is open to the caller. */
function askedType(name: string, names: ReadableNames): string {
  const type = names.typeNamed(name);
  if (type === undefined) throw badRequest('unknown_type', `type: there is no content type ${JSON.stringify(name)}.`);
  return type.singular;
}

/** What everyone sees is more than some of a token's rights. */
const sharingFaults = (caller: Caller, { shared }: { readonly shared?: unknown }): readonly FieldFault[] =>
  shared === true && callerScopes(caller) !== undefined
    ? [{ field: 'shared', code: 'not_allowed', message: 'An API token with scopes shares no views.' }]
    : [];

/** What no schema expresses, in the members that the schema accepts. */
function faultsOf(sent: Readonly<Record<string, unknown>>, names: ReadableNames): readonly FieldFault[] {
  const unstorable = textFaults(sent);
  if (unstorable.length > 0) return unstorable;
  return meaningFaults(sent, names);
}

function meaningFaults(
  sent: { readonly type?: unknown; readonly filter?: unknown },
  names: ReadableNames,
): readonly FieldFault[] {
  const { type: name, filter } = sent;
  const type = typeof name === 'string' ? names.typeNamed(name) : undefined;
  if (typeof name === 'string' && type === undefined)
    return [{ field: 'type', code: 'unknown_type', message: `There is no content type ${JSON.stringify(name)}.` }];
  return typeof filter === 'string' ? filterFaults(filter, type, names) : [];
}

/** A filter must be one that the list takes. Of a type that is no longer served, nothing is known. */
function filterFaults(filter: string, type: ContentType | undefined, names: ReadableNames): readonly FieldFault[] {
  if (filter === '' || type === undefined) return [];
  try {
    names.checkFilter(filter, type);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const place = filterPlace(error);
    const message = `${place.replace(/^c/, 'C')}: ${error.message}`;
    return [{ field: 'filter', code: 'invalid_filter', message }];
  }
}
