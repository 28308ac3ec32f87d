import Type, { type Static } from 'typebox';
import { apiTokenErrors, readApiTokenInput, tokenNameMaxLength } from '../../auth/api-token-input.ts';
import type { ApiToken } from '../../auth/api-token-store.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { callerId } from '../../base/caller.ts';
import { invalid, notFound } from '../../base/problem.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { locationHeader, noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import { idParams, recordId, sentTime } from '../../http/shared-schemas.ts';
import { documentedAccount, nullable, nullableTenant, roleSchema, shownRole, timeSchema } from './account-schemas.ts';
import { tenantFaults } from './own-tenant.ts';
import type { ScopeNames } from './scope-names.ts';
import { noStore } from './sessions/signed-in-response.ts';

const root = '/api/v1/admin/api-tokens';
const common = { tag: 'api-tokens', security: 'bearer', roles: ['admin'] } as const;

const scopeList = { minItems: 1, maxItems: 100, uniqueItems: true } as const;
const scopesText =
  'Narrows the token to these of its role’s rights on the admin routes, such as `articles:read` and `media:write`; null: all of them.';

/** At least one character that is no white space. */
const visibleText = String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`;

const listParameters = Type.Object(pageParameters);

const newTokenOf = (roles: readonly string[], names: ScopeNames) =>
  new CheckedBody(
    {
      name: Type.String({ minLength: 1, maxLength: tokenNameMaxLength, description: 'What the token is for.' }),
      role: Type.Optional({ ...roleSchema(roles), default: 'member' }),
      scopes: Type.Optional(
        nullable(Type.Array(Type.String({ maxLength: 120 }), { ...scopeList, description: scopesText })),
      ),
      tenant_id: Type.Optional(nullableTenant),
      expires_at: Type.Optional(
        nullable(Type.String({ description: 'RFC 3339, in the future; null or left out: never.' })),
      ),
    },
    {
      name: Type.String({
        pattern: visibleText,
        maxLength: tokenNameMaxLength,
        description: 'What the token is for: visible text without control characters.',
      }),
      scopes: Type.Optional(nullable(Type.Array(Type.Enum([...names.all]), { ...scopeList, description: scopesText }))),
      tenant_id: Type.Optional(documentedAccount.tenant_id),
      expires_at: Type.Optional(Type.Union([sentTime, Type.Null()], { description: 'In the future; null: never.' })),
    },
  );

const properties = {
  id: recordId,
  name: Type.String(),
  role: shownRole,
  scopes: nullable(Type.Array(Type.String(), { description: scopesText })),
  tenant_id: documentedAccount.tenant_id,
  created_by: Type.Union([recordId, Type.Null()], { description: 'The account or API token that created it.' }),
  created_at: timeSchema,
  expires_at: nullable(timeSchema),
  last_used_at: nullable(Type.String({ format: 'date-time', description: 'To the minute; null: not used yet.' })),
};

const apiTokenSchema = Type.Object(properties, { $id: 'ApiToken', additionalProperties: false });

const createdSchema = Type.Object(
  { ...properties, token: Type.String({ description: 'The token itself. Shown here and never again.' }) },
  { $id: 'CreatedApiToken', additionalProperties: false },
);

const apiTokenJson = (apiToken: ApiToken, names: ScopeNames): Static<typeof apiTokenSchema> => ({
  id: apiToken.id,
  name: apiToken.name,
  role: apiToken.role,
  scopes: apiToken.scopes === null ? null : [...names.shown(apiToken.scopes)],
  tenant_id: apiToken.tenant,
  created_by: apiToken.createdBy,
  created_at: apiToken.createdAt,
  expires_at: apiToken.expiresAt,
  last_used_at: apiToken.lastUsedAt,
});

const noSuchToken = () => notFound('There is no such API token.');

/** Tokens for programs, for admins; for those of a tenant, its own alone. They belong to the service and outlive the account that made them. */
export const apiTokenOperations = (
  services: AuthServices,
  maxPageSize: number,
  roles: readonly string[],
  names: ScopeNames,
): readonly Operation[] => {
  const newToken = newTokenOf(roles, names);
  return [
    {
      ...common,
      id: 'listApiTokens',
      method: 'GET',
      path: root,
      summary: 'List API tokens',
      description: 'In the order of their creation, those that have expired included.',
      query: { schema: listParameters, validation: 'schema' },
      responses: readResponses('One page of tokens.', pageSchema('ApiTokenList', apiTokenSchema)),
      problems: [400, 503],
      handle: async ({ request, query, caller }) => {
        const page = readPage(query, maxPageSize);
        const { apiTokens, total } = await services.apiTokens.list(services.database, page, caller.tenant);
        return jsonRead(request, {
          items: apiTokens.map((each) => apiTokenJson(each, names)),
          total,
          page: page.page,
          page_size: page.pageSize,
        });
      },
    },
    {
      ...common,
      id: 'createApiToken',
      stepUp: 'sessions',
      method: 'POST',
      path: root,
      summary: 'Create an API token',
      description: 'It belongs to the tenant of its creator, unless `tenant_id` names another.',
      body: newToken.declaration,
      responses: { 201: { description: 'The token.', schema: createdSchema, headers: locationHeader } },
      problems: [400, 422, 503],
      handle: async (context) => {
        const { database, apiTokens, now } = services;
        const { tenant } = context.caller;
        const sent = await newToken.read(context, (_, sound) => apiTokenErrors(sound, now()));
        const { scopes = null, ...values } = sent;
        const faults = [...tenantFaults(context.caller, sent.tenant_id), ...names.faults(scopes ?? [])];
        if (faults.length > 0) throw invalid(faults);
        const given = readApiTokenInput(tenant === undefined ? values : { ...values, tenant_id: tenant }, now());
        const kept = scopes === null ? null : names.stored(scopes);
        const made = { ...given, scopes: kept, createdBy: callerId(context.caller) };
        const { apiToken, secret } = await apiTokens.create(database, made, now(), context.caller);
        const headers = { Location: `${root}/${apiToken.id}`, ...noStore };
        return json(201, { ...apiTokenJson(apiToken, names), token: secret }, headers);
      },
    },
    {
      ...common,
      id: 'getApiToken',
      method: 'GET',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Get an API token',
      responses: readResponses('Everything about it but the token itself.', apiTokenSchema),
      problems: [404, 503],
      handle: async (context) => {
        const { tenant } = context.caller;
        const apiToken = await services.apiTokens.byId(services.database, context.param('id'));
        if (apiToken === undefined || (tenant !== undefined && apiToken.tenant !== tenant)) throw noSuchToken();
        return jsonRead(context.request, apiTokenJson(apiToken, names));
      },
    },
    {
      ...common,
      id: 'deleteApiToken',
      stepUp: 'sessions',
      method: 'DELETE',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Revoke an API token',
      description: 'The token is rejected from now on.',
      responses: { 204: { description: 'The token is gone.' } },
      problems: [404, 503],
      handle: async (context) => {
        const { database, apiTokens, now } = services;
        const by = { tenant: context.caller.tenant, by: context.caller, now: now() };
        if (!(await apiTokens.remove(database, context.param('id'), by))) throw noSuchToken();
        return noContent();
      },
    },
  ];
};
