import { isIPv4, isIPv6 } from 'node:net';

/**
 * An address in one spelling: IPv4 also where it is mapped into IPv6 (`::ffff:192.0.2.1`), IPv6 as RFC 5952 has it, without a
 * zone. Takes the port that some proxies add (`192.0.2.1:4711`, `[2001:db8::1]:4711`). Null for what is no address.
 */
export function ipAddress(text: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const [bare = ''] = (bracketed ?? dotted ?? text).split('%');
  if (isIPv4(bare)) return bare;
  // The two do not agree on every odd spelling.
  if (!isIPv6(bare) || !URL.canParse(`http://[${bare}]`)) return null;
  const shortest = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(shortest) ?? [];
  return high === undefined || low === undefined ? shortest : dottedQuad(high, low);
}

const dottedQuad = (high: string, low: string): string =>
  [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
