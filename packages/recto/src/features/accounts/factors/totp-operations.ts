import Type from 'typebox';
import type { AuthServices } from '../../../auth/auth-services.ts';
import { beginTotp, confirmTotp, removeTotp } from '../../../auth/factors/own-totp.ts';
import { CheckedBody } from '../../../http/checked-body.ts';
import type { Operation } from '../../../http/operation.ts';
import { json } from '../../../http/responses/json-response.ts';
import { noContent } from '../../../http/shared-responses.ts';
import { noStore } from '../sessions/signed-in-response.ts';
import { factorOwner } from './factor-owner.ts';
import { recoveryCodesSchema } from './factor-schemas.ts';
import { lastFactor } from './second-factor-operations.ts';

const path = '/api/v1/auth/me/totp';
const common = { tag: 'auth', security: 'bearer', stepUp: 'account', duringSetup: true } as const;

const confirmBody = new CheckedBody({
  code: Type.String({ maxLength: 40, description: 'The six digits that the app shows; spaces are ignored.' }),
});

const setupSchema = Type.Object(
  {
    secret: Type.String({ description: 'In base32, for typing into an app.' }),
    uri: Type.String({ description: '`otpauth://…`, for opening in an app on the same device.' }),
    qr: Type.String({ description: 'The same as a QR code, an SVG image.' }),
  },
  { $id: 'TotpSetup', additionalProperties: false },
);

/** The app of an account that shows codes (RFC 6238). */
export const totpOperations = (services: AuthServices): readonly Operation[] => [
  {
    ...common,
    id: 'beginTotp',
    method: 'POST',
    path,
    summary: 'Begin to set up an app that shows codes',
    description:
      'The app counts once `confirm` has had one of its codes; until then, this can be called again and returns another secret. 409 `totp_exists` where there is one already.',
    responses: { 200: { description: 'What the app takes. Shown here and never again.', schema: setupSchema } },
    problems: [403, 409, 503],
    handle: async (context) => json(200, await beginTotp(services, factorOwner(context)), noStore),
  },
  {
    ...common,
    id: 'confirmTotp',
    method: 'POST',
    path: `${path}/confirm`,
    summary: 'Confirm the app by a code',
    description:
      'Returns recovery codes, which replace earlier ones. With the first second factor, all other sessions of the account end. 422 for a wrong code.',
    body: confirmBody.declaration,
    responses: { 200: { description: 'The recovery codes.', schema: recoveryCodesSchema } },
    problems: [400, 403, 422, 429, 503],
    handle: async (context) => {
      const { code } = await confirmBody.read(context);
      return json(200, { recovery_codes: await confirmTotp(services, factorOwner(context), code) }, noStore);
    },
  },
  {
    ...common,
    id: 'deleteTotp',
    method: 'DELETE',
    path,
    summary: 'Remove the app that shows codes',
    description:
      'With the last second factor, the recovery codes end too. 409 `last_second_factor` where the account must have one.',
    responses: { 204: { description: 'The app is removed.' } },
    problems: [403, 404, ...lastFactor(services), 503],
    handle: async (context) => {
      await removeTotp(services, factorOwner(context));
      return noContent(noStore);
    },
  },
];
