/**
 * Scheme, host and port by which a caller reached the service, such as `https://cms.example.com`. `forwarded`: what
 * `X-Forwarded-Proto` and `-Host` say counts, as a trusted proxy sent them; the last of several is that proxy's own word.
 */
export function requestOrigin({ url, headers }: Request, forwarded: boolean): string {
  // Without a Host header there is no host in the URL.
  const found = URL.canParse(url) ? new URL(url) : new URL('http://localhost');
  if (!forwarded) return found.origin;
  const scheme = lastOf(headers.get('x-forwarded-proto'))?.toLowerCase();
  const host = lastOf(headers.get('x-forwarded-host'));
  const protocol = scheme === 'http' || scheme === 'https' ? `${scheme}:` : found.protocol;
  return new URL(`${protocol}//${host !== undefined && isHost(host) ? host : found.host}`).origin;
}

const lastOf = (list: string | null): string | undefined => list?.split(',').at(-1)?.trim();

/** A name or an address with its port, and nothing else that a URL could hold. */
const isHost = (text: string): boolean =>
  /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`);
