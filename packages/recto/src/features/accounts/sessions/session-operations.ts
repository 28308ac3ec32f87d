import Type from 'typebox';
import { checkAccountInput } from '../../../auth/account-input.ts';
import { accountFaults } from '../../../auth/accounts.ts';
import type { AuthServices } from '../../../auth/auth-services.ts';
import { registerUnconfirmed } from '../../../auth/flows/registration.ts';
import { admitRegistration, login, logout, refresh, register } from '../../../auth/sign-in.ts';
import { invalid } from '../../../base/problem.ts';
import { CheckedBody } from '../../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../../http/operation.ts';
import { languageOf } from '../../../http/request-language.ts';
import { json } from '../../../http/responses/json-response.ts';
import { acceptedSchema, locationHeader, noContent } from '../../../http/shared-responses.ts';
import { accountCaller, agentOf } from '../account-caller.ts';
import {
  documentedAccount,
  emailSchema,
  newPasswordSchema,
  nullableUsername,
  passwordSchema,
} from '../account-schemas.ts';
import { cookieToken, dropCookie, sessionMode } from './session-cookie.ts';
import { noStore, signedInResponse, signedInSchema } from './signed-in-response.ts';

const tag = 'auth';

const registration = new CheckedBody(
  { email: emailSchema, password: newPasswordSchema, username: Type.Optional(nullableUsername), session: sessionMode },
  { email: documentedAccount.email, username: Type.Optional(documentedAccount.username) },
);

const credentials = new CheckedBody({
  email: Type.String({ maxLength: 320 }),
  password: passwordSchema,
  session: sessionMode,
});

const refreshBody = new CheckedBody({
  refresh_token: Type.Optional(Type.String({ maxLength: 200, description: 'Required without `session`.' })),
  session: sessionMode,
});

/** Registering, signing in, staying signed in, signing out. */
export const sessionOperations = (services: AuthServices): readonly Operation[] => [
  {
    id: 'register',
    method: 'POST',
    path: '/api/v1/auth/register',
    tag,
    summary: 'Create an account and sign in',
    description:
      'The account is a `member`. Rejected with 403 `registration_closed` where RECTO_REGISTRATION is `closed` or RECTO_PASSWORD_SIGN_IN is `off`. With RECTO_VERIFY_EMAIL=required, the response is 202 without tokens, also if the address is taken, and takes no `username`.',
    security: 'none',
    body: registration.declaration,
    responses:
      services.policy.verifyEmail === 'required'
        ? { 202: { description: 'The mail that confirms the address is under way.', schema: acceptedSchema } }
        : { 201: { description: 'The account and its tokens.', schema: signedInSchema, headers: locationHeader } },
    problems: [400, 403, 422, 429, 503],
    handle: async (context) => {
      await admitRegistration(services, context.address);
      const language = languageOf(context);
      if (services.policy.verifyEmail === 'required') {
        const { session: _, ...account } = await registration.read(context, (input) => checkAccountInput(input).faults);
        await registerUnconfirmed({ ...services, by: context.caller }, account, { address: context.address, language });
        return json(202, {}, noStore);
      }
      const body = await registration.read(context, (input) => accountFaults(services, input));
      const { session, ...account } = body;
      const signedIn = await register({ ...services, by: context.caller, agent: agentOf(context), language }, account);
      return signedInResponse(context, session, 201, signedIn, { Location: '/api/v1/auth/me' });
    },
  },
  {
    id: 'login',
    method: 'POST',
    path: '/api/v1/auth/login',
    tag,
    summary: 'Sign in',
    description:
      '401 `invalid_credentials` does not say whether the address, the password or the account is wrong. 403 `email_not_verified` (with RECTO_VERIFY_EMAIL=required): the password is right, and another mail is under way. 403 `password_sign_in_off`: RECTO_PASSWORD_SIGN_IN does not allow it; with `members`, the password is right. 403 `second_factor_required`: the password is right, and the account has a second factor, which `POST /api/v1/auth/second-factor` takes with the `challenge` of the problem.',
    security: 'none',
    body: credentials.declaration,
    responses: { 200: { description: 'Tokens of a new session.', schema: signedInSchema } },
    problems: [400, 401, 403, 422, 429, 503],
    handle: async (context) => {
      const { session, ...given } = await credentials.read(context);
      return signedInResponse(
        context,
        session,
        200,
        await login({ ...services, agent: agentOf(context), language: languageOf(context) }, given, context.address),
      );
    },
  },
  {
    id: 'refreshTokens',
    method: 'POST',
    path: '/api/v1/auth/refresh',
    tag,
    summary: 'Exchange a refresh token for new tokens',
    description: 'Each refresh token works once. One that is used again ends the session: 401 `refresh_token_reused`.',
    security: 'none',
    body: refreshBody.declaration,
    responses: { 200: { description: 'The next tokens of the session.', schema: signedInSchema } },
    problems: [400, 401, 422, 503],
    handle: async (context) => {
      const { session, refresh_token } = await refreshBody.read(context);
      return signedInResponse(
        context,
        session,
        200,
        await refresh(services, givenToken(context, session, refresh_token)),
      );
    },
  },
  {
    id: 'logout',
    duringSetup: true,
    method: 'POST',
    path: '/api/v1/auth/logout',
    tag,
    summary: 'Sign out',
    description:
      'Ends the session of the access token: that token and its refresh token are rejected from now on, and the browser removes its cookie. An API token gets 403 `not_an_account`.',
    security: 'bearer',
    responses: { 204: { description: 'The session has ended.' } },
    problems: [403, 503],
    handle: async (context) => {
      await logout(services, accountCaller(context).session);
      return noContent(dropCookie(context));
    },
  },
];

/** The refresh token of the body, or of the cookie where that was asked for. */
function givenToken(context: RequestContext, session: 'cookie' | undefined, sent: string | undefined): string {
  if (session === 'cookie') return cookieToken(context) ?? '';
  if (sent !== undefined) return sent;
  throw invalid([{ field: 'refresh_token', code: 'required', message: 'This field is required.' }]);
}
