import Type from 'typebox';
import type { AuthServices } from '../../../auth/auth-services.ts';
import { challengeLifetime } from '../../../auth/factors/challenge-store.ts';
import { type StepUpProof, stepUp, stepUpOptions } from '../../../auth/factors/step-up.ts';
import { invalid } from '../../../base/problem.ts';
import { CheckedBody } from '../../../http/checked-body.ts';
import type { Operation } from '../../../http/operation.ts';
import { json } from '../../../http/responses/json-response.ts';
import { noContent } from '../../../http/shared-responses.ts';
import { passwordSchema } from '../account-schemas.ts';
import { noStore } from '../sessions/signed-in-response.ts';
import { factorOwner } from './factor-owner.ts';
import { factorMembers, factorMethod, givenFactor } from './given-factor-body.ts';
import { challengeText, optionsSchema } from './webauthn-schemas.ts';

const path = '/api/v1/auth/me/step-up';
const common = { method: 'POST', tag: 'auth', security: 'bearer', duringSetup: true } as const;

const members = {
  current_password: Type.Optional(passwordSchema),
  method: Type.Optional(factorMethod),
  challenge: Type.Optional(challengeText),
  ...factorMembers,
};
const body = new CheckedBody(members);

const waysSchema = Type.Object(
  {
    methods: Type.Array(Type.Enum(['password', 'passkey', 'totp', 'recovery_code']), {
      description: 'The ways of this account. `password`: `current_password`. Empty: sign in again.',
    }),
    challenge: Type.Optional(Type.String({ description: 'For a passkey: to send with the answer.' })),
    expires_in: Type.Optional(Type.Integer({ description: 'Seconds until the challenge expires.' })),
    options: Type.Optional(optionsSchema),
  },
  { $id: 'StepUpOptions', additionalProperties: false },
);

/** A recent proof that the owner of a session is there. */
export const stepUpOperations = (services: AuthServices): readonly Operation[] => [
  {
    ...common,
    id: 'getStepUpOptions',
    path: `${path}/options`,
    summary: 'Get the ways to prove that it is you',
    responses: { 200: { description: 'The ways.', schema: waysSchema } },
    problems: [403, 503],
    handle: async (context) => {
      const { methods, passkey } = await stepUpOptions(services, factorOwner(context));
      const more = passkey === undefined ? {} : { ...passkey, expires_in: challengeLifetime / 1000 };
      return json(200, { methods, ...more }, noStore);
    },
  },
  {
    ...common,
    id: 'stepUp',
    path,
    summary: 'Prove that it is you',
    description:
      'For ten minutes, the session may then do what is answered with 403 `step_up_required` otherwise. Takes `current_password`, or `method` with its members. An account with a second factor has to give one: its password is not enough. 401 `invalid_code` for a wrong factor. A sign-in counts as such a proof too, unless it was by a mailed code alone.',
    body: body.declaration,
    responses: { 204: { description: 'The session is marked.' } },
    problems: [400, 401, 403, 422, 429, 503],
    handle: async (context) => {
      await stepUp(services, factorOwner(context), proofOf(await body.read(context)));
      return noContent(noStore);
    },
  },
];

type Sent = Awaited<ReturnType<typeof body.read>>;

function proofOf({ current_password: password, method, challenge, ...given }: Sent): StepUpProof {
  if (method === undefined) {
    const more = Object.keys({ ...given, ...(challenge === undefined ? {} : { challenge }) });
    if (password === undefined || more.length > 0)
      throw invalid([missing(password === undefined ? 'current_password' : 'method')]);
    return { kind: 'password', password };
  }
  if (password !== undefined)
    throw invalid([
      { field: 'current_password', code: 'not_allowed', message: 'Give a password or a method, not both.' },
    ]);
  if (method === 'passkey' && challenge === undefined) throw invalid([missing('challenge')]);
  return { kind: 'factor', factor: givenFactor({ method, ...given }), challenge };
}

const missing = (field: string) => ({ field, code: 'required', message: 'This field is required.' });
