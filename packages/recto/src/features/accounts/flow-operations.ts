import Type from 'typebox';
import { noSuchAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { tokenLifetime } from '../../auth/flows/account-token-store.ts';
import { confirmEmailChange, revertEmailChange } from '../../auth/flows/email-change.ts';
import { confirmPasswordReset, requestPasswordReset } from '../../auth/flows/password-reset.ts';
import { queueVerification } from '../../auth/flows/queue-verification.ts';
import { confirmCode, requestCode } from '../../auth/flows/sign-in-code.ts';
import { confirmVerification } from '../../auth/flows/verification.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { languageOf } from '../../http/request-language.ts';
import { json } from '../../http/responses/json-response.ts';
import { acceptedSchema, noContent } from '../../http/shared-responses.ts';
import { accountCaller, agentOf } from './account-caller.ts';
import { newPasswordSchema } from './account-schemas.ts';
import { sessionMode } from './sessions/session-cookie.ts';
import { noStore, signedInResponse, signedInSchema } from './sessions/signed-in-response.ts';

const root = '/api/v1/auth';
const common = { method: 'POST', tag: 'auth', security: 'none' } as const;

export const tokenSchema = Type.String({ maxLength: 200, description: 'The token of the link in the mail.' });

const emailBody = new CheckedBody({
  email: Type.String({ maxLength: 320, description: 'The address of an account. Anything is accepted.' }),
});
const tokenBody = new CheckedBody({ token: tokenSchema });
const resetBody = new CheckedBody({ token: tokenSchema, new_password: newPasswordSchema });
const codeBody = new CheckedBody({
  challenge: Type.String({ maxLength: 200 }),
  code: Type.String({ maxLength: 20, description: 'The eight digits of the mail; spaces are ignored.' }),
  session: sessionMode,
});

const challengeSchema = Type.Object(
  {
    challenge: Type.String({ description: 'What the code goes with.' }),
    expires_in: Type.Integer({ description: 'Seconds until the code expires.' }),
  },
  { additionalProperties: false },
);

const optionsSchema = Type.Object(
  {
    registration: Type.Enum(['open', 'closed'], { description: 'Whether anyone may register.' }),
    mail: Type.Boolean({ description: 'Whether the service sends mail, and so has the routes for links in mails.' }),
    verify_email: Type.Enum(['off', 'on', 'required'], {
      description: '`required`: an account can sign in only once its address is confirmed.',
    }),
    sign_in_codes: Type.Enum(['off', 'members', 'all'], { description: 'Who may sign in with a mailed code.' }),
    password_sign_in: Type.Enum(['on', 'members', 'off'], { description: 'Who may sign in with a password.' }),
    passkeys: Type.Boolean({ description: 'Whether the service takes passkeys: it has to know its own address.' }),
    require_second_factor: Type.Enum(['off', 'admins', 'editors', 'all'], {
      description: 'Whose accounts must have a second factor.',
    }),
    site_name: Type.String({ description: 'The name of the site.' }),
  },
  { $id: 'AuthOptions', additionalProperties: false },
);

const accepted = { description: 'Accepted. If there is such an account, a mail follows.', schema: acceptedSchema };
const anyone = 'The response is the same whether there is such an account, and after too many requests.';

const linkUse = (id: string, path: string, summary: string, description: string, done: string) => ({
  ...common,
  ...{ id, summary, description, path: `${root}/${path}` },
  body: tokenBody.declaration,
  responses: { 204: { description: done } },
  problems: [400, 401, 422, 503] as const,
});

/** What accounts do by mail, and what clients can offer. Without mail, the second is all there is. */
export const flowOperations = (services: AuthServices): readonly Operation[] => [
  {
    id: 'getAuthOptions',
    duringSetup: true,
    method: 'GET',
    path: `${root}/options`,
    tag: 'auth',
    summary: 'Get the ways to sign in',
    description: 'What a page that signs people in can offer.',
    security: 'none',
    responses: { 200: { description: 'The ways.', schema: optionsSchema } },
    problems: [],
    handle: () =>
      json(200, {
        registration: services.registrationOpen && services.policy.passwordSignIn !== 'off' ? 'open' : 'closed',
        mail: services.mails !== undefined,
        verify_email: services.policy.verifyEmail,
        sign_in_codes: services.policy.signInCodes,
        password_sign_in: services.policy.passwordSignIn,
        passkeys: services.relyingParty !== undefined,
        require_second_factor: services.policy.secondFactor.required,
        site_name: services.siteName,
      }),
  },
  ...(services.mails === undefined ? [] : mailedOperations(services)),
  ...(services.mails === undefined || services.policy.signInCodes === 'off' ? [] : codeOperations(services)),
];

const mailedOperations = (services: AuthServices): readonly Operation[] => {
  const by = ({ caller }: RequestContext) => ({ ...services, by: caller });
  const link = async (context: RequestContext) => ({
    token: (await tokenBody.read(context)).token,
    language: languageOf(context),
  });
  return [
    {
      ...common,
      id: 'requestVerification',
      path: `${root}/verification`,
      security: 'bearer',
      summary: 'Have the own address confirmed',
      description: 'Mails a link, unless the address is confirmed already.',
      responses: { 202: { description: 'Accepted. A mail follows.', schema: acceptedSchema } },
      problems: [403, 503],
      handle: async (context) => {
        const account = await services.accounts.byId(services.database, accountCaller(context).id);
        if (account === undefined) throw noSuchAccount();
        await queueVerification(services, account, { address: context.address, language: languageOf(context) });
        return json(202, {}, noStore);
      },
    },
    {
      ...linkUse(
        'confirmVerification',
        'verification/confirm',
        'Confirm an address',
        'The account of the link is `verified` from then on. 401 `invalid_link` for one that is unknown, used or expired, or whose account has another address or password by now.',
        'The address is confirmed.',
      ),
      handle: async (context) => {
        await confirmVerification(by(context), (await link(context)).token);
        return noContent(noStore);
      },
    },
    {
      ...common,
      id: 'requestPasswordReset',
      path: `${root}/password-reset`,
      summary: 'Ask for a new password',
      description: `Mails a link that works for an hour. ${anyone}`,
      body: emailBody.declaration,
      responses: { 202: accepted },
      problems: [400, 422, 503],
      handle: async (context) => {
        const { email } = await emailBody.read(context);
        await requestPasswordReset(services, { email, address: context.address, language: languageOf(context) });
        return json(202, {}, noStore);
      },
    },
    {
      ...common,
      id: 'confirmPasswordReset',
      path: `${root}/password-reset/confirm`,
      summary: 'Set a new password by a link',
      description:
        'All sessions of the account end, its address is confirmed, and nobody is signed in. 401 `invalid_link` as for other links.',
      body: resetBody.declaration,
      responses: { 204: { description: 'The password is set.' } },
      problems: [400, 401, 422, 503],
      handle: async (context) => {
        const { token, new_password: password } = await resetBody.read(context);
        await confirmPasswordReset(by(context), { token, password, language: languageOf(context) });
        return noContent(noStore);
      },
    },
    {
      ...linkUse(
        'confirmEmailChange',
        'email-change/confirm',
        'Confirm a new address',
        'The account of the link gets its `pending_email`, `verified`. The old address gets a notice with a link that takes the change back.',
        'The account has the new address.',
      ),
      handle: async (context) => {
        await confirmEmailChange(by(context), await link(context));
        return noContent(noStore);
      },
    },
    {
      ...linkUse(
        'revertEmailChange',
        'email-change/revert',
        'Take a change of the address back',
        'The account has its old address again. Its sessions and its password end, and a link for a new one is mailed there.',
        'The account has its old address.',
      ),
      handle: async (context) => {
        await revertEmailChange(by(context), await link(context));
        return noContent(noStore);
      },
    },
  ];
};

const codeOperations = (services: AuthServices): readonly Operation[] => [
  {
    ...common,
    id: 'requestCode',
    path: `${root}/code`,
    summary: 'Ask for a code to sign in with',
    description: `Mails a code that works for ten minutes, with the \`challenge\` of the response alone. ${anyone}`,
    body: emailBody.declaration,
    responses: {
      202: { description: 'Accepted. If the account may use codes, a mail follows.', schema: challengeSchema },
    },
    problems: [400, 422, 503],
    handle: async (context) => {
      const { email } = await emailBody.read(context);
      const request = { email, address: context.address, language: languageOf(context) };
      const challenge = await requestCode(services, request);
      return json(202, { challenge, expires_in: tokenLifetime.sign_in_code / 1000 }, noStore);
    },
  },
  {
    ...common,
    id: 'signInWithCode',
    path: `${root}/code/confirm`,
    summary: 'Sign in with a code',
    description:
      '401 `invalid_code` for one that is wrong, used or expired, and after five tries. An account whose address was not confirmed loses its password, its sessions and the API tokens it made.',
    body: codeBody.declaration,
    responses: { 200: { description: 'Tokens of a new session.', schema: signedInSchema } },
    problems: [400, 401, 403, 422, 429, 503],
    handle: async (context) => {
      const { session, ...given } = await codeBody.read(context);
      const parts = { ...services, by: context.caller, agent: agentOf(context) };
      return signedInResponse(context, session, 200, await confirmCode(parts, given, context.address));
    },
  },
];
