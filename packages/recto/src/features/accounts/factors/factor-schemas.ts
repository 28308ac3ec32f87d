import Type, { type Static } from 'typebox';
import type { Passkey } from '../../../auth/factors/passkey.ts';
import { recordId } from '../../../http/shared-schemas.ts';
import { nullable, timeSchema } from '../account-schemas.ts';

export const passkeySchema = Type.Object(
  {
    id: recordId,
    name: Type.String(),
    transports: Type.Array(Type.String(), {
      description: 'How browsers reach the authenticator, such as `internal` and `usb`.',
    }),
    backed_up: Type.Boolean({ description: 'Whether it is synchronized between devices.' }),
    aaguid: nullable(Type.String({ description: 'The model of the authenticator; null: it does not say.' })),
    created_at: timeSchema,
    last_used_at: nullable(timeSchema),
  },
  { $id: 'Passkey', additionalProperties: false },
);

export const passkeyJson = (passkey: Passkey): Static<typeof passkeySchema> => ({
  id: passkey.id,
  name: passkey.name,
  transports: [...passkey.transports],
  backed_up: passkey.backedUp,
  aaguid: passkey.aaguid,
  created_at: passkey.createdAt,
  last_used_at: passkey.lastUsedAt,
});

const recoveryCodes = Type.Array(Type.String(), {
  description: 'Codes, each of which stands in for a second factor once. Shown here and never again.',
});

export const recoveryCodesSchema = Type.Object(
  { recovery_codes: recoveryCodes },
  { $id: 'RecoveryCodes', additionalProperties: false },
);

export const addedPasskeySchema = Type.Object(
  { passkey: passkeySchema, recovery_codes: Type.Optional(recoveryCodes) },
  { $id: 'AddedPasskey', additionalProperties: false },
);
