import Type from 'typebox';
import type { Authenticator, Caller } from '../../packages/recto/src/base/caller.ts';
import { createLogger } from '../../packages/recto/src/base/logger.ts';
import { Problem, unauthorized, unavailable } from '../../packages/recto/src/base/problem.ts';
import { type App, type AppOptions, createApp } from '../../packages/recto/src/http/app.ts';
import type { Operation, RequestContext } from '../../packages/recto/src/http/operation.ts';
import { TrustedProxies } from '../../packages/recto/src/http/proxies/trusted-proxies.ts';
import { json } from '../../packages/recto/src/http/responses/json-response.ts';

/** What a sample operation saw of its request. */
const echo = async (context: RequestContext): Promise<Response> =>
  json(200, { caller: context.caller, query: context.query, search: context.search, address: context.address });

const operation = (id: string, path: string, more: Partial<Operation>): Operation => ({
  id,
  method: 'GET',
  path,
  tag: 'samples',
  summary: id,
  security: 'none',
  responses: { 200: { description: 'What was seen of the request.' } },
  problems: [],
  handle: echo,
  ...more,
});

const thing = Type.Object(
  { title: Type.String({ maxLength: 5 }), items: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))) },
  { additionalProperties: false, $id: 'Thing' },
);

const filter = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  ratio: Type.Optional(Type.Number()),
  deep: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  text: Type.Optional(Type.String({ maxLength: 3, description: 'Words.' })),
});

const echoBody = async (context: RequestContext): Promise<Response> => {
  const body = await context.body();
  return json(200, { body, same: body === (await context.body()) });
};

/** Operations of every shape, for tests of what is around them. */
export const sampleOperations: readonly Operation[] = [
  operation('getBySlug', '/pages/{slug}', { handle: (context) => json(200, { slug: context.param('slug') }) }),
  operation('getSitemap', '/pages/sitemap', { handle: () => json(200, 'the sitemap') }),
  operation('sync', '/sync', { handle: () => json(200, { ok: true }, { ETag: '"x"' }) }),
  operation('putPage', '/pages/{slug}', {
    method: 'PUT',
    body: { schema: thing, validation: 'schema' },
    responses: { 200: { description: 'The thing.', schema: thing, headers: { ETag: { description: 'Its tag.' } } } },
    handle: echoBody,
  }),
  operation('getById', '/things/{id}', {
    params: { id: Type.String({ format: 'uuid' }) },
    responses: { 200: { description: 'The thing.', schema: thing }, 304: { description: 'Not changed.' } },
    problems: [404],
  }),
  operation('ownBody', '/things', {
    method: 'POST',
    once: true,
    body: { schema: thing, validation: 'own' },
    handle: echoBody,
  }),
  operation('removeThing', '/things/{id}', {
    method: 'DELETE',
    security: 'bearer',
    roles: ['admin', 'editor'],
    headers: { 'If-Match': Type.String() },
    responses: { 204: { description: 'Gone.' } },
    problems: [404, 409],
    handle: () => new Response(null, { status: 204 }),
  }),
  operation('member', '/member', { security: 'bearer' }),
  operation('optional', '/optional', { security: 'optional', description: 'Varies by token.' }),
  operation('filtered', '/filtered', { query: { schema: filter, validation: 'schema' } }),
  operation('needy', '/needy', { query: { schema: Type.Object({ q: Type.String() }), validation: 'schema' } }),
  operation('own', '/own', { query: { schema: filter, validation: 'own' } }),
  operation('broken', '/broken', {
    handle: () => {
      throw new Error('the secret inside');
    },
  }),
  operation('brokenLater', '/broken/later', { handle: () => Promise.reject(new TypeError('the secret inside')) }),
  operation('away', '/away', {
    problems: [503],
    handle: () => Promise.reject(unavailable('database_unavailable', 'Later.', new Error('the disk is full'))),
  }),
  operation('refused', '/refused', {
    problems: [409, 429],
    handle: () => Promise.reject(new Problem(409, 'stale', 'Too late.')),
  }),
];

/** Callers by their token, which is their role; with `later-` before it, they are found out after a while. */
export const sampleAuthenticator: Authenticator = {
  identify(authorization) {
    const token = authorization?.replace(/^Bearer /, '') ?? '';
    const caller = callers[token.replace('later-', '')];
    if (caller === undefined) throw unauthorized('token_invalid', 'The token is not valid.');
    return token.startsWith('later-') ? Bun.sleep(1).then(() => caller) : caller;
  },
  requireStepUp: async () => undefined,
};

const callers: Readonly<Record<string, Caller>> = {
  admin: { kind: 'account', id: 'a', role: 'admin', session: 's' },
  member: { kind: 'api_token', id: 'm', role: 'member' },
};

export const sampleApp = (options: Partial<AppOptions> = {}): App =>
  createApp({
    operations: sampleOperations,
    authenticator: sampleAuthenticator,
    idempotency: { answer: () => Promise.reject(new Error('The samples have no database to keep answers in.')) },
    log: createLogger('silent'),
    proxies: new TrustedProxies([]),
    maxBody: 1000,
    corsOrigins: [],
    ...options,
  });
