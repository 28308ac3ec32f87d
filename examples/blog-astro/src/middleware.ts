import type { MiddlewareHandler } from 'astro';
import { languageOf } from './languages.ts';
import { clientOf, previewOf, url } from './sessions.ts';

/** What pages may load: they need no scripts, and texts of posts may show pictures from anywhere. */
const policy =
  "default-src 'self'; script-src 'none'; img-src *; object-src 'none'; base-uri 'none'; form-action 'self'";

/** In a preview, the page runs one script of the service, and the admin frames it. */
const cms = new URL(url).origin;
const previewPolicy = `${policy.replace("script-src 'none'", `script-src ${cms}`)}; frame-ancestors 'self' ${cms}`;

export const onRequest: MiddlewareHandler = async ({ request, cookies, locals, url: { pathname, search } }, next) => {
  if (!isOwn(request)) return new Response('This form is not one of this site.', { status: 403 });
  const recto = clientOf(cookies.get('session')?.value);
  locals.recto = recto;
  const language = languageOf(pathname);
  locals.language = language;
  const token = cookies.get('preview')?.value;
  locals.preview = token ? previewOf(token) : undefined;
  // Without the service, visitors see that the posts cannot be loaded.
  const account = (await recto.auth.signedIn().catch(() => false)) ? recto.auth.me() : undefined;
  locals.account = await account?.catch(() => undefined);
  locals.isEditor = locals.account !== undefined && locals.account.role !== 'member';
  // One page serves all languages.
  const response = await (language.path === pathname ? next() : next(`${language.path}${search}`));
  // The development server has scripts of its own.
  if (import.meta.env.PROD && pathname !== '/preview/enter')
    response.headers.set('Content-Security-Policy', token ? previewPolicy : policy);
  response.headers.set('Cache-Control', 'private, no-cache');
  return response;
};

/** Whether a request was made by a page of the blog, if it changes anything. */
function isOwn({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const origin = headers.get('origin') ?? '';
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
