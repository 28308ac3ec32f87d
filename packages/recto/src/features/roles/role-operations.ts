import Type from 'typebox';
import { callerId } from '../../base/caller.ts';
import type { RoleChanges } from '../../content-types/roles/role-changes.ts';
import type { RoleEntry } from '../../content-types/roles/role-entry.ts';
import type { RoleMoment } from '../../content-types/roles/role-store.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import { newRoleBody, roleBody, roleEntrySchema } from './role-schemas.ts';

const root = '/api/v1/admin/roles';
const common = { tag: 'roles', security: 'bearer', roles: ['admin'], installation: true } as const;

/** Roles of the installation's own. Those of files are read here and changed there. */
export const roleOperations = (changes: RoleChanges, maxPageSize: number): readonly Operation[] => [
  {
    ...common,
    id: 'listRoles',
    method: 'GET',
    path: root,
    summary: 'List the roles of this installation',
    description:
      'Ordered by name. The roles `admin`, `editor` and `member`, which every service has, are not among them.',
    query: { schema: Type.Object(pageParameters), validation: 'schema' },
    responses: readResponses('One page of roles.', pageSchema('RoleList', roleEntrySchema)),
    problems: [400, 503],
    handle: async ({ query, request }) => {
      const page = readPage(query, maxPageSize);
      const all = await changes.entries();
      const items = all.slice(page.offset, page.offset + page.limit);
      return jsonRead(request, { items, total: all.length, page: page.page, page_size: page.pageSize });
    },
  },
  {
    ...common,
    id: 'getRole',
    method: 'GET',
    path: `${root}/{name}`,
    summary: 'Get a role of this installation',
    responses: readResponses('The role.', roleEntrySchema),
    problems: [404, 503],
    handle: async (context) => jsonRead(context.request, await changes.entry(context.param('name'))),
  },
  {
    ...common,
    id: 'createRole',
    stepUp: 'sessions',
    method: 'POST',
    once: true,
    path: root,
    summary: 'Create a role',
    description: 'The body is the content of a role file, in JSON. Accounts and API tokens can have it at once.',
    body: { schema: newRoleBody, validation: 'own', repeatedNames: 'refused' },
    responses: { 201: { description: 'The role.', schema: roleEntrySchema, headers: locationHeader } },
    problems: [400, 422, 503],
    handle: async (context) => {
      const work = changes.creation(await context.body(), momentOf(context));
      const reply = (entry: RoleEntry) => jsonReply(201, entry, { Location: `${root}/${entry.name}` });
      return context.respondInTransaction((all) => changes.commit(all), work, reply);
    },
  },
  {
    ...common,
    id: 'replaceRole',
    stepUp: 'sessions',
    method: 'PUT',
    patch: false,
    path: `${root}/{name}`,
    summary: 'Replace a role',
    description:
      'The body is the whole role: a right that it leaves out is that of its base. It holds from the next request on, for everyone who has the role. A role of a file is 409 `belongs_to_deployment`.',
    body: { schema: roleBody, validation: 'own', repeatedNames: 'refused' },
    responses: { 200: { description: 'The role as it is now.', schema: roleEntrySchema } },
    problems: [400, 404, 409, 422, 503],
    handle: async (context) => {
      const sent = await context.body();
      return json(200, await changes.commit(changes.replacement(context.param('name'), sent, momentOf(context))));
    },
  },
  {
    ...common,
    id: 'deleteRole',
    stepUp: 'sessions',
    method: 'DELETE',
    path: `${root}/{name}`,
    summary: 'Delete a role',
    description:
      'A role that accounts, API tokens, sign-in providers or rules of content types have cannot be deleted: 409 `role_in_use`. One of a file is 409 `belongs_to_deployment`.',
    responses: { 204: { description: 'The role is gone.' } },
    problems: [404, 409, 503],
    handle: async (context) => {
      await changes.commit(changes.removal(context.param('name'), momentOf(context)));
      return noContent();
    },
  },
];

const momentOf = ({ caller }: RequestContext): RoleMoment => ({
  author: callerId(caller),
  caller,
  now: new Date().toISOString(),
});
