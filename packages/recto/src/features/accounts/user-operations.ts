import Type from 'typebox';
import type { Account } from '../../auth/account.ts';
import { accountScope } from '../../auth/account-filter.ts';
import type { AccountInput } from '../../auth/account-input.ts';
import type { AccountExpression, AccountFilter } from '../../auth/account-list.ts';
import {
  accountFaults,
  changeAccount,
  findAccount,
  prepareAccount,
  type ReleaseAccount,
  removeAccount,
  runInAccountTransaction,
} from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import type { Caller } from '../../base/caller.ts';
import { invalid } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { QueryReader, type QueryValues } from '../../http/query-reader.ts';
import { languageOf } from '../../http/request-language.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { readGivenFilter } from '../../query/filter-query.ts';
import type { RuleScope } from '../../rules/rule-scope.ts';
import { expressionParameter } from '../records/parameters/query-schemas.ts';
import { wholeOrPart } from '../records/record-schemas.ts';
import {
  documentedAccount,
  documentedProfile,
  emailSchema,
  newPasswordSchema,
  nullableTenant,
  nullableUsername,
  profileInput,
  roleSchema,
  userJson,
  userSchema,
} from './account-schemas.ts';
import { givenRoleFaults, requireManageable, requireStillManageable } from './manageable-accounts.ts';
import { mayVerify, tenantFaults, verifiedFaults } from './own-tenant.ts';
import { accountFields, selectedUser, sentFields } from './profile/selected-members.ts';

const root = '/api/v1/admin/users';
const readUser = wholeOrPart(userSchema, 'User');
const maxSearchLength = 320;
const common = { tag: 'users', security: 'bearer', roles: ['admin'], right: { may: 'users' } } as const;

const listParametersOf = (roles: readonly string[]) => ({
  ...pageParameters,
  role: Type.Optional(roleSchema(roles)),
  disabled: Type.Optional(Type.Boolean()),
  filter: Type.Optional(expressionParameter),
  tenant_id: Type.Optional(Type.String({ maxLength: 63, description: 'Only users of this tenant.' })),
  search: Type.Optional(
    Type.String({ maxLength: maxSearchLength, description: 'Part of an email address or username, in any case.' }),
  ),
});

const getReader = new QueryReader(Type.Object(sentFields));

const newUserOf = (roles: readonly string[]) =>
  new CheckedBody(
    {
      email: emailSchema,
      /** Required without `invite`. */
      password: Type.Optional(newPasswordSchema),
      invite: Type.Optional(
        Type.Boolean({
          description:
            'The person chooses the password, by a link that is mailed, or handed over where the service sends no mail.',
        }),
      ),
      username: Type.Optional(nullableUsername),
      role: Type.Optional(roleSchema(roles)),
      verified: Type.Optional(Type.Boolean()),
      tenant_id: Type.Optional(nullableTenant),
      ...profileInput,
    },
    {
      email: documentedAccount.email,
      username: Type.Optional(documentedAccount.username),
      tenant_id: Type.Optional(documentedAccount.tenant_id),
      ...documentedProfile,
    },
  );

const kept = Type.Optional(Type.Unknown({ description: 'Ignored, so that a fetched user can be sent back.' }));

const userChangeOf = (roles: readonly string[]) =>
  new CheckedBody(
    {
      email: Type.Optional(emailSchema),
      username: Type.Optional(nullableUsername),
      password: Type.Optional(newPasswordSchema),
      role: Type.Optional(roleSchema(roles)),
      disabled: Type.Optional(Type.Boolean()),
      verified: Type.Optional(Type.Boolean()),
      tenant_id: Type.Optional(nullableTenant),
      ...profileInput,
      id: kept,
      pending_email: kept,
      invited_at: kept,
      second_factor: kept,
      created_at: kept,
      updated_at: kept,
    },
    {
      email: Type.Optional(documentedAccount.email),
      username: Type.Optional(documentedAccount.username),
      tenant_id: Type.Optional(documentedAccount.tenant_id),
      ...documentedProfile,
    },
  );

function readExpression(text: string, caller: Caller, scope: RuleScope): AccountExpression | undefined {
  const filter = readGivenFilter(text, scope);
  return filter && { filter, caller };
}

/** The schema of the parameters has accepted them. */
function readFilter(
  { role, disabled, tenant_id, search, filter }: QueryValues,
  caller: Caller,
  scope: RuleScope,
): AccountFilter {
  return {
    role: typeof role === 'string' ? role : undefined,
    disabled: typeof disabled === 'boolean' ? disabled : undefined,
    tenant: typeof tenant_id === 'string' ? tenant_id : undefined,
    within: caller.tenant,
    search: typeof search === 'string' && search !== '' ? search : undefined,
    expression: typeof filter === 'string' ? readExpression(filter, caller, scope) : undefined,
  };
}

const invitationFaults = ({ invite = false, password }: { readonly invite?: boolean; readonly password?: string }) => {
  if (invite && password !== undefined)
    return [{ field: 'password', code: 'not_allowed', message: 'Who is invited chooses the password.' }];
  return invite || password !== undefined
    ? []
    : [{ field: 'password', code: 'required', message: 'This field is required without "invite".' }];
};

/** Whether a change decides who gets into the account, or what they may do then. What is sent back as it was read does not. */
const changesAccess = (
  present: Account,
  { email, password, role, disabled, verified, tenant_id }: AccountInput,
): boolean =>
  password !== undefined ||
  (email !== undefined && email !== present.email) ||
  (role !== undefined && role !== present.role) ||
  (disabled !== undefined && disabled !== present.disabled) ||
  (verified !== undefined && verified !== present.verified) ||
  (tenant_id !== undefined && tenant_id !== present.tenant);

/** The accounts, for admins: for those of a tenant, its own alone. */
export const userOperations = (
  services: AuthServices,
  maxPageSize: number,
  release: ReleaseAccount,
  roles: readonly string[],
): readonly Operation[] => {
  const listParameters = listParametersOf(roles);
  const listReader = new QueryReader(Type.Object({ ...listParameters, ...sentFields }));
  const [newUser, userChange, scope] = [newUserOf(roles), userChangeOf(roles), accountScope(roles)];
  return [
    {
      ...common,
      id: 'listUsers',
      method: 'GET',
      path: root,
      summary: 'List users',
      description: 'In the order of their creation.',
      query: { schema: Type.Object({ ...listParameters, ...accountFields }), validation: 'own' },
      responses: readResponses('One page of users.', pageSchema('UserList', readUser)),
      problems: [400, 503],
      handle: async ({ request, search, caller }) => {
        const query = listReader.read(search);
        const selected = selectedUser(query.fields);
        const page = readPage(query, maxPageSize);
        const { accounts, total } = await services.accounts.list(
          services.database,
          readFilter(query, caller, scope),
          page,
        );
        return jsonRead(request, { items: accounts.map(selected), total, page: page.page, page_size: page.pageSize });
      },
    },
    {
      ...common,
      id: 'createUser',
      method: 'POST',
      path: root,
      summary: 'Create a user',
      description:
        'A `member` unless `role` says otherwise, which takes a recent proof that it is you: 403 `step_up_required`. Works even if registration is closed. With `invite`, nobody can sign in until the invitation is accepted: `invited_at` says since when it waits.',
      once: true,
      body: newUser.declaration,
      responses: { 201: { description: 'The user.', schema: userSchema, headers: locationHeader } },
      problems: [400, 422, 503],
      handle: async (context) => {
        const { tenant } = context.caller;
        const sent = await newUser.read(context, (readable) => accountFaults(services, readable));
        const faults = [
          ...tenantFaults(context.caller, sent.tenant_id),
          ...verifiedFaults(context.caller, sent.verified, false),
          ...givenRoleFaults(context.caller, sent.role),
          ...invitationFaults(sent),
        ];
        if (faults.length > 0) throw invalid([...faults, ...(await accountFaults(services, sent))]);
        if (sent.role !== undefined && sent.role !== 'member') await context.requireStepUp('sessions');
        const input = tenant === undefined ? sent : { ...sent, tenant_id: tenant };
        const insert = await prepareAccount({ ...services, by: context.caller }, input);
        const language = languageOf(context);
        return context.respondInTransaction(
          (work) => runInAccountTransaction(services, work),
          async (transaction) => {
            const account = await insert(transaction);
            if (sent.invite === true)
              await services.mails?.queue(transaction, { kind: 'invitation', account: account.id, language });
            return account;
          },
          (account) => jsonReply(201, userJson(account), { Location: `${root}/${account.id}` }),
        );
      },
    },
    {
      ...common,
      id: 'getUser',
      method: 'GET',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Get a user',
      query: { schema: Type.Object(accountFields), validation: 'own' },
      responses: readResponses('The user.', readUser),
      problems: [400, 404, 503],
      handle: async (context) => {
        const selected = selectedUser(getReader.read(context.search).fields);
        const { database } = services;
        return jsonRead(
          context.request,
          selected(await findAccount(services, database, context.param('id'), context.caller.tenant)),
        );
      },
    },
    {
      ...common,
      id: 'updateUser',
      method: 'PUT',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Change a user',
      description:
        'What is left out keeps its value. A new password, or `disabled`, ends the user’s sessions at once; a new role or tenant takes effect with the next request. Another email address is not `verified`, unless the body says so. The last admin keeps the role: 409 `last_admin`. A change of address, password, role, tenant, `disabled` or `verified` takes a recent proof that it is you: 403 `step_up_required`.',
      body: userChange.declaration,
      responses: { 200: { description: 'The user as it is now.', schema: userSchema } },
      problems: [400, 404, 409, 422, 503],
      handle: async (context) => {
        const id = context.param('id');
        const { tenant } = context.caller;
        const present = await findAccount(services, services.database, id, tenant);
        requireManageable(context.caller, present);
        const body = await userChange.read(context, (input) => accountFaults(services, input, id));
        const { id: _, created_at: _created, updated_at: _updated, verified, ...sentValues } = body;
        const { pending_email: _pending, invited_at: _invited, second_factor: _factor, ...values } = sentValues;
        // What others send back is what was read: it does not hold for another address.
        const input = mayVerify(context.caller) ? { ...values, verified } : values;
        const faults = [
          ...tenantFaults(context.caller, input.tenant_id),
          ...verifiedFaults(context.caller, verified, present.verified),
          ...givenRoleFaults(context.caller, input.role),
        ];
        if (faults.length > 0) throw invalid([...faults, ...(await accountFaults(services, input, id))]);
        if (changesAccess(present, input)) await context.requireStepUp('sessions');
        const language = languageOf(context);
        const notice = async (transaction: Transaction): Promise<void> => {
          await requireStillManageable(services, context.caller, transaction, id);
          if (input.password !== undefined)
            await services.mails?.queue(transaction, { kind: 'password_changed', account: id, language });
        };
        const parts = { ...services, by: context.caller };
        return json(200, userJson(await changeAccount(parts, id, input, tenant, {}, notice)));
      },
    },
    {
      ...common,
      id: 'deleteUser',
      stepUp: 'sessions',
      method: 'DELETE',
      path: `${root}/{id}`,
      params: idParams,
      summary: 'Delete a user',
      description:
        'Ends the user’s sessions at once. Records keep the id of who made them; relations to the user are cleared, and where a record needs one, the user cannot be deleted: 409 `record_in_use`. Neither can the last admin: 409 `last_admin`.',
      responses: { 204: { description: 'The user is gone.' } },
      problems: [404, 409, 503],
      handle: async (context) => {
        const { caller } = context;
        const id = context.param('id');
        requireManageable(caller, await findAccount(services, services.database, id, caller.tenant));
        const guarded: ReleaseAccount = async (transaction, removal) => {
          await requireStillManageable(services, caller, transaction, id);
          return release(transaction, removal);
        };
        await removeAccount({ ...services, by: caller }, id, caller.tenant, guarded);
        return noContent();
      },
    },
  ];
};
