import { unauthorized } from '../base/problem.ts';

/** The lifetime of an access token in seconds. */
export const accessTokenSeconds = 15 * 60;

export interface AccessClaims {
  readonly account: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface AccessTokens {
  issue(account: string, session: string): Promise<string>;
  /** The claims of a token that this service signed and that has not expired; rejects with a 401 otherwise. */
  verify(token: string): Promise<AccessClaims>;
}

const issuer = 'recto';

/** JSON web tokens (RFC 7519) signed with HMAC-SHA-256. The role is not in them: it is read from the account. */
export function createAccessTokens(secret: string, now: () => number): AccessTokens {
  const key = new TextEncoder().encode(secret);
  return {
    issue: async (account, session) => {
      const { SignJWT } = await import('jose');
      const issued = Math.floor(now() / 1000);
      return new SignJWT({ sid: session })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(account)
        .setIssuedAt(issued)
        .setExpirationTime(issued + accessTokenSeconds)
        .sign(key);
    },
    verify: async (token) => {
      const { errors, jwtVerify } = await import('jose');
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer,
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          currentDate: new Date(now()),
        });
        const { sub, sid, exp } = payload;
        if (typeof sub === 'string' && typeof sid === 'string' && exp !== undefined)
          return { account: sub, session: sid, expiresAt: exp * 1000 };
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw tokenExpired();
        if (!(error instanceof errors.JOSEError)) throw error;
      }
      throw invalidToken();
    },
  };
}

/** The same response for every invalid token, so that a forger learns nothing from it. */
export const invalidToken = () =>
  unauthorized('invalid_token', 'The access token is malformed, revoked or not from here.');

export const tokenExpired = () => unauthorized('token_expired', 'The access token has expired.');
