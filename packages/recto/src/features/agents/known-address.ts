import { forbidden } from '../../base/problem.ts';
import type { Settings } from '../../config/settings.ts';
import type { RequestContext } from '../../http/operation.ts';

/**
 * Throws 403 unless the request was sent to a name of this service, and from a page of a known origin if it comes from a browser. A page
 * whose name is made to lead to this machine (DNS rebinding) is known by neither.
 */
export function requireKnownAddress(
  { origin, request }: Pick<RequestContext, 'origin' | 'request'>,
  { url, corsOrigins }: Pick<Settings, 'url' | 'corsOrigins'>,
): void {
  const own = url === undefined ? undefined : new URL(url).origin;
  const reached = new URL(origin);
  if (!isLoopback(reached.hostname) && (own === undefined || new URL(own).host !== reached.host)) {
    throw forbidden('unknown_host', 'This is no name of the service. RECTO_URL says by which name it is reached.');
  }
  const from = request.headers.get('origin');
  if (from !== null && from !== own && from !== reached.origin && !corsOrigins.includes(from)) {
    throw forbidden(
      'unknown_origin',
      'Pages of this origin may not call agents’ tools. RECTO_CORS_ORIGINS names those that may.',
    );
  }
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
