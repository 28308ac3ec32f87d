import type { APIRoute } from 'astro';
import { languageOf } from '../../languages.ts';

// Where `preview_url` leads: /preview/enter?slug={slug}&language={language}#{token}. What stands behind the # is sent to no server, so the page hands it over.
const page = `<!doctype html><title>Preview</title><script>
fetch('', { method: 'POST', body: location.hash.slice(1) }).then(({ url }) => location.replace(url));
</script>`;

export const GET: APIRoute = () => new Response(page, { headers: { 'Content-Type': 'text/html' } });

export const POST: APIRoute = async ({ request, cookies, url, redirect }) => {
  cookies.set('preview', await request.text(), { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 3600 });
  const { to } = languageOf(`/${url.searchParams.get('language') ?? ''}/`);
  return redirect(to(`/posts/${encodeURIComponent(url.searchParams.get('slug') ?? '')}`), 303);
};
