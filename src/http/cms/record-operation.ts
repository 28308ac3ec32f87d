import Type, { type TObject } from 'typebox';
import type { ContentType, EndpointName } from '../../definition/content-type.ts';
import { then } from '../../records/eventually.ts';
import type { Records } from '../../records/records.ts';
import type { WriteRequest } from '../../records/write-request.ts';
import type { Operation, ProblemResponse, RequestContext, ResponseSpec } from '../operation.ts';
import { readResponse, removedResponse, writeResponse } from './record-response.ts';
import {
  listQuerySchema,
  listSchema,
  payloadSchema,
  recordQuerySchema,
  recordSchema,
  schemaName,
} from './record-schemas.ts';

/** One generated route: where it is and what it does. */
export interface CmsRoute {
  readonly method: Operation['method'];
  readonly path: string;
  readonly action: EndpointName;
  readonly admin: boolean;
}

/** The declared operation of a route. Everything that the five actions differ in is in `actions`. */
export function recordOperation(type: ContentType, records: Records, route: CmsRoute): Operation {
  const { method, path, action, admin } = route;
  const { handle, ...shape } = actions[action](type, records, route);
  return {
    id: `${action}${admin ? 'Admin' : ''}${schemaName(type)}${action === 'list' ? 'Records' : ''}`,
    method,
    path,
    tag: type.name,
    summary: `${verbs[action]} (${type.name}${admin ? ', admin' : ''})`,
    ...security(type, route),
    ...(path.includes('{id}')
      ? { params: { id: Type.String({ description: 'The record identifier (UUIDv7).' }) } }
      : {}),
    ...shape,
    handle,
  };
}

const verbs = {
  list: 'List records',
  get: 'Get one record',
  create: 'Create a record',
  update: 'Update a record',
  delete: 'Delete a record',
} as const satisfies Record<EndpointName, string>;

/** Admin routes are for editors and admins; a public one goes by its access level, which the records check once more. */
function security(type: ContentType, { action, admin }: CmsRoute): Pick<Operation, 'security' | 'roles'> {
  if (admin) return { security: 'bearer', roles: ['admin', 'editor'] };
  const { access } = type.endpoints[action];
  if (access === 'admin') return { security: 'bearer', roles: ['admin'] };
  return { security: access === 'member' ? 'bearer' : 'optional' };
}

/** Schemas are made when the document is asked for: a service with many types has thousands, and starts without them. */
type Action = Pick<Operation, 'query' | 'body' | 'responses' | 'problems' | 'handle'>;

const refusals = (...more: readonly ProblemResponse[]): readonly ProblemResponse[] => [400, 403, ...more, 503];

const actions = {
  list: (type, records, { admin }) => {
    const view = admin ? 'admin' : 'list';
    return {
      query: own(() => listQuerySchema(type, view)),
      responses: {
        200: told('A page of records.', () => listSchema(type, view)),
        304: unchanged,
      },
      problems: refusals(),
      handle: ({ caller, search, request }) =>
        then(records.list(type, view, caller, search), (answer) => readResponse(answer, request)),
    };
  },
  get: (type, records, { admin, path }) => {
    const view = admin ? 'admin' : 'get';
    const byId = path.endsWith('/{id}');
    return {
      query: own(() => recordQuerySchema(type, 'get', admin)),
      responses: {
        200: told('The record.', () => recordSchema(type, view)),
        304: unchanged,
      },
      problems: refusals(404),
      handle: (context) => {
        const { caller, search, request } = context;
        const id = byId ? context.param('id') : null;
        return then(records.get({ type, view, caller, id, search }), (answer) => readResponse(answer, request));
      },
    };
  },
  create: (type, records, { admin }) => {
    const view = admin ? 'admin' : 'create';
    const base = `/api/v1/${admin ? 'admin/' : ''}cms/${type.plural}`;
    return {
      query: own(() => recordQuerySchema(type, 'create', admin)),
      body: own(() => payloadSchema(type, 'create')),
      responses: {
        201: told('The new record.', () => recordSchema(type, view), created),
      },
      problems: refusals(409, 422),
      handle: async (context) => {
        const payload = await context.body();
        const { id, answer } = await records.create({ ...writeRequest(type, admin, context), payload });
        return writeResponse(answer, 201, `${base}/${id}`);
      },
    };
  },
  update: (type, records, { admin, path }) => {
    const view = admin ? 'admin' : 'update';
    const byId = path.includes('{id}');
    return {
      query: own(() => recordQuerySchema(type, 'update', admin)),
      body: own(() => payloadSchema(type, 'update')),
      responses: {
        200: told('The record as it is now.', () => recordSchema(type, view), tagged),
      },
      problems: refusals(404, 409, 422),
      handle: async (context) => {
        const payload = await context.body();
        const id = byId ? context.param('id') : null;
        const change = { ...writeRequest(type, admin, context), id, payload, ifMatch: ifMatch(context) };
        return writeResponse(await records.update(change), 200);
      },
    };
  },
  delete: (type, records, { admin }) => ({
    query: own(() => recordQuerySchema(type, 'delete', admin)),
    responses: { 204: { description: 'The record is gone.' } },
    problems: refusals(404, 409),
    handle: async (context) => {
      await records.remove({
        ...writeRequest(type, admin, context),
        id: context.param('id'),
        ifMatch: ifMatch(context),
      });
      return removedResponse();
    },
  }),
} as const satisfies Record<EndpointName, (type: ContentType, records: Records, route: CmsRoute) => Action>;

const own = (schema: () => TObject) => ({
  validation: 'own' as const,
  get schema() {
    return schema();
  },
});

const told = (description: string, schema: () => TObject, headers: ResponseSpec['headers'] = {}) => ({
  description,
  headers,
  get schema() {
    return schema();
  },
});

const writeRequest = (type: ContentType, admin: boolean, { caller, search }: RequestContext): WriteRequest => ({
  type,
  admin,
  caller,
  search,
});

const ifMatch = ({ request }: RequestContext): string | null => request.headers.get('if-match');

const tagged = { ETag: { description: 'Entity tag of the record.' } };
const created = { ...tagged, Location: { description: 'Where the new record is.' } };
const unchanged = { description: 'The caller has this answer already (`If-None-Match`).' };
