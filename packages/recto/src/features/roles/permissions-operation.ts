import { callerRole, callerScopes } from '../../base/caller.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { readResponses } from '../../http/shared-responses.ts';
import { narrowedPermissions, permissionsOf } from './permissions.ts';
import { permissionsSchema } from './role-schemas.ts';

/** What the caller may do. */
export const permissionsOperation = (types: ContentTypes): Operation => ({
  id: 'getMyPermissions',
  method: 'GET',
  path: '/api/v1/auth/me/permissions',
  tag: 'roles',
  summary: 'Get what you may do',
  description:
    'The rights of the caller’s role on the admin routes, for each content type and for everything else. For an API token with `scopes`, what they leave of it.',
  security: 'bearer',
  anyScope: true,
  responses: readResponses('The permissions.', permissionsSchema),
  problems: [503],
  handle: ({ caller, request }) =>
    jsonRead(request, narrowedPermissions(permissionsOf(callerRole(caller) ?? 'member', types), callerScopes(caller))),
});
