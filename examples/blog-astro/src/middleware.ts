import type { MiddlewareHandler } from 'astro';
import { clientOf } from './sessions.ts';

/** What pages may load: they need no scripts, and texts of posts may show pictures from anywhere. */
const policy =
  "default-src 'self'; script-src 'none'; img-src *; object-src 'none'; base-uri 'none'; form-action 'self'";

export const onRequest: MiddlewareHandler = async ({ request, cookies, locals }, next) => {
  if (!isOwn(request)) return new Response('This form is not one of this site.', { status: 403 });
  const recto = clientOf(cookies.get('session')?.value);
  locals.recto = recto;
  // Without the service, visitors see that the posts cannot be loaded.
  const account = (await recto.auth.signedIn().catch(() => false)) ? recto.auth.me() : undefined;
  locals.account = await account?.catch(() => undefined);
  locals.isEditor = locals.account !== undefined && locals.account.role !== 'member';
  const response = await next();
  // The development server has scripts of its own.
  if (import.meta.env.PROD) response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Cache-Control', 'private, no-cache');
  return response;
};

/** Whether a request was made by a page of the blog, if it changes anything. */
function isOwn({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const origin = headers.get('origin') ?? '';
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
