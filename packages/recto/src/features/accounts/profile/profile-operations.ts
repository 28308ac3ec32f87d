import Type from 'typebox';
import { checkAccountInput } from '../../../auth/account-input.ts';
import { noSuchAccount } from '../../../auth/accounts.ts';
import type { AuthServices } from '../../../auth/auth-services.ts';
import { changePassword, changeProfile } from '../../../auth/sign-in.ts';
import { CheckedBody } from '../../../http/checked-body.ts';
import type { Operation } from '../../../http/operation.ts';
import { languageOf } from '../../../http/request-language.ts';
import { json, jsonRead } from '../../../http/responses/json-response.ts';
import { readResponses } from '../../../http/shared-responses.ts';
import { accountCaller, agentOf } from '../account-caller.ts';
import {
  documentedAccount,
  documentedProfile,
  emailSchema,
  newPasswordSchema,
  nullableUsername,
  passwordSchema,
  profileInput,
  userJson,
  userSchema,
} from '../account-schemas.ts';
import { sessionMode } from '../sessions/session-cookie.ts';
import { signedInResponse, signedInSchema } from '../sessions/signed-in-response.ts';

const tag = 'auth';

const profile = new CheckedBody(
  {
    email: Type.Optional(emailSchema),
    username: Type.Optional(nullableUsername),
    current_password: Type.Optional(passwordSchema),
    ...profileInput,
  },
  {
    email: Type.Optional(documentedAccount.email),
    username: Type.Optional(documentedAccount.username),
    ...documentedProfile,
  },
);

const passwords = new CheckedBody({
  current_password: passwordSchema,
  new_password: newPasswordSchema,
  session: sessionMode,
});

/** What an account reads and changes of itself. */
export const profileOperations = (services: AuthServices): readonly Operation[] => [
  {
    id: 'getMe',
    duringSetup: true,
    method: 'GET',
    path: '/api/v1/auth/me',
    tag,
    summary: 'Get the own account',
    description: 'An API token gets 403 `not_an_account`.',
    security: 'bearer',
    responses: readResponses('The account.', userSchema),
    problems: [403, 503],
    handle: async (context) => {
      const account = await services.accounts.byId(services.database, accountCaller(context).id);
      if (account === undefined) throw noSuchAccount();
      return jsonRead(context.request, userJson(account));
    },
  },
  {
    id: 'updateMe',
    method: 'PUT',
    path: '/api/v1/auth/me',
    tag,
    summary: 'Change email address, username or profile',
    description:
      'What is left out keeps its value. Changing the email address requires `current_password`. Where the service sends mail, the account keeps its address until the new one is confirmed by the link that is mailed there, and `pending_email` names it until then.',
    security: 'bearer',
    body: profile.declaration,
    responses: { 200: { description: 'The account as it is now.', schema: userSchema } },
    problems: [400, 403, 422, 429, 503],
    handle: async (context) => {
      const { id } = accountCaller(context);
      const { current_password, ...change } = await profile.read(context, (input) => checkAccountInput(input).faults);
      return json(
        200,
        userJson(
          await changeProfile(
            { ...services, by: context.caller, language: languageOf(context) },
            id,
            { ...change, currentPassword: current_password },
            context.address,
          ),
        ),
      );
    },
  },
  {
    id: 'changePassword',
    method: 'PUT',
    path: '/api/v1/auth/me/password',
    tag,
    summary: 'Change the password',
    description:
      'Ends all sessions of the account, including the one that asks, and returns the tokens of a new session.',
    security: 'bearer',
    body: passwords.declaration,
    responses: { 200: { description: 'Tokens of a new session.', schema: signedInSchema } },
    problems: [400, 403, 422, 429, 503],
    handle: async (context) => {
      const { id, session: asking } = accountCaller(context);
      const { current_password, new_password, session } = await passwords.read(context);
      return signedInResponse(
        context,
        session,
        200,
        await changePassword(
          { ...services, by: context.caller, agent: agentOf(context), language: languageOf(context) },
          { id, session: asking },
          {
            current: current_password,
            next: new_password,
          },
        ),
      );
    },
  },
];
