import { isIPv6 } from 'node:net';

/**
 * The part of a peer's address that identifies a client for rate limits. An IPv6 subscriber has an entire /64 (RFC 6177)
 * and could use a new address each time; IPv4, also when mapped into IPv6, counts in full.
 */
export function clientNetwork(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    // A trailing IPv4 address is one group in writing, but two in meaning.
    const width = after.length + (after.at(-1)?.includes('.') === true ? 1 : 0);
    while (groups.length < 8 - width) groups.push('0');
    groups.push(...after);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
