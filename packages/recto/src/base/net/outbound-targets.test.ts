import { expect, test } from 'bun:test';
import { OutboundTargets } from './outbound-targets.ts';

const inner = [
  ...['127.0.0.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.0.8'],
  ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:a00:1'],
  ...['::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2001:db8::1', '2002:7f00:1::', '2001::1', '2001:2::1'],
  ...['3fff::1', '100::1', '5f00::1', 'fec0::1', '2001:10::1', '2001:20::1'],
];

test.each(inner)('a webhook to a name that leads to %s is rejected', async (address) => {
  const targets = new OutboundTargets([], async () => ['93.184.216.34', address]);
  await expect(targets.check('https://hooks.example.com/')).rejects.toMatchObject({ code: 'address_not_allowed' });
});

const written = [
  ...['http://127.1/', 'http://0x7f.1/', 'http://2130706433/', 'http://017700000001/', 'http://[::ffff:127.0.0.1]/'],
  ...[
    'http://①②⑦.0.0.1/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://0/',
    'http://[::]/',
    'http://127.0.0.1./',
  ],
  ...['http://[fe80::1%25eth0]/', 'http://user@127.0.0.1/', 'http:\\\\127.0.0.1\\', 'http:/127.0.0.1/'],
  ...['http://example.com@127.0.0.1/', 'http://127.0.0.1#@example.com/', 'file:///etc/passwd', 'http://127。0。0。1/'],
];

test.each(written)('a webhook to %s is rejected', async (url) => {
  const targets = new OutboundTargets([], async () => ['127.0.0.1']);
  await expect(targets.check(url)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:invalid_url|address_not_allowed)$/),
  });
});
