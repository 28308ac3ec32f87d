import Type from 'typebox';
import type { AuthServices } from '../../../auth/auth-services.ts';
import { challengeLifetime } from '../../../auth/factors/challenge-store.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '../../../auth/factors/own-passkeys.ts';
import { passkeyOptions, passkeySignIn } from '../../../auth/factors/passkey-sign-in.ts';
import type { RelyingParty } from '../../../auth/factors/relying-party.ts';
import { CheckedBody } from '../../../http/checked-body.ts';
import type { Operation } from '../../../http/operation.ts';
import { json } from '../../../http/responses/json-response.ts';
import { locationHeader, noContent } from '../../../http/shared-responses.ts';
import { idParams } from '../../../http/shared-schemas.ts';
import { agentOf } from '../account-caller.ts';
import { sessionMode } from '../sessions/session-cookie.ts';
import { noStore, signedInResponse, signedInSchema } from '../sessions/signed-in-response.ts';
import { factorOwner } from './factor-owner.ts';
import { addedPasskeySchema, passkeyJson, passkeySchema } from './factor-schemas.ts';
import { lastFactor, unverified } from './second-factor-operations.ts';
import { assertionSchema, challengeText, passkeyChallengeSchema, registrationSchema } from './webauthn-schemas.ts';

const own = '/api/v1/auth/me/passkeys';
const expires_in = challengeLifetime / 1000;
const params = { id: { ...idParams.id, component: 'Passkey', description: 'The id of a passkey.' } };
const forOwner = { tag: 'auth', security: 'bearer', duringSetup: true } as const;
const change = { ...forOwner, stepUp: 'account' } as const;

const name = Type.String({ maxLength: 100, description: 'What its owner calls it.' });
const signInBody = new CheckedBody({ challenge: challengeText, response: assertionSchema, session: sessionMode });
const newBody = new CheckedBody({ challenge: challengeText, response: registrationSchema, name: Type.Optional(name) });
const nameBody = new CheckedBody({ name });

const listSchema = Type.Object(
  { items: Type.Array(passkeySchema) },
  { $id: 'PasskeyList', additionalProperties: false },
);

const originsSchema = Type.Object(
  { origins: Type.Array(Type.String()) },
  { $id: 'RelatedOrigins', additionalProperties: false },
);

/** Passkeys: to sign in with, and those of an account. They need the service's own address, and are absent without it. */
export const passkeyOperations = (services: AuthServices): readonly Operation[] => {
  const { relyingParty } = services;
  if (relyingParty === undefined) return [];
  return [
    ...signInOperations({ ...services, relyingParty }),
    ...ownOperations({ ...services, relyingParty }),
    ...(relyingParty.origins.length > 1 ? [originsOperation(relyingParty)] : []),
  ];
};

type Services = AuthServices & { readonly relyingParty: RelyingParty };

const signInOperations = (services: Services): readonly Operation[] => [
  {
    id: 'getPasskeyOptions',
    method: 'POST',
    path: '/api/v1/auth/passkeys/options',
    tag: 'auth',
    security: 'none',
    summary: 'Begin to sign in with a passkey',
    description: 'For any account: the browser offers the passkeys that it has for this service.',
    responses: { 200: { description: 'What the browser takes.', schema: passkeyChallengeSchema } },
    problems: [429, 503],
    handle: async (context) => json(200, { ...(await passkeyOptions(services, context.address)), expires_in }, noStore),
  },
  {
    id: 'signInWithPasskey',
    method: 'POST',
    path: '/api/v1/auth/passkeys/login',
    tag: 'auth',
    security: 'none',
    summary: 'Sign in with a passkey',
    description:
      'The authenticator has to verify its user, by a fingerprint or a PIN: then the passkey counts as two factors, and nothing else is asked for. 401 `invalid_passkey` does not say what is wrong.',
    body: signInBody.declaration,
    responses: { 200: { description: 'Tokens of a new session.', schema: signedInSchema } },
    problems: [400, 401, ...unverified(services), 422, 429, 503],
    handle: async (context) => {
      const { session, ...given } = await signInBody.read(context);
      const parts = { ...services, agent: agentOf(context) };
      return signedInResponse(context, session, 200, await passkeySignIn(parts, given, context.address));
    },
  },
];

const ownOperations = (services: Services): readonly Operation[] => [
  {
    ...forOwner,
    id: 'listPasskeys',
    method: 'GET',
    path: own,
    summary: 'List the own passkeys',
    responses: { 200: { description: 'The passkeys, the oldest first.', schema: listSchema } },
    problems: [403, 503],
    handle: async (context) => {
      const passkeys = await services.passkeys.of(services.database, factorOwner(context).id);
      return json(200, { items: passkeys.map(passkeyJson) }, noStore);
    },
  },
  {
    ...change,
    id: 'beginPasskey',
    method: 'POST',
    path: `${own}/options`,
    summary: 'Begin to add a passkey',
    responses: { 200: { description: 'What the browser takes.', schema: passkeyChallengeSchema } },
    problems: [403, 503],
    handle: async (context) =>
      json(200, { ...(await beginPasskey(services, factorOwner(context))), expires_in }, noStore),
  },
  {
    ...change,
    id: 'createPasskey',
    method: 'POST',
    path: own,
    summary: 'Add a passkey',
    description:
      'With the first second factor of an account, the response has recovery codes, and all other sessions of the account end.',
    body: newBody.declaration,
    responses: { 201: { description: 'The passkey.', schema: addedPasskeySchema, headers: locationHeader } },
    problems: [400, 403, 409, 422, 503],
    handle: async (context) => {
      const { passkey, recoveryCodes } = await addPasskey(services, factorOwner(context), await newBody.read(context));
      const codes = recoveryCodes === undefined ? {} : { recovery_codes: recoveryCodes };
      const headers = { ...noStore, Location: `${own}/${passkey.id}` };
      return json(201, { passkey: passkeyJson(passkey), ...codes }, headers);
    },
  },
  {
    ...forOwner,
    id: 'renamePasskey',
    method: 'PUT',
    path: `${own}/{id}`,
    params,
    summary: 'Rename a passkey',
    body: nameBody.declaration,
    responses: { 200: { description: 'The passkey as it is now.', schema: passkeySchema } },
    problems: [400, 403, 404, 422, 503],
    handle: async (context) => {
      const { name: next } = await nameBody.read(context);
      const renamed = await renamePasskey(services, factorOwner(context), context.param('id'), next);
      return json(200, passkeyJson(renamed), noStore);
    },
  },
  {
    ...change,
    id: 'deletePasskey',
    method: 'DELETE',
    path: `${own}/{id}`,
    params,
    summary: 'Remove a passkey',
    description:
      'Nobody signs in with it any more. With the last second factor, the recovery codes end too. 409 `last_second_factor` where the account must have one.',
    responses: { 204: { description: 'The passkey is removed.' } },
    problems: [403, 404, ...lastFactor(services), 503],
    handle: async (context) => {
      await removePasskey(services, factorOwner(context), context.param('id'));
      return noContent(noStore);
    },
  },
];

const originsOperation = ({ origins }: RelyingParty): Operation => ({
  id: 'getRelatedOrigins',
  method: 'GET',
  path: '/.well-known/webauthn',
  tag: 'auth',
  security: 'none',
  summary: 'Get the origins that may use the passkeys',
  description:
    'Browsers ask for it when a page of another origin uses passkeys of this host (WebAuthn, Related Origin Requests).',
  responses: { 200: { description: 'The origins.', schema: originsSchema } },
  problems: [],
  handle: () => json(200, { origins: [...origins] }),
});
