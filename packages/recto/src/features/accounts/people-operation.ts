import Type from 'typebox';
import type { AuthServices } from '../../auth/auth-services.ts';
import { workingName } from '../../auth/working-name.ts';
import { foldKey } from '../../base/email-address.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { roleActions } from '../../definition/roles/role.ts';
import type { Operation } from '../../http/operation.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { readResponses } from '../../http/shared-responses.ts';
import { recordId } from '../../http/shared-schemas.ts';

/** The most people that are looked through, and that are listed. */
const mostPeople = 2_000;
const mostListed = 50;

const parameters = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of a name, in any case.' })),
});

const schema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: recordId,
          name: Type.String({ description: 'The display name, else the username, else what stands before the `@`.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'People', additionalProperties: false },
);

/** `GET /api/v1/admin/people`: those who work in the admin, whom a note can mention and a record be given to. */
export const peopleOperation = (services: AuthServices, types: ContentTypes): Operation => ({
  id: 'listPeople',
  method: 'GET',
  path: '/api/v1/admin/people',
  tag: 'users',
  summary: 'List the people who work in the admin',
  description: `Up to ${mostListed}, by name. An account of a tenant gets those of the tenant only. Email addresses are for those who manage users.`,
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
  query: { schema: parameters, validation: 'schema' },
  responses: readResponses('The people.', schema),
  problems: [400, 503],
  handle: async ({ request, query, caller }) => {
    const asked = { roles: workingRoles(types), within: caller.tenant, most: mostPeople };
    const accounts = await services.accounts.ofRoles(services.database, asked);
    const wanted = foldKey(String(query.search ?? ''));
    const items = accounts
      .map(({ id, profile, username, email }) => {
        const name = workingName({ displayName: profile.display_name, username, email });
        return { id, name };
      })
      .filter(({ name }) => foldKey(name).includes(wanted))
      .toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
      .slice(0, mostListed);
    return jsonRead(request, { items });
  },
});

/** The roles that have any right to records in the admin. */
function workingRoles({ ownRoles }: ContentTypes): readonly string[] {
  const own = ownRoles.all.filter(({ types }) =>
    [...types.values()].some((grant) => roleActions.some((action) => grant[action] !== false)),
  );
  return ['admin', 'editor', ...own.map(({ name }) => name)];
}
