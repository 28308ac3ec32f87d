import Type from 'typebox';

const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

/** Of an identifier; WebAuthn allows 1,023 bytes. */
const idText = base64url(1_400);
const longText = base64url(200_000);

/** What `navigator.credentials.create` has made, by `toJSON`. Browsers send more than this, which is ignored. */
export const registrationSchema = Type.Object(
  {
    id: idText,
    rawId: idText,
    response: Type.Object({
      clientDataJSON: longText,
      attestationObject: longText,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
    }),
  },
  { description: 'The new credential, as its `toJSON()` has it.' },
);

/** What `navigator.credentials.get` has returned, by `toJSON`. */
export const assertionSchema = Type.Object(
  {
    id: idText,
    rawId: idText,
    response: Type.Object({
      clientDataJSON: longText,
      authenticatorData: longText,
      signature: longText,
      userHandle: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
    }),
  },
  { description: 'The credential, as its `toJSON()` has it.' },
);

/** What browsers are to be given. */
export const optionsSchema = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`, whose result `navigator.credentials` takes.',
  },
);

export const challengeText = Type.String({ maxLength: 200, description: 'The challenge that the options came with.' });

export const passkeyChallengeSchema = Type.Object(
  {
    challenge: Type.String({ description: 'To send with the answer.' }),
    expires_in: Type.Integer({ description: 'Seconds until the challenge expires.' }),
    options: optionsSchema,
  },
  { $id: 'PasskeyChallenge', additionalProperties: false },
);
