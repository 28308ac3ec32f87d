import Type, { type TObject, type TSchema } from 'typebox';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import { badRequest, type Problem } from '../../base/problem.ts';
import { type ContentType, type EndpointName, isRoleList } from '../../definition/content-type.ts';
import { viewFor, viewNamed } from '../../definition/rights/read-view.ts';
import { slugFieldOf } from '../../definition/slug-field.ts';
import type { Operation, PreviewedRead, ProblemResponse, RequestContext, ResponseSpec } from '../../http/operation.ts';
import type { OperationRight } from '../../http/operation-right.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import type { Answer } from '../../records/answers/answer.ts';
import { inEveryLanguage } from '../../records/answers/every-language.ts';
import { draftsOf } from '../../records/drafts/draft.ts';
import { requireAccess, viewRules } from '../../records/plans/access.ts';
import { protocolsHide } from '../../records/plans/visibility.ts';
import type { Records } from '../../records/records.ts';
import type { Created } from '../../records/write/create-record.ts';
import type { WriteRequest } from '../../records/write/write-request.ts';
import { csvResponse, sendCsv } from './csv-list.ts';
import { answerAt, type ReadAsked } from './parameters/at-parameter.ts';
import { readAutosaveParameter } from './parameters/autosave-parameter.ts';
import { readDraftParameter } from './parameters/draft-parameter.ts';
import { readFormatParameter, withFormat } from './parameters/format-parameter.ts';
import { inLanguage, takesLanguage } from './parameters/language-parameter.ts';
import { listQuerySchema, recordQuerySchema } from './parameters/query-schemas.ts';
import { readResponse, removedReply, writeReply } from './record-response.ts';
import { listSchema, payloadSchema, readSchema, recordSchema } from './record-schemas.ts';
import { movedResponse, orMoved } from './redirects/moved-response.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** One route on the records of a type: its address and its action. `{id}` or `{slug}` at the end of a path names one of them. */
export interface CmsRoute {
  readonly method: Operation['method'];
  readonly path: string;
  readonly action: EndpointName;
  readonly admin: boolean;
  /** An API token with scopes may call it with this right, although the route is not one of the admin's. */
  readonly right?: OperationRight;
  /** Of a read that a preview answers; absent: no. */
  readonly isPreview?: true;
  /** The address of a new record; absent: its id below the type's generated route. */
  readonly location?: (created: Created) => string;
}

/** The operation of a route. `actions` has everything in which the five actions differ. */
export function recordOperation(type: ContentType, records: Records, route: CmsRoute): Operation {
  const { method, path, action, admin } = route;
  const isClosed = !admin && type.endpoints[action].access === 'none';
  const { handle, ...shape } = isClosed ? closed : actions[action](type, records, route);
  return {
    // Only the document needs it.
    get id() {
      return operationId(type, route);
    },
    method,
    path,
    tag: type.name,
    summary: `${verbs[action]} (${type.name}${admin ? ', admin' : ''})`,
    ...security(type, route),
    ...(route.right === undefined ? {} : { right: route.right }),
    ...(path.includes('{id}') && !isClosed ? { params: idParams } : {}),
    ...shape,
    ...(isRepeatable(route) && !isClosed ? { once: true } : {}),
    ...(isPreviewed(route) && !isClosed ? { preview: previewedRead(type, records, route) } : {}),
    handle,
  };
}

/** What preview tokens read. */
const isPreviewed = ({ action, admin }: CmsRoute): boolean => !admin && (action === 'list' || action === 'get');

/** The same read of the records that a preview shows. */
function previewedRead(type: ContentType, records: Records, route: CmsRoute): PreviewedRead {
  const { action } = route;
  return {
    type: type.singular,
    inLanguage(search, language) {
      const question = { type, view: viewNamed(action), action, reads: true } as const;
      const names = new URLSearchParams(search);
      if (names.has('language') || !takesLanguage(records, question)) return search;
      return `${search === '' ? '' : `${search}&`}language=${encodeURIComponent(language)}`;
    },
    answer: (context, shown) => actions[action](type, shown, { ...route, isPreview: true }).handle(context),
  };
}

/** With `If-Match`, a `PUT` that is sent again conflicts with itself. Editors send their updates so. */
const isRepeatable = ({ method, action, admin }: CmsRoute): boolean =>
  method === 'POST' || (admin && action === 'update');

/** `getArticleRecord`, `adminListArticleRecords`. */
function operationId(type: ContentType, { action, admin, path }: CmsRoute): string {
  const verb = admin ? `admin${action.charAt(0).toUpperCase()}${action.slice(1)}` : action;
  const ending = path.endsWith(slugEnding) ? 'BySlug' : action === 'list' ? 's' : '';
  return `${verb}${schemaName(type)}Record${ending}`;
}

/** How the address of a record ends that is found by its slug, where its id is the usual way. */
export const slugEnding = '/slug/{slug}';

const verbs = {
  list: 'List records',
  get: 'Get one record',
  create: 'Create a record',
  update: 'Update a record',
  delete: 'Delete a record',
} as const satisfies Record<EndpointName, string>;

/** Admin routes are for editors and admins; a public one goes by its access level, which the records check once more. */
export function security(
  type: ContentType,
  { action, admin }: Pick<CmsRoute, 'action' | 'admin'>,
): Pick<Operation, 'security' | 'roles' | 'right'> {
  if (admin) return { security: 'bearer', roles: ['admin', 'editor'], right: { type: type.singular, action } };
  const { access } = type.endpoints[action];
  if (access === 'admin') return { security: 'bearer', roles: ['admin'] };
  if (isRoleList(access)) return { security: 'bearer', roles: [...new Set(['admin', ...access])] };
  return { security: access === 'member' ? 'bearer' : 'optional' };
}

/** Schemas are made when the document is requested: a service with many types has thousands, and starts without them. */
export type Action = Pick<Operation, 'query' | 'body' | 'headers' | 'responses' | 'problems' | 'handle'>;

/** Access `none`: every request gets 403, whatever it sends (service specification, section 5.2). */
export const closed: Action & Pick<Operation, 'description'> = {
  description: 'This endpoint is closed.',
  query: { schema: Type.Object({}), validation: 'own' },
  responses: {},
  problems: [403],
  handle({ caller }) {
    requireAccess('none', caller);
    throw new Error('Access "none" let a caller pass.');
  },
};

export const commonProblems = (...more: readonly ProblemResponse[]): readonly ProblemResponse[] => [400, ...more, 503];

/** 403 where a rule can reject the write; that of an access level follows from the required role. */
const ruleProblems = (type: ContentType, { action, admin }: CmsRoute): readonly ProblemResponse[] =>
  viewRules(type, viewNamed(admin ? 'admin' : action), action).length > 0 ? [403] : [];

/** 404 where a record is named, or where a rule can hide the one record of a single type. */
function absences(type: ContentType, { action, admin, path }: CmsRoute): readonly ProblemResponse[] {
  const canHide =
    protocolsHide(type, admin ? 'admin' : 'public') ||
    viewRules(type, viewNamed(admin ? 'admin' : action), action).length > 0;
  return path.includes('{') || canHide ? [404] : [];
}

const askedOf = (records: Records, { caller, search }: RequestContext): ReadAsked => ({ records, caller, search });

const csvIsOfNow = badRequest(
  'invalid_parameter',
  'A file of CSV has records as they are: "at" cannot be sent with it.',
);

const inOneLanguage = (what: string): Problem =>
  badRequest('invalid_parameter', `${what} is read in one language: "language" cannot be "*" here.`);

const actions = {
  list: (type, records, { admin, isPreview }) => {
    const view = admin ? 'admin' : 'list';
    return {
      query: own(() => withFormat(listQuerySchema(type, view, records.types), type, view)),
      responses: {
        200: {
          ...csvResponse,
          description: 'A page of records, or with `format=csv` a file of all of them.',
          get schema() {
            return listSchema(type, view, records.types);
          },
        },
        304: unchanged,
      },
      problems: commonProblems(),
      handle: (context) => {
        const answer = ({ records: own, caller, search }: ReadAsked): MaybePromise<Response> => {
          const shown = viewFor(view, caller, own.types);
          const question = { type, view: shown, action: 'list', reads: true, every: true } as const;
          const { tag, ...asked } = inLanguage(own, question, search, caller);
          const { format, rest } = readFormatParameter(asked.type, shown, asked.rest);
          if (format === 'csv' && isPreview) throw badRequest('invalid_parameter', 'A preview is no file of CSV.');
          if (format === 'csv' && asked.every === true) throw inOneLanguage('A file of CSV');
          if (format === 'csv' && caller.at !== undefined) throw csvIsOfNow;
          if (format === 'csv') return sendCsv(asked, view, context, rest);
          return mapMaybe(asked.records.list(asked.type, view, asked.caller, rest), (page) =>
            readResponse(asked.every === true ? inEveryLanguage(type, page) : page, context, tag),
          );
        };
        return admin ? answerAt(type, records, context, answer) : answer(askedOf(records, context));
      },
    };
  },
  get: (type, records, route) => {
    const { admin, path } = route;
    const view = admin ? 'admin' : 'get';
    const [, name] = /\/\{(\w+)\}$/.exec(path) ?? [];
    const bySlug = name === 'slug';
    const field = bySlug ? slugFieldOf(type)?.name : name;
    const hasDrafts = admin && draftsOf(type) !== undefined;
    return {
      query: own(() => recordQuerySchema(type, 'get', admin, records.types)),
      responses: {
        200: jsonResponse('The record.', () => readSchema(type, view, records.types)),
        304: unchanged,
        ...(bySlug ? { 308: movedResponse } : {}),
      },
      problems: commonProblems(...absences(type, route)),
      handle: (context) => {
        const value = name === undefined ? null : context.param(name);
        const id = field === undefined || value === null || field === 'id' ? value : { field, value };
        const answer = ({ records: own, caller, search }: ReadAsked): MaybePromise<Response> => {
          const question = {
            type,
            view: viewFor(view, caller, own.types),
            action: 'get',
            reads: true,
            every: true,
          } as const;
          const { tag, ...asked } = inLanguage(own, question, search, caller);
          const { draft, rest } = hasDrafts ? readDraftParameter(asked.rest) : { draft: false, rest: asked.rest };
          const wanted = { type: asked.type, caller: asked.caller, id, search: rest };
          const send = (answer: Answer) =>
            readResponse(asked.every === true ? inEveryLanguage(type, answer) : answer, context, tag);
          if (draft && asked.every === true) throw inOneLanguage('A draft');
          if (draft) return mapMaybe(asked.records.preview(wanted), send);
          const read = () => mapMaybe(asked.records.get({ ...wanted, view }), send);
          if (!bySlug || value === null) return read();
          const moved = {
            type: asked.type,
            caller: asked.caller,
            slug: value,
            search: rest,
            sent: context.search,
            path,
          };
          return orMoved(asked.records, moved, read);
        };
        return admin ? answerAt(type, records, context, answer) : answer(askedOf(records, context));
      },
    };
  },
  create: (type, records, route) => {
    const { admin } = route;
    const view = admin ? 'admin' : 'create';
    const base = `/api/v1/${admin ? 'admin/' : ''}cms/${type.plural}`;
    return {
      query: own(() => recordQuerySchema(type, 'create', admin, records.types)),
      body: own(() => payloadSchema(type, 'create')),
      responses: {
        201: jsonResponse('The new record.', () => recordSchema(type, view, records.types), createdHeaders),
      },
      // Of a single type there is one already.
      problems: commonProblems(...ruleProblems(type, route), ...(type.kind === 'single' ? [409 as const] : []), 422),
      handle: async (context) => {
        const payload = await context.body();
        const location = route.location ?? (({ id }: Created) => `${base}/${id}`);
        const { language, ...asked } = writeInLanguage(records, type, route, context);
        const write = await asked.records.prepareCreate({ ...asked.request, payload });
        return respondToWrite(context, asked.records, write, (created) =>
          writeReply(created.answer, 201, location(created), language),
        );
      },
    };
  },
  update: (type, records, route) => {
    const { admin, path } = route;
    const view = admin ? 'admin' : 'update';
    const byId = path.includes('{id}');
    const hasDrafts = admin && draftsOf(type) !== undefined;
    const hasRevisions = admin && type.facts.revisions !== undefined;
    return {
      query: own(() => recordQuerySchema(type, 'update', admin, records.types)),
      headers: ifMatchHeader,
      body: own(() => payloadSchema(type, 'update')),
      responses: {
        200: jsonResponse('The record as it is now.', () => recordSchema(type, view, records.types), taggedHeaders),
      },
      problems: commonProblems(...ruleProblems(type, route), ...absences(type, route), 409, 422),
      handle: async (context) => {
        const payload = await context.body();
        const id = byId ? context.param('id') : null;
        const { language, ...asked } = writeInLanguage(records, type, route, context);
        const change = { ...asked.request, id, payload, ifMatch: ifMatch(context) };
        const { draft, rest } = hasDrafts ? readDraftParameter(change.search) : { draft: false, rest: change.search };
        if (draft && rest !== '') throw badRequest('unknown_parameter', '"draft" is the only parameter of this route.');
        const { rest: others, ...sitting } = hasRevisions ? readAutosaveParameter(rest) : { rest };
        const write = draft
          ? asked.records.prepareDraft(change)
          : await asked.records.prepareUpdate({ ...change, ...sitting, search: others });
        return respondToWrite(context, asked.records, write, (answer) => writeReply(answer, 200, undefined, language));
      },
    };
  },
  delete: (type, records, route) => ({
    query: own(() => recordQuerySchema(type, 'delete', route.admin, records.types)),
    headers: ifMatchHeader,
    responses: { 204: { description: 'The record is gone.' } },
    problems: commonProblems(...ruleProblems(type, route), 404, 409),
    handle: async (context) => {
      const write = await records.prepareDelete({
        ...{ type, admin: route.admin, caller: context.caller, search: context.search },
        id: context.param('id'),
        ifMatch: ifMatch(context),
      });
      return respondToWrite(context, records, write, () => removedReply);
    },
  }),
} as const satisfies Record<EndpointName, (type: ContentType, records: Records, route: CmsRoute) => Action>;

/** Query parameters or a body that the records check themselves. */
export const own = (schema: () => TObject) => ({
  validation: 'own' as const,
  get schema() {
    return schema();
  },
});

export const jsonResponse = (description: string, schema: () => TSchema, headers: ResponseSpec['headers'] = {}) => ({
  description,
  headers,
  get schema() {
    return schema();
  },
});

/** A write of a record in the language that the query string names. */
function writeInLanguage(records: Records, type: ContentType, { admin, action }: CmsRoute, context: RequestContext) {
  const { caller, search } = context;
  const view = viewFor(admin ? 'admin' : action, caller, records.types);
  const asked = inLanguage(records, { type, view, action, reads: false }, search, caller);
  const request: WriteRequest = { type: asked.type, admin, caller: asked.caller, search: asked.rest };
  return { records: asked.records, request, language: asked.tag };
}

export const ifMatchHeader = {
  'If-Match': Type.String({ component: 'IfMatch', description: 'The entity tag that the record must still have.' }),
};
export const ifMatch = ({ request }: RequestContext): string | null => request.headers.get('if-match');

export const taggedHeaders = { ETag: { description: 'Entity tag of the record.' } };
export const createdHeaders = { ...taggedHeaders, Location: { description: 'Where the new record is.' } };
