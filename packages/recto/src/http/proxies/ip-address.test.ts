import { expect, test } from 'bun:test';
import { ipAddress } from './ip-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:C000:207', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
  ['64:ff9b::192.0.2.7', '64:ff9b::c000:207'],
])('%s is %s', (text, address) => {
  expect(ipAddress(text)).toBe(address);
});

test.each([
  '',
  'unknown',
  '_hidden',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.7:',
  '[192.0.2.7',
  '::1]:80',
  '1::2::3',
  '0::0:0:0:0.0.0.0',
  'a.b',
])('%p is no address', (text) => {
  expect(ipAddress(text)).toBeNull();
});
