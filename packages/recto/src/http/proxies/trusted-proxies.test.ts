import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { proxyTrust } from '../../config/setting-type.ts';
import { TrustedProxies } from './trusted-proxies.ts';

function trusting(setting: string): TrustedProxies {
  const reading = proxyTrust.read(setting);
  if ('expected' in reading) throw new Error(reading.expected);
  return new TrustedProxies(reading.value);
}

describe('the client’s address', () => {
  test.each<[trusted: string, peer: string, forwardedFor: string | null, client: string]>([
    // Nobody is trusted.
    ['', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['', '127.0.0.1', '198.51.100.7', '127.0.0.1'],
    ['', '::ffff:192.0.2.1', null, '192.0.2.1'],
    ['', 'unknown', '198.51.100.7', 'unknown'],
    // One proxy, and one who only says so.
    ['10.0.0.0/8', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.0/8', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.0/8', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['10.0.0.0/8', 'unknown', '198.51.100.7', 'unknown'],
    ['10.0.0.0/8', '10.0.0.1', null, '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.1', '', '10.0.0.1'],
    ['::ffff:10.0.0.0/104', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    // What stands before the first stranger is the stranger's own word.
    ['10.0.0.0/8', '10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.0/8', '10.0.0.1', '10.0.0.9, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.0/8', '10.0.0.1', '127.0.0.1,198.51.100.7', '198.51.100.7'],
    // Several proxies of ours.
    ['10.0.0.0/8,::1', '::1', '203.0.113.9, 198.51.100.7, 10.1.2.3 ,10.0.0.2', '198.51.100.7'],
    ['10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    // What is no address ends the list.
    ['10.0.0.0/8', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.1', '198.51.100.7, unknown, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.0/8', '10.0.0.1', '198.51.100.7,', '10.0.0.1'],
    // Ports, and IPv6.
    ['10.0.0.0/8', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['fd00::/8', 'fd00::1', '2001:db8::7', '2001:db8::7'],
    ['fd00::/8', 'fd00::1', '[2001:DB8::7]:4711, fd12::2', '2001:db8::7'],
    ['2001:db8::1', '2001:db8:0::1', '198.51.100.7', '198.51.100.7'],
    ['0.0.0.0/0,::/0', '192.0.2.1', '198.51.100.7', '198.51.100.7'],
    // A number of proxies.
    ['1', '192.0.2.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['2', '192.0.2.1', '203.0.113.9, 198.51.100.7, 10.0.0.1', '198.51.100.7'],
    ['2', '192.0.2.1', '198.51.100.7', '198.51.100.7'],
    ['3', '192.0.2.1', '198.51.100.7, unknown, 10.0.0.1', '10.0.0.1'],
    ['1', '192.0.2.1', null, '192.0.2.1'],
    ['1', 'unknown', '198.51.100.7', '198.51.100.7'],
  ])('with %p, from %s that says %p: %s', (trusted, peer, forwardedFor, client) => {
    expect(trusting(trusted).clientAddress(peer, forwardedFor)).toBe(client);
  });

  const addresses = fc.oneof(fc.ipV4(), fc.ipV6());
  const forged = fc.array(fc.oneof(addresses, fc.constantFrom('10.0.0.1', '127.0.0.1', 'unknown', ''), fc.string()));

  test('is the same whatever the caller writes before it', () => {
    const proxies = trusting('10.0.0.0/8');
    fc.assert(
      fc.property(forged, fc.array(fc.constantFrom('10.0.0.2', '10.9.9.9'), { maxLength: 3 }), (before, ours) => {
        const list = [...before, '198.51.100.7', ...ours].join(', ');
        expect(proxies.clientAddress('10.0.0.1', list)).toBe('198.51.100.7');
        const hops = trusting(String(ours.length + 1));
        expect(hops.clientAddress('10.0.0.1', list)).toBe('198.51.100.7');
      }),
    );
  });

  test('is that of the connection where it is a stranger’s', () => {
    const proxies = trusting('10.0.0.0/8');
    fc.assert(
      fc.property(fc.string(), (said) => {
        expect(proxies.clientAddress('192.0.2.1', said)).toBe('192.0.2.1');
      }),
    );
  });
});
