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
    name: nullable(Type.String({ description: 'The display name, else the username; null for neither.' })),
  },
  { $id: 'AccountName', additionalProperties: false },
);

/** `GET /api/v1/admin/people/{id}`: how an account is called, for the people who write beside it, whether its profile is public or not. */
export const accountNameOperation = (services: AuthServices): Operation => ({
  id: 'getAccountName',
  method: 'GET',
  path: '/api/v1/admin/people/{id}',
  tag: 'users',
  summary: 'Get the name of an account',
  description: 'For editors. An account of a tenant gets the names of accounts of the tenant only.',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
  params: idParams,
  responses: readResponses('The name.', schema),
  problems: [404, 503],
  handle: async (context) => {
    const { request, caller } = context;
    const { id, profile, username } = await findAccount(
      services,
      services.database,
      context.param('id'),
      caller.tenant,
    );
    return jsonRead(request, { id, name: profile.display_name || username });
  },
});
