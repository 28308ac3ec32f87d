import Type from 'typebox';
import { findAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import type { Operation } from '../../http/operation.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { readResponses } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import { nullable } from './account-schemas.ts';

const schema = Type.Object(
  {
    id: recordId,
    kind: Type.Enum(['account', 'token'], { description: 'Whether it is an account or an API token.' }),
    name: nullable(
      Type.String({ description: 'The display name, else the username; null for neither. Of a token: its name.' }),
    ),
  },
  { $id: 'AccountName', additionalProperties: false },
);

/** `GET /api/v1/admin/people/{id}`: how an account or an API token is called, for the people who write beside it, whether its profile is public or not. */
export const accountNameOperation = (services: AuthServices): Operation => ({
  id: 'getAccountName',
  method: 'GET',
  path: '/api/v1/admin/people/{id}',
  tag: 'users',
  summary: 'Get the name of an account or API token',
  description: 'For editors. An account of a tenant gets the names of accounts and tokens of the tenant only.',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
  params: idParams,
  responses: readResponses('The name.', schema),
  problems: [404, 503],
  handle: async (context) => {
    const { request, caller } = context;
    const id = context.param('id');
    const token = await services.apiTokens.byId(services.database, id);
    if (token !== undefined && (caller.tenant === undefined || token.tenant === caller.tenant))
      return jsonRead(request, { id, kind: 'token', name: token.name });
    const { profile, username } = await findAccount(services, services.database, id, caller.tenant);
    return jsonRead(request, { id, kind: 'account', name: profile.display_name || username });
  },
});
