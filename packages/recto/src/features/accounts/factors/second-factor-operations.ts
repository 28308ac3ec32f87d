import Type from 'typebox';
import { noSuchAccount } from '../../../auth/accounts.ts';
import type { AuthServices } from '../../../auth/auth-services.ts';
import { newRecoveryCodes } from '../../../auth/factors/change-factors.ts';
import { demandsFactor, setupFrom } from '../../../auth/factors/factor-policy.ts';
import { resetSecondFactors } from '../../../auth/factors/reset-second-factors.ts';
import { giveSecondFactor } from '../../../auth/factors/second-factor-sign-in.ts';
import { stepUpLifetime } from '../../../auth/factors/step-up-demand.ts';
import { CheckedBody } from '../../../http/checked-body.ts';
import type { Operation } from '../../../http/operation.ts';
import { languageOf } from '../../../http/request-language.ts';
import { json } from '../../../http/responses/json-response.ts';
import { noContent } from '../../../http/shared-responses.ts';
import { idParams } from '../../../http/shared-schemas.ts';
import { agentOf } from '../account-caller.ts';
import { nullable, timeSchema } from '../account-schemas.ts';
import { sessionMode } from '../sessions/session-cookie.ts';
import { noStore, signedInResponse, signedInSchema } from '../sessions/signed-in-response.ts';
import { factorOwner } from './factor-owner.ts';
import { recoveryCodesSchema } from './factor-schemas.ts';
import { factorMembers, factorMethod, givenFactor } from './given-factor-body.ts';

const signInBody = new CheckedBody({
  challenge: Type.String({ maxLength: 200, description: 'That of the 403 `second_factor_required`.' }),
  method: factorMethod,
  ...factorMembers,
  session: sessionMode,
});

const statusSchema = Type.Object(
  {
    totp: Type.Boolean({ description: 'Whether there is an app that shows codes.' }),
    passkeys: Type.Integer({ description: 'How many there are.' }),
    recovery_codes: Type.Integer({ description: 'How many have not been used.' }),
    required: Type.Boolean({ description: 'Whether the account must have a second factor.' }),
    due_at: nullable(
      Type.String({ format: 'date-time', description: 'Until when it may do without; null: not at all, or for good.' }),
    ),
    session: Type.Object(
      {
        second_factor: Type.Boolean({ description: 'Whether the session has given or added one.' }),
        stepped_up_until: nullable(timeSchema),
      },
      { additionalProperties: false },
    ),
  },
  { $id: 'SecondFactors', additionalProperties: false },
);

/** Of a sign-in where addresses have to be confirmed first. */
export const unverified = ({ policy }: AuthServices): readonly 403[] =>
  policy.verifyEmail === 'required' ? [403] : [];

/** Of the removal of a factor, where the settings demand one. */
export const lastFactor = ({ policy }: AuthServices): readonly 409[] =>
  policy.secondFactor.required === 'off' ? [] : [409];

/** Second factors as a whole: giving one, what there is, recovery codes, and the reset by an admin. */
export const secondFactorOperations = (services: AuthServices): readonly Operation[] => [
  {
    id: 'giveSecondFactor',
    method: 'POST',
    path: '/api/v1/auth/second-factor',
    tag: 'auth',
    security: 'none',
    summary: 'Give the second factor',
    description:
      'Completes a sign-in that was answered with 403 `second_factor_required`. 401 `invalid_code` for a factor that is wrong or was used, for a challenge that is unknown or older than five minutes, and after five tries.',
    body: signInBody.declaration,
    responses: { 200: { description: 'Tokens of a new session.', schema: signedInSchema } },
    problems: [400, 401, ...unverified(services), 422, 429, 503],
    handle: async (context) => {
      const { session, challenge, ...given } = await signInBody.read(context);
      const parts = { ...services, agent: agentOf(context) };
      return signedInResponse(context, session, 200, await giveSecondFactor(parts, challenge, givenFactor(given)));
    },
  },
  {
    id: 'getSecondFactors',
    method: 'GET',
    path: '/api/v1/auth/me/second-factors',
    tag: 'auth',
    security: 'bearer',
    duringSetup: true,
    summary: 'Get the own second factors',
    responses: { 200: { description: 'What there is, and what is demanded.', schema: statusSchema } },
    problems: [403, 503],
    handle: async (context) => {
      const { database, accounts, factors, sessions, policy, now } = services;
      const { id, session } = factorOwner(context);
      const account = await accounts.byId(database, id);
      if (account === undefined) throw noSuchAccount();
      const own = await factors.of(database, id);
      const proof = await sessions.proofOf(database, id, session, now());
      const secondFactor = proof?.secondFactor === true;
      const askedAt = account.secondFactorAskedAt === null ? null : Date.parse(account.secondFactorAskedAt);
      const due = setupFrom(policy.secondFactor, { role: account.role, secondFactor, askedAt });
      const steppedUpUntil = (proof?.steppedUpAt ?? Number.NEGATIVE_INFINITY) + stepUpLifetime;
      const value = {
        totp: own.totp,
        passkeys: own.passkeys,
        recovery_codes: own.recoveryCodes,
        required: demandsFactor(policy.secondFactor, account.role),
        due_at: Number.isFinite(due) ? new Date(due).toISOString() : null,
        session: {
          second_factor: secondFactor,
          stepped_up_until: steppedUpUntil > now() ? new Date(steppedUpUntil).toISOString() : null,
        },
      };
      return json(200, value, noStore);
    },
  },
  {
    id: 'createRecoveryCodes',
    method: 'POST',
    path: '/api/v1/auth/me/recovery-codes',
    tag: 'auth',
    security: 'bearer',
    stepUp: 'account',
    duringSetup: true,
    summary: 'Make new recovery codes',
    description: 'The earlier ones end. 409 `no_second_factor` for an account that has no second factor.',
    responses: { 200: { description: 'The codes.', schema: recoveryCodesSchema } },
    problems: [403, 409, 503],
    handle: async (context) =>
      json(200, { recovery_codes: await newRecoveryCodes(services, factorOwner(context)) }, noStore),
  },
  {
    id: 'resetSecondFactors',
    method: 'DELETE',
    path: '/api/v1/admin/users/{id}/second-factors',
    params: idParams,
    tag: 'users',
    security: 'bearer',
    roles: ['admin'],
    stepUp: 'account',
    summary: 'Remove all second factors of a user',
    description:
      'For somebody who has lost them: passkeys, the app that shows codes, and recovery codes. All sessions of the user end, and they get a mail. The password stays.',
    responses: { 204: { description: 'The user has none.' } },
    problems: [403, 404, 503],
    handle: async (context) => {
      const { caller } = context;
      const options = { within: caller.tenant, language: languageOf(context) };
      await resetSecondFactors({ ...services, by: caller }, context.param('id'), options);
      return noContent(noStore);
    },
  },
];
