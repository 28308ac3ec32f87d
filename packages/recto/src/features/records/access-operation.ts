import Type from 'typebox';
import type { AuthServices } from '../../auth/auth-services.ts';
import { currentCaller } from '../../auth/current-caller.ts';
import { type AuthenticatedCaller, builtInRoleNames, type Caller, isAuthenticated } from '../../base/caller.ts';
import { notFound, unauthorized } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { idPattern } from '../../definition/fields/id-field.ts';
import type { Operation } from '../../http/operation.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import { accessActions } from '../../records/read/record-access.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems, jsonResponse } from './record-operation.ts';
import { schemaName } from './schema-name.ts';

/** `GET /admin/cms/{plural}/{id}/access`: what somebody may do with a record on the admin routes, and why. */
export function accessOperation(type: ContentType, records: Records, auth: AuthServices): Operation {
  const roles = [...builtInRoleNames, ...records.types.ownRoles.all.map(({ name }) => name)];
  return {
    id: `get${schemaName(type)}RecordAccess`,
    method: 'GET',
    path: `/api/v1/admin/cms/${type.plural}/{id}/access`,
    tag: type.name,
    summary: `Explain who may do what with a record (${type.name})`,
    description: 'What an account may do with the record on the admin routes, and the rule that decides. For admins.',
    security: 'bearer',
    roles: ['admin'],
    params: idParams,
    query: { schema: parametersOf(roles), validation: 'schema' },
    responses: { 200: jsonResponse('What may be done, and why.', () => accessSchema), 304: unchanged },
    problems: commonProblems(404),
    async handle(context) {
      const { caller, query, request } = context;
      const subject = await subjectOf(caller, query, auth);
      const { hidden, actions } = await records.access({ type, id: context.param('id'), caller, subject });
      const account = query.account === undefined ? null : subject.id;
      return jsonRead(request, { role: subject.role, account, hidden, actions });
    },
  };
}

/** Of whom the request asks; without a name, that is the caller. */
async function subjectOf(
  caller: Caller,
  { account, role }: Readonly<Record<string, unknown>>,
  auth: AuthServices,
): Promise<AuthenticatedCaller> {
  if (!isAuthenticated(caller)) throw unauthorized('authentication_required', 'Requires an access token.');
  const found = account === undefined ? caller : await currentCaller(auth, { kind: 'account', id: String(account) });
  // An admin of a tenant learns of its own accounts alone.
  if (found === undefined || (caller.tenant !== undefined && found.tenant !== caller.tenant)) {
    throw notFound('There is no such account, or it is disabled, or its role no longer exists.');
  }
  return role === undefined ? found : { ...found, role: String(role) };
}

const parametersOf = (roles: readonly string[]) =>
  Type.Object({
    account: Type.Optional(
      Type.String({ format: 'uuid', pattern: idPattern, description: 'The id of an account; default: the caller.' }),
    ),
    role: Type.Optional(
      Type.Enum([...roles], { description: 'What they would be shown with this role in place of their own.' }),
    ),
  });

const access = Type.Object(
  {
    may: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether they may. Null: that depends on what the request sends.',
    }),
    rule: Type.Union([Type.String(), Type.Null()], {
      description: 'The rule of the role. Null: the right is for all records or for none.',
    }),
    holds: Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'Whether the right holds for this record, whatever else it takes: a record is changed and deleted by those who may get it, and published by those who may update it.',
    }),
  },
  { additionalProperties: false },
);

const accessSchema = Type.Object(
  {
    role: Type.String(),
    account: Type.Union([recordId, Type.Null()]),
    hidden: Type.Boolean({
      description: 'The type hides the record from them, whatever rights they have: it belongs to another tenant.',
    }),
    actions: Type.Object(Object.fromEntries(accessActions.map((action) => [action, Type.Optional(access)])), {
      additionalProperties: false,
    }),
  },
  { $id: 'RecordAccess', additionalProperties: false },
);
