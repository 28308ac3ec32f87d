import Type from 'typebox';
import type { AccountFilter } from '../../auth/account-store.ts';
import { accountFaults, changeAccount, createAccount, noSuchAccount, removeAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { roles } from '../../caller/caller.ts';
import { json } from '../json-response.ts';
import type { Operation, RequestContext } from '../operation.ts';
import { jsonReply } from '../reply.ts';
import {
  emailSchema,
  locationHeader,
  newPasswordSchema,
  noContent,
  pageSchema,
  roleSchema,
  userJson,
  usernameSchema,
  userSchema,
} from './account-schemas.ts';
import { CheckedBody } from './checked-body.ts';
import { pageParameters, readPage } from './page-parameters.ts';

const root = '/api/v1/admin/users';
const maxSearchLength = 320;
const common = { tag: 'users', security: 'bearer', roles: ['admin'] } as const;

const listParameters = Type.Object({
  ...pageParameters,
  role: Type.Optional(roleSchema),
  disabled: Type.Optional(Type.Boolean()),
  search: Type.Optional(
    Type.String({ maxLength: maxSearchLength, description: 'Part of an email address or username, in any case.' }),
  ),
});

const newUser = new CheckedBody({
  email: emailSchema,
  password: newPasswordSchema,
  username: Type.Optional(usernameSchema),
  role: Type.Optional(roleSchema),
});

const kept = Type.Optional(Type.Unknown({ description: 'Ignored, so that a fetched user can be sent back.' }));

const userChange = new CheckedBody({
  email: Type.Optional(emailSchema),
  username: Type.Optional(usernameSchema),
  password: Type.Optional(newPasswordSchema),
  role: Type.Optional(roleSchema),
  disabled: Type.Optional(Type.Boolean()),
  id: kept,
  created_at: kept,
  updated_at: kept,
});

/** The schema of the parameters has accepted them. */
function readFilter({ role, disabled, search }: RequestContext['query']): AccountFilter {
  return {
    role: roles.find((each) => each === role),
    disabled: typeof disabled === 'boolean' ? disabled : undefined,
    search: typeof search === 'string' && search !== '' ? search : undefined,
  };
}

/** The accounts, for admins. */
export const userOperations = (services: AuthServices, maxPageSize: number): readonly Operation[] => [
  {
    ...common,
    id: 'listUsers',
    method: 'GET',
    path: root,
    summary: 'List users',
    description: 'In the order of their creation.',
    query: { schema: listParameters, validation: 'schema' },
    responses: { 200: { description: 'One page of users.', schema: pageSchema('UserList', userSchema) } },
    problems: [400, 503],
    handle: async ({ query }) => {
      const page = readPage(query, maxPageSize);
      const { accounts, total } = await services.accounts.list(services.database, readFilter(query), page);
      return json(200, { items: accounts.map(userJson), total, page: page.page, page_size: page.pageSize });
    },
  },
  {
    ...common,
    id: 'createUser',
    method: 'POST',
    path: root,
    summary: 'Create a user',
    description: 'A `member` unless `role` says otherwise. Works where registration is closed.',
    once: true,
    body: newUser.declaration,
    responses: { 201: { description: 'The user.', schema: userSchema, headers: locationHeader } },
    problems: [400, 422, 503],
    handle: async (context) => {
      const input = await newUser.read(context, (readable) => accountFaults(services, readable));
      return createAccount(services, input, (transaction, account) =>
        context.answering(
          async () => account,
          ({ id }) => jsonReply(201, userJson(account), { Location: `${root}/${id}` }),
        )(transaction),
      );
    },
  },
  {
    ...common,
    id: 'getUser',
    method: 'GET',
    path: `${root}/{id}`,
    summary: 'Get a user',
    responses: { 200: { description: 'The user.', schema: userSchema } },
    problems: [404, 503],
    handle: async (context) => {
      const account = await services.accounts.byId(services.database, context.param('id'));
      if (account === undefined) throw noSuchAccount();
      return json(200, userJson(account));
    },
  },
  {
    ...common,
    id: 'updateUser',
    method: 'PUT',
    path: `${root}/{id}`,
    summary: 'Change a user',
    description:
      'What is left out stays. A new password, or `disabled`, ends the user’s sessions at once; a new role holds from the next request on. The last admin stays one: 409 `last_admin`.',
    body: userChange.declaration,
    responses: { 200: { description: 'The user as it is now.', schema: userSchema } },
    problems: [400, 404, 409, 422, 503],
    handle: async (context) => {
      const id = context.param('id');
      const body = await userChange.read(context, (input) => accountFaults(services, input, id));
      const { email, username, password, role, disabled } = body;
      return json(200, userJson(await changeAccount(services, id, { email, username, password, role, disabled })));
    },
  },
  {
    ...common,
    id: 'deleteUser',
    method: 'DELETE',
    path: `${root}/{id}`,
    summary: 'Delete a user',
    description:
      'Ends the user’s sessions at once; records keep the id of who made them. The last admin stays: 409 `last_admin`.',
    responses: { 204: { description: 'The user is gone.' } },
    problems: [404, 409, 503],
    handle: async (context) => {
      await removeAccount(services, context.param('id'));
      return noContent();
    },
  },
];
