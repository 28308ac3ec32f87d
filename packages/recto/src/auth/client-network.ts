import { isIPv6 } from 'node:net';

/**
 * What of a peer's address is one client to a rate limit. An IPv6 subscriber has a whole /64 (RFC 6177) and could
 * else come from a new address each time; IPv4, also when it is mapped into IPv6, counts as it is.
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
    // An IPv4 tail is written as one group and stands for two.
    const width = after.length + (after.at(-1)?.includes('.') === true ? 1 : 0);
    while (groups.length < 8 - width) groups.push('0');
    groups.push(...after);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
