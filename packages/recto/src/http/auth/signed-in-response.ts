import Type, { type Static } from 'typebox';
import { accessTokenSeconds } from '../../auth/access-tokens.ts';
import type { SignedIn } from '../../auth/sign-in.ts';
import { json } from '../json-response.ts';
import { userJson, userSchema } from './account-schemas.ts';

export const signedInSchema = Type.Object(
  {
    access_token: Type.String({ description: 'For the header `Authorization: Bearer …`.' }),
    refresh_token: Type.String({ description: 'Works once, within 30 days. Using it again ends the session.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
    user: userSchema,
  },
  { $id: 'SignedIn', additionalProperties: false },
);

/** The token answer, after RFC 6749, section 5.1, which must not be stored by caches. */
export function signedInResponse(
  status: 200 | 201,
  signedIn: SignedIn,
  headers: Readonly<Record<string, string>> = {},
) {
  const value: Static<typeof signedInSchema> = {
    access_token: signedIn.accessToken,
    refresh_token: signedIn.refreshToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    user: userJson(signedIn.account),
  };
  return json(status, value, { ...noStore, ...headers });
}

export const noStore = { 'Cache-Control': 'no-store' };
