import { BlockList, isIPv6 } from 'node:net';
import type { ProxyTrust } from '../../config/setting-type.ts';
import { ipAddress } from './ip-address.ts';

/**
 * Whom to believe what they say of a request that they pass on (`X-Forwarded-For`, `-Proto`, `-Host`). Anyone can write these
 * headers, so they count only where the socket's other end is a trusted proxy. RFC 7239's `Forwarded` is not read: a proxy that
 * writes one of the two kinds passes the other on as its caller sent it.
 */
export class TrustedProxies {
  /** How many there are, where that is what is known. */
  readonly #hops: number | null;
  readonly #networks: BlockList;

  constructor(trust: ProxyTrust) {
    this.#hops = typeof trust === 'number' ? trust : null;
    this.#networks = new BlockList();
    for (const { address, prefix } of typeof trust === 'number' ? [] : trust) {
      this.#networks.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
    }
  }

  /** Whether the socket's other end is a proxy of ours. */
  trusts(peer: string): boolean {
    return this.#hops !== null || this.#isOurs(ipAddress(peer));
  }

  /**
   * The address of the client that sent the request to our first proxy. Each proxy adds, at the end, whom it was called by; so
   * the list is read from its end, and what stands before the first stranger is what that stranger claims.
   */
  clientAddress(peer: string, forwardedFor: string | null): string {
    if (forwardedFor === null || !this.trusts(peer)) return ipAddress(peer) ?? peer;
    return this.#hops === null ? this.#firstStranger(peer, forwardedFor) : afterHops(peer, forwardedFor, this.#hops);
  }

  #firstStranger(peer: string, forwardedFor: string): string {
    let known = ipAddress(peer) ?? peer;
    for (const entry of fromTheEnd(forwardedFor)) {
      const address = ipAddress(entry);
      if (address === null) return known;
      known = address;
      if (!this.#isOurs(address)) return known;
    }
    return known;
  }

  #isOurs(address: string | null): boolean {
    return address !== null && this.#networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

function afterHops(peer: string, forwardedFor: string, hops: number): string {
  let known = ipAddress(peer) ?? peer;
  for (const entry of fromTheEnd(forwardedFor).take(hops)) {
    const address = ipAddress(entry);
    if (address === null) return known;
    known = address;
  }
  return known;
}

/** The entries of a list, the last first, none read before it is asked for. */
function* fromTheEnd(list: string): Generator<string> {
  let end = list.length;
  while (end >= 0) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1);
    yield list.slice(comma + 1, end).trim();
    end = comma;
  }
}
