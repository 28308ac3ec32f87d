import { parse, serialize } from 'hono/utils/cookie';
import Type from 'typebox';
import { refreshTokenLifetime } from '../../../auth/session-store.ts';
import type { RequestContext } from '../../../http/operation.ts';

/** The only route that the browser sends the cookie to. */
const path = '/api/v1/auth/refresh';
const name = 'recto_refresh';

/** The member of a body that asks for the cookie. */
export const sessionMode = Type.Optional(
  Type.Literal('cookie', {
    description:
      'For browsers: the refresh token is not in the response but in a cookie that scripts cannot read (`HttpOnly`, `SameSite=Strict`, sent to `/auth/refresh` alone).',
  }),
);

/** The refresh token that the browser sent; undefined for none. */
export const cookieToken = ({ request }: RequestContext): string | undefined =>
  parse(request.headers.get('cookie') ?? '', name)[name];

/** The header that keeps a refresh token in the browser. Over HTTPS, it is sent over HTTPS alone. */
export const keepCookie = (context: RequestContext, refreshToken: string): Readonly<Record<string, string>> =>
  setCookie(context, refreshToken, refreshTokenLifetime / 1000);

/** The header that removes it. */
export const dropCookie = (context: RequestContext): Readonly<Record<string, string>> => setCookie(context, '', 0);

const setCookie = (context: RequestContext, value: string, maxAge: number): Readonly<Record<string, string>> => ({
  'Set-Cookie': serialize(name, value, {
    path,
    maxAge,
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(context),
  }),
});

/** What the browser says of its page counts too: a proxy that is not trusted may be the one that speaks HTTPS. */
const isSecure = ({ origin, request }: RequestContext): boolean =>
  [origin, request.headers.get('origin')].some((one) => one?.startsWith('https:') === true);
