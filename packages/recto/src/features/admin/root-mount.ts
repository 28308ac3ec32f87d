import { Problem } from '../../base/problem.ts';
import { version } from '../../base/version.ts';
import type { Mount } from '../../http/mount.ts';
import { addVary } from '../../http/responses/answer-headers.ts';
import { page, pageHeaders } from './page.ts';

const document = '/api/v1/openapi.json';

/**
 * `/`: a short page that leads on, or JSON for programs. `adminPath` is null where the admin is closed. People get the first page of
 * `site` instead, where it has one.
 */
export const rootMount = (adminPath: string | null, site?: Mount): Mount => ({
  prefix: '/',
  async handle({ request, path }) {
    if (path !== '') throw new Problem(404, 'route_not_found', 'There is nothing at this path.');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Problem(405, 'method_not_allowed', 'This path answers GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
    const headers = { ...pageHeaders, 'Cache-Control': 'no-cache', Vary: 'Accept' };
    if (request.headers.get('accept')?.includes('text/html') !== true) {
      const links = { name: 'Recto', version, openapi: document, ...(adminPath === null ? {} : { admin: adminPath }) };
      return Response.json(links, { headers });
    }
    const own = site === undefined ? undefined : await firstPage(site, request);
    if (own !== undefined) return own;
    const admin = adminPath === null ? '' : `<li><a href="${adminPath}">Admin</a>: write and manage content</li>\n`;
    const links = `<ul>\n${admin}<li><a href="${document}">API document</a> (OpenAPI)</li>\n</ul>`;
    const html = page('Recto', `<p>This is a content management service.</p>\n${links}`);
    return new Response(html, { headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' } });
  },
});

async function firstPage(site: Mount, request: Request): Promise<Response | undefined> {
  try {
    const response = await site.handle({ request, path: '/' });
    addVary(response.headers, 'Accept');
    return response;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
