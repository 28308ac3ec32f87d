import Type, { type Static } from 'typebox';
import { accessTokenSeconds } from '../../../auth/access-tokens.ts';
import type { SignedIn } from '../../../auth/enter.ts';
import type { RequestContext } from '../../../http/operation.ts';
import { json } from '../../../http/responses/json-response.ts';
import { userJson, userSchema } from '../account-schemas.ts';
import { keepCookie } from './session-cookie.ts';

export const signedInSchema = Type.Object(
  {
    access_token: Type.String({ description: 'For the header `Authorization: Bearer …`.' }),
    refresh_token: Type.Optional(
      Type.String({
        description:
          'Works once, within 30 days. Using it again ends the session. Absent with `"session": "cookie"`: the cookie has it.',
      }),
    ),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
    user: userSchema,
  },
  { $id: 'SignedIn', additionalProperties: false },
);

/** The token answer, after RFC 6749, section 5.1, which must not be stored by caches. With `mode`, the refresh token is in a cookie. */
export function signedInResponse(
  context: RequestContext,
  mode: 'cookie' | undefined,
  status: 200 | 201,
  signedIn: SignedIn,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { refreshToken } = signedIn;
  const value: Static<typeof signedInSchema> = {
    access_token: signedIn.accessToken,
    ...(mode === 'cookie' ? {} : { refresh_token: refreshToken }),
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    user: userJson(signedIn.account),
  };
  const cookie = mode === 'cookie' ? keepCookie(context, refreshToken) : {};
  return json(status, value, { ...noStore, ...cookie, ...headers });
}

export const noStore = { 'Cache-Control': 'no-store' };
