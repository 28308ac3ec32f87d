import Type from 'typebox';
import { mapMaybe } from '../../../base/maybe-promise.ts';
import { profileSingular } from '../../../definition/profile/profile-type.ts';
import type { Operation } from '../../../http/operation.ts';
import { QueryReader } from '../../../http/query-reader.ts';
import { unchanged } from '../../../http/shared-responses.ts';
import { idParams } from '../../../http/shared-schemas.ts';
import { tenantHeaders } from '../../../http/tenant-header.ts';
import type { Records } from '../../../records/records.ts';
import { selectionOf, shownNames } from '../../records/parameters/fields-parameter.ts';
import { commonProblems, jsonResponse, own } from '../../records/record-operation.ts';
import { readResponse } from '../../records/record-response.ts';
import { readSchema } from '../../records/record-schemas.ts';

const reader = new QueryReader(Type.Object({ fields: Type.Optional(Type.String()) }));

/** `GET /api/v1/users/{id}`: what an account says of itself to everyone. */
export function publicProfileOperation(records: Records): Operation {
  const type = records.types.get(profileSingular);
  return {
    id: 'getPublicProfile',
    method: 'GET',
    path: '/api/v1/users/{id}',
    tag: 'users',
    summary: 'Get the public profile of an account',
    description:
      'Of accounts that share their profile (`profile_public`), and of authors of a post, page or comment that the caller may read. All others are 404.',
    security: 'optional',
    params: idParams,
    headers: tenantHeaders,
    query: own(() => Type.Object({ fields: Type.Optional(selectionOf(shownNames(type, 'get'))) })),
    responses: {
      200: jsonResponse('The profile.', () => readSchema(type, 'get', records.types)),
      304: unchanged,
    },
    problems: commonProblems(403, 404),
    handle(context) {
      // No other parameter is one of this route.
      const { fields } = reader.read(context.search);
      const search = fields === undefined ? '' : new URLSearchParams({ fields: String(fields) }).toString();
      const asked = { type, view: 'get', caller: context.caller, id: context.param('id'), search } as const;
      return mapMaybe(records.get(asked), (answer) => readResponse(answer, context));
    },
  };
}
