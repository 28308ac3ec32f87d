import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../test/support/free-port.ts';
import { OutboundTargets, type ResolveHost, TargetRefused } from '../base/net/outbound-targets.ts';
import { targetList } from '../config/setting-type.ts';
import { Receiver } from './receiver.fixture.ts';
import { retryAfterOf, type SendOptions, sendMessage } from './send-message.ts';

const never = new AbortController().signal;
const options: SendOptions = { signal: never, now: 0 };

function allowing(text: string, resolve?: ResolveHost): OutboundTargets {
  const read = targetList.read(text);
  if (!('value' in read)) throw new Error(read.expected);
  return new OutboundTargets(read.value, resolve);
}

const codeOf = (targets: OutboundTargets, url: string): Promise<string> =>
  targets.check(url).then(
    () => 'allowed',
    (error) => (error instanceof TargetRefused ? error.code : Promise.reject(error)),
  );

describe('a target', () => {
  test.each([
    ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '10.1.2.3', '172.16.0.1', '192.168.0.1', '169.254.169.254'],
    ...['100.64.0.1', '0.0.0.0', '255.255.255.255', '224.0.0.1', '192.0.2.1', '198.18.0.1'],
    ...[
      '[::1]',
      '[::]',
      '[fe80::1]',
      '[fd00::1]',
      '[::ffff:10.0.0.1]',
      '[64:ff9b::a00:1]',
      '[2002:a00:1::]',
      '[ff02::1]',
    ],
    ...['[2001:db8::1]', '[::127.0.0.1]', '[fec0::1]'],
    // Octal, decimal, short, percent-encoded and in other digits.
    ...[
      '0177.0.0.1',
      '017700000001',
      '0x7f000001',
      '0',
      '127.0.0.1.',
      '%31%32%37.0.0.1',
      '１２７.０.０.１',
      '①②⑦。⓪.⓪.①',
    ],
    // Mapped, translated (SIIT, NAT64 of both prefixes), 6to4, Teredo.
    ...['[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::a9fe:a9fe]'],
    ...['[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[::8.8.8.8]'],
    ...['[3fff::1]', '[2001:2::1]', '[2001:20::1]', '[100::1]', '[4000::1]', '192.0.0.8', '192.88.99.1', '240.0.0.1'],
  ])('that is not public is refused: %s', async (host) => {
    expect(await codeOf(new OutboundTargets([]), `http://${host}/`)).toBe('address_not_allowed');
  });

  test.each(['93.184.215.14', '1.1.1.1', '[2606:4700::1111]', '[::ffff:1.1.1.1]'])(
    'that is public is allowed: %s',
    async (host) => {
      expect(await codeOf(new OutboundTargets([]), `https://${host}/`)).toBe('allowed');
    },
  );

  test.each([
    'ftp://1.1.1.1/',
    'https://',
    'https://a:b@1.1.1.1/',
    'https://1.1.1.1/#x',
    'hooks',
    'file:///etc/passwd',
    'http://[fe80::1%25eth0]/',
    'http://127.0.0.1%00.example.com/',
  ])('that is no web address is refused: %s', async (url) =>
    expect(await codeOf(new OutboundTargets([]), url)).toBe('invalid_url'),
  );

  test('a name is refused when any of its addresses is, or it has none', async () => {
    const names: Record<string, readonly string[]> = {
      'public.test': ['1.1.1.1', '2606:4700::1111'],
      'mixed.test': ['1.1.1.1', '10.0.0.1'],
      'nothing.test': [],
    };
    const targets = new OutboundTargets([], async (name) => names[name] ?? Promise.reject(new Error('ENOTFOUND')));
    expect(await codeOf(targets, 'https://public.test/')).toBe('allowed');
    expect(await codeOf(targets, 'https://mixed.test/')).toBe('address_not_allowed');
    expect(await codeOf(targets, 'https://nothing.test/')).toBe('host_not_found');
    expect(await codeOf(targets, 'https://missing.test/')).toBe('host_not_found');
    expect((await targets.check('https://public.test/')).addresses).toEqual(['1.1.1.1', '2606:4700::1111']);
  });

  test.each(['fe80::1%eth0', '::ffff:10.0.0.1', '64:ff9b::10.0.0.1', '010.0.0.1', '1', 'nonsense', ''])(
    'a name is refused that leads to what is no public address, in whatever form: %p',
    async (address) => {
      const targets = new OutboundTargets([], async () => ['1.1.1.1', address]);
      expect(await codeOf(targets, 'https://hooks.test/')).toBe('address_not_allowed');
    },
  );

  test('what the deployment allows is allowed, at that port alone', async () => {
    const inner: ResolveHost = async () => ['10.0.0.1'];
    const targets = allowing('10.0.0.0/8:8080, 192.168.1.5, [::1]:9000, hooks.local:81', inner);
    const check = (url: string) => codeOf(targets, url);
    expect(await check('http://10.9.9.9:8080/')).toBe('allowed');
    expect(await check('http://10.9.9.9/')).toBe('address_not_allowed');
    expect(await check('http://192.168.1.5:1234/')).toBe('allowed');
    expect(await check('http://192.168.1.6/')).toBe('address_not_allowed');
    expect(await check('http://[::1]:9000/')).toBe('allowed');
    expect(await check('http://HOOKS.local.:81/')).toBe('allowed');
    expect(await check('http://hooks.local/')).toBe('address_not_allowed');
    expect(await check('http://other.local:81/')).toBe('address_not_allowed');
    expect(await check('http://other.local:8080/')).toBe('allowed');
  });
});

describe('a message', () => {
  let receiver: Receiver;
  let other: Receiver;
  beforeAll(() => {
    receiver = new Receiver();
    other = new Receiver();
  });
  afterAll(() => Promise.all([receiver[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]));

  const send = (targets: OutboundTargets, url: string, more: Partial<SendOptions> = {}) =>
    sendMessage(targets, { url, headers: { 'webhook-id': 'msg_1' }, body: '{"a":1}' }, { ...options, ...more });

  test('arrives with its headers, under the name of the host', async () => {
    receiver.respond = () => new Response(null, { status: 204 });
    const targets = allowing('hooks.test', async () => ['127.0.0.1']);
    expect(await send(targets, `http://hooks.test:${receiver.port}/in?a=b`)).toMatchObject({
      status: 204,
      error: null,
    });
    expect(receiver.received.at(-1)).toMatchObject({
      body: '{"a":1}',
      headers: {
        host: `hooks.test:${receiver.port}`,
        'content-type': 'application/json',
        'webhook-id': 'msg_1',
        'user-agent': expect.stringMatching(/^Recto\//),
      },
    });
  });

  test('goes to another address of the name where one cannot be connected to', async () => {
    receiver.respond = () => new Response();
    const targets = allowing('hooks.test', async () => ['127.0.0.9', '127.0.0.1']);
    expect((await send(targets, `http://hooks.test:${receiver.port}/`)).error).toBeNull();
  });

  test('never goes to an inner address that a name got after its first look-up', async () => {
    const before = receiver.received.length;
    let looks = 0;
    const targets = new OutboundTargets([], async () => {
      looks += 1;
      return [looks === 1 ? '93.184.215.14' : '127.0.0.1'];
    });
    // As it is saved.
    await targets.check(`http://rebound.test:${receiver.port}/`);
    const sent = await send(targets, `http://rebound.test:${receiver.port}/`);
    expect(sent).toMatchObject({ status: null, error: expect.stringContaining('not a public address') });
    // One look-up for one attempt: what was checked is what would be connected to.
    expect(looks).toBe(2);
    expect(receiver.received).toHaveLength(before);
  });

  test('connects to the address that was checked, whatever the name leads to by then', async () => {
    const before = [receiver.received.length, other.received.length];
    const looks: string[] = [];
    // The name itself leads nowhere, and from its second look-up on to another service.
    const targets = allowing(`127.0.0.1:${receiver.port}`, async (name) => {
      looks.push(name);
      return [looks.length === 1 ? '127.0.0.1' : '127.0.0.2'];
    });
    receiver.respond = () => new Response(null, { status: 204 });
    const sent = await send(targets, `http://moves.test:${receiver.port}/`);
    expect([sent.status, looks]).toEqual([204, ['moves.test']]);
    expect(receiver.received.at(-1)?.headers.host).toBe(`moves.test:${receiver.port}`);
    expect((await send(targets, `http://moves.test:${receiver.port}/`)).error).toContain('127.0.0.2');
    expect([receiver.received.length, other.received.length]).toEqual([(before[0] ?? 0) + 1, before[1] ?? 0]);
  });

  test.each([300, 301, 302, 303, 304, 305, 306, 307, 308])('follows no redirect: %i', async (status) => {
    const before = [receiver.received.length, other.received.length];
    receiver.respond = () => new Response(null, { status, headers: { Location: other.url } });
    const sent = await send(allowing('127.0.0.1'), receiver.url);
    expect(sent).toMatchObject({ status, error: expect.stringContaining('Redirects are not followed') });
    expect([receiver.received.length, other.received.length]).toEqual([(before[0] ?? 0) + 1, before[1] ?? 0]);
  });

  test('does not wait for a receiver that hangs', async () => {
    const release = Promise.withResolvers<void>();
    receiver.respond = async () => {
      await release.promise;
      return new Response();
    };
    const sent = await send(allowing('127.0.0.1'), receiver.url, { timeoutMs: 50 });
    expect(sent).toMatchObject({ status: null, error: 'No response in time.' });
    release.resolve();
  });

  test('reads the beginning of an endless response, and nothing of a compressed one', async () => {
    let written = 0;
    receiver.respond = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            written += 1;
            controller.enqueue(new Uint8Array(65_536).fill(97));
          },
        }),
        { status: 500 },
      );
    const sent = await send(allowing('127.0.0.1'), receiver.url);
    expect(sent.status).toBe(500);
    expect(sent.error?.length).toBeLessThan(1_200);
    expect(written).toBeLessThan(1_000);
    const bomb = Bun.gzipSync(new Uint8Array(50_000_000));
    receiver.respond = () => new Response(bomb, { status: 500, headers: { 'Content-Encoding': 'gzip' } });
    expect((await send(allowing('127.0.0.1'), receiver.url)).error?.length).toBeLessThan(1_200);
  });

  test('whose receiver is away fails with the reason', async () => {
    const sent = await send(allowing('127.0.0.1'), `http://127.0.0.1:${freePort()}/`);
    expect(sent).toMatchObject({ status: null, error: expect.stringContaining('The connection failed') });
  });

  test('is sent by TLS under the name, whose certificate must fit', async () => {
    const file = (name: string) => readFileSync(join(import.meta.dir, '../../../../test/fixtures', name), 'utf8');
    const [key, cert] = [file('hooks-key.pem'), file('hooks-cert.pem')];
    await using secure = new Receiver({ tls: { key, cert } });
    const targets = allowing('127.0.0.0/8', async () => ['127.0.0.1']);
    const url = (name: string) => `https://${name}:${secure.port}/`;
    expect(await send(targets, url('hooks.example.test'), { ca: cert })).toMatchObject({ status: 200, error: null });
    expect(secure.received.at(-1)?.headers.host).toBe(`hooks.example.test:${secure.port}`);
    expect((await send(targets, url('other.example.test'), { ca: cert })).error).toContain('ALTNAME');
    expect((await send(targets, url('hooks.example.test'))).error).toContain('The connection failed');
    expect(secure.received).toHaveLength(1);
  });
});

test.each([
  ['120', 120_000],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30_000],
  ['999999999', 86_400_000],
  ['Sun, 22 Nov 2026 09:00:00 GMT', null],
  ['soon', null],
  ['-5', null],
  [null, null],
])('Retry-After: %p', (text, ms) => expect(retryAfterOf(text, Date.parse('2026-11-22T10:00:00Z'))).toBe(ms));
