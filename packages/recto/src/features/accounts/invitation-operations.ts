import Type from 'typebox';
import { checkAccountInput } from '../../auth/account-input.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { acceptInvitation, inviteAgain } from '../../auth/flows/invitation.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { languageOf } from '../../http/request-language.ts';
import { json } from '../../http/responses/json-response.ts';
import { acceptedSchema } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { agentOf } from './account-caller.ts';
import { documentedAccount, newPasswordSchema, nullableUsername } from './account-schemas.ts';
import { tokenSchema } from './flow-operations.ts';
import { sessionMode } from './sessions/session-cookie.ts';
import { noStore, signedInResponse, signedInSchema } from './sessions/signed-in-response.ts';

/** The address of the page where a link's action is completed. */
export type LinkOf = (action: string, token: string) => string;

const body = new CheckedBody(
  {
    token: tokenSchema,
    password: newPasswordSchema,
    username: Type.Optional(nullableUsername),
    session: sessionMode,
  },
  { username: Type.Optional(documentedAccount.username) },
);

const linkSchema = Type.Object(
  {
    link: Type.String({
      description: 'To hand over: it is shown this once. A path of this service where RECTO_URL is not set.',
    }),
  },
  { additionalProperties: false },
);

/** Inviting again, and accepting. Accounts are invited by `createUser`. */
export const invitationOperations = (services: AuthServices, linkOf: LinkOf): readonly Operation[] => [
  {
    id: 'inviteUser',
    stepUp: 'sessions',
    method: 'POST',
    path: '/api/v1/admin/users/{id}/invitation',
    params: idParams,
    tag: 'users',
    security: 'bearer',
    roles: ['admin'],
    summary: 'Invite a user again',
    description:
      'Mails a new link, and the earlier one ends. Where the service sends no mail, the response has the link. 409 `invitation_accepted` for a user who does not wait for one.',
    responses:
      services.mails === undefined
        ? { 200: { description: 'The link.', schema: linkSchema } }
        : { 202: { description: 'Accepted. A mail follows.', schema: acceptedSchema } },
    problems: [404, 409, 503],
    handle: async (context) => {
      const { caller } = context;
      const options = { within: caller.tenant, language: languageOf(context) };
      const token = await inviteAgain({ ...services, by: caller }, context.param('id'), options);
      return token === undefined ? json(202, {}, noStore) : json(200, { link: linkOf('invitation', token) }, noStore);
    },
  },
  {
    id: 'acceptInvitation',
    method: 'POST',
    path: '/api/v1/auth/invitation/confirm',
    tag: 'auth',
    security: 'none',
    summary: 'Accept an invitation',
    description:
      'Sets the password, and the username if there is one, and signs in. 401 `invalid_link` as for other links.',
    body: body.declaration,
    responses: { 200: { description: 'Tokens of a new session.', schema: signedInSchema } },
    problems: [400, 401, 422, 503],
    handle: async (context) => {
      const { session, ...given } = await body.read(context, (input) => checkAccountInput(input).faults);
      const parts = { ...services, by: context.caller, agent: agentOf(context) };
      return signedInResponse(context, session, 200, await acceptInvitation(parts, given));
    },
  },
];
