import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AllowedTarget } from './allowed-target.ts';

/** Finds the addresses of a host name. Rejects where there are none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** As the system does, hosts file included. */
export const resolveHost: ResolveHost = async (name) => {
  // Loaded with the first name: many services have no webhooks.
  const { lookup } = await import('node:dns/promises');
  return (await lookup(name, { all: true })).map(({ address }) => address);
};

/** Why nothing may be, or can be, sent to an address. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  /** `invalid_url`, `host_not_found`, `address_not_allowed`. */
  readonly code: 'invalid_url' | 'host_not_found' | 'address_not_allowed';

  constructor(code: TargetRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** A checked place to connect to. */
export interface Target {
  readonly url: URL;
  /** As literals, in the order in which to try them; every one of them is allowed. */
  readonly addresses: readonly string[];
}

const resolveMs = 5_000;

/**
 * Decides where requests to other services may go: to public addresses, and to what the deployment allows. A name is resolved
 * here, and what is connected to is one of the addresses that were checked: a name that changes its address in between changes
 * nothing.
 */
export class OutboundTargets {
  readonly #allowed: readonly AllowedTarget[];
  readonly #resolve: ResolveHost;

  constructor(allowed: readonly AllowedTarget[], resolve: ResolveHost = resolveHost) {
    this.#allowed = allowed;
    this.#resolve = resolve;
  }

  /** Resolves and checks. Rejects with `TargetRefused`. */
  async check(text: string): Promise<Target> {
    const url = readUrl(text);
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const addresses = isIP(host) === 0 ? await this.#addressesOf(host) : [host];
    const port = portOf(url);
    const isNamed = this.#allowed.some(
      (target) => target.kind === 'host' && target.name === host && fitsPort(target, port),
    );
    const refused = isNamed ? undefined : addresses.find((address) => !this.#isAllowed(address, port));
    // All of them, because the next look-up may put another one first.
    if (refused !== undefined)
      throw new TargetRefused('address_not_allowed', `${host} leads to ${refused}, which is not a public address.`);
    // Most services reach IPv4 from everywhere; not every network has IPv6.
    return { url, addresses: addresses.toSorted((one, other) => isIP(one) - isIP(other)) };
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    const timeUp = Promise.withResolvers<readonly string[]>();
    const timer = setTimeout(timeUp.resolve, resolveMs, []);
    try {
      const found = await Promise.race([this.#resolve(host), timeUp.promise]);
      if (found.length > 0) return found;
    } catch {
      // Reported below: the resolver's own words mean little to who reads them.
    } finally {
      clearTimeout(timer);
    }
    throw new TargetRefused('host_not_found', `The host ${host} has no address.`);
  }

  #isAllowed(text: string, port: number): boolean {
    // The parser takes more than addresses, such as octal numbers.
    if (isIP(text) === 0 || !ipaddr.isValid(text)) return false;
    // An IPv4 address within an IPv6 one counts as what it is.
    const address = ipaddr.process(text);
    if (isPublic(address)) return true;
    return this.#allowed.some(
      (target) => target.kind === 'network' && fitsPort(target, port) && isWithin(address, target),
    );
  }
}

/** What IANA has given out for global unicast: of IPv6 that is 2000::/3 alone. */
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(globalUnicast, globalUnicastBits));

const globalUnicast = ipaddr.parse('2000::');
const globalUnicastBits = 3;

const fitsPort = (target: AllowedTarget, port: number): boolean => target.port === null || target.port === port;

function isWithin(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  network: { readonly address: string; readonly prefix: number },
): boolean {
  const other = ipaddr.parse(network.address);
  return other.kind() === address.kind() && address.match(other, network.prefix);
}

/**
 * The address as it is checked and connected to: without control characters, with the host in ASCII and everything else escaped.
 * A text that is no address is returned unchanged; `check` rejects it.
 */
export function normalTarget(text: string): string {
  try {
    return readUrl(text).href;
  } catch {
    return text;
  }
}

function readUrl(text: string): URL {
  const wrong = (what: string) =>
    new TargetRefused('invalid_url', `Must be an address such as https://example.com/hooks${what}.`);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw wrong('');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw wrong(', without a user and password');
  if (url.hash !== '' || text.includes('#')) throw wrong(', without a fragment');
  return url;
}

const portOf = ({ protocol, port }: URL): number => {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
};
