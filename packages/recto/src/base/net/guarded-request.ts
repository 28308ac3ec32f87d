import { isIPv6 } from 'node:net';
import { version } from '../version.ts';
import type { Target } from './outbound-targets.ts';

/** A request to a place that was checked. */
export interface GuardedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Certificates to trust besides those of the system. */
  readonly ca?: string;
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Tries the addresses of a target one after another, as long as no connection comes about. Redirects are not followed. */
export async function connect(target: Target, sent: GuardedRequest): Promise<Response> {
  const [last] = target.addresses.slice(-1);
  for (const address of target.addresses) {
    try {
      return await request(target.url, address, sent);
    } catch (error) {
      if (address === last || sent.signal.aborted || !isUnreachable(error)) throw error;
    }
  }
  throw new Error('A target without addresses.');
}

/** The address is part of the URL, so that nothing is resolved once more; the name goes into the headers and the handshake. */
function request(url: URL, address: string, { headers, ca, ...sent }: GuardedRequest): Promise<Response> {
  const place = new URL(url);
  place.hostname = isIPv6(address) ? `[${address}]` : address;
  const isNamed = url.hostname !== place.hostname;
  return fetch(place, {
    ...sent,
    headers: { ...headers, Host: url.host, 'User-Agent': `Recto/${version}` },
    redirect: 'manual',
    // A response that unpacks to gigabytes is not unpacked.
    decompress: false,
    // The pool of connections does not know which name was checked.
    keepalive: false,
    tls: { ...(isNamed ? { serverName: url.hostname } : {}), ...(ca === undefined ? {} : { ca }) },
  });
}

const unreachable: ReadonlySet<string> = new Set([
  ...['ConnectionRefused', 'ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'FailedToOpenSocket'],
]);

/** What kind of failure of a connection an error is. */
export const codeOf = (error: unknown): string => {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
};

const isUnreachable = (error: unknown): boolean => unreachable.has(codeOf(error));
