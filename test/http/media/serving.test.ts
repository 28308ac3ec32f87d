import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { runBeside } from '../../support/run-beside.ts';
import { TestService } from '../../support/service.ts';
import { onS3 } from '../../support/storage.ts';
import { getBytes, quarters, uploadRaw } from './media-calls.ts';

let service: TestService;
let text: { readonly id: string; readonly url: string; readonly hash: string };
const content = new TextEncoder().encode('0123456789');

beforeAll(async () => {
  service = await TestService.open([], { builtIn: true });
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
  text = (await uploadRaw(service, content, { as: 'ada', name: 'ten.txt' })).json;
});
afterAll(() => service[Symbol.asyncDispose]());

describe('a file', () => {
  test('is served with headers that keep it from doing anything here', async () => {
    const { status, headers, bytes } = await getBytes(service, text.url);
    expect([status, bytes]).toEqual([200, content]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': `attachment; filename="ten.txt"; filename*=UTF-8''ten.txt`,
      'content-length': '10',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      etag: `"${text.hash.slice(0, 40)}"`,
    });
    expect(headers.get('x-request-id')).not.toBeNull();
  });

  test('is at both addresses, whatever name is asked for, and kept only where the version is current', async () => {
    for (const path of [`/media/${text.id}/ten.txt`, `/api/v1/media/${text.id}/other.html`, `${text.url}0`]) {
      const { status, headers, bytes } = await getBytes(service, path);
      expect([status, headers.get('cache-control'), bytes]).toEqual([200, 'no-cache', content]);
      expect(headers.get('content-disposition')).toContain('ten.txt');
    }
  });

  test('is not sent again to who has it', async () => {
    const etag = `"${text.hash.slice(0, 40)}"`;
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, bytes } = await getBytes(service, text.url, { headers: { 'If-None-Match': known } });
      expect([status, bytes.length]).toEqual([304, 0]);
    }
    expect((await getBytes(service, text.url, { headers: { 'If-None-Match': '"x"' } })).status).toBe(200);
  });

  test.each(['shorter', 'longer'])(
    'is not served from a stored file that is %s, and the log says why',
    async (kind) => {
      const log: string[] = [];
      await using own = await TestService.open([], { builtIn: true, log: (line) => log.push(line) });
      own.expectErrors(/"code":"file_damaged"/);
      await own.account('ada', 'admin');
      const { url } = (await uploadRaw(own, content, { as: 'ada', name: 'ten.txt' })).json;
      const [key = ''] = await own.storedKeys('files/');
      await own.storage.put(
        key,
        (async function* () {
          yield kind === 'shorter' ? content.slice(0, 7) : new Uint8Array([...content, 1]);
        })(),
      );
      const range = { headers: { Range: 'bytes=0-3' } };
      // On S3, what is not read costs no request to the storage.
      const sent = onS3 ? [{}] : [{}, { method: 'HEAD' }, range, { headers: { Range: 'nothing' } }];
      for (const request of sent) {
        const { status, headers } = await getBytes(own, url, request);
        expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([500, 'no-cache', null]);
      }
      expect(log.filter((line) => line.includes('"level":50') || line.includes('"error"')).length).toBe(sent.length);
      const found =
        kind === 'shorter' ? '7 bytes instead of 10' : onS3 ? 'more than 10 bytes' : '11 bytes instead of 10';
      expect(log.join('')).toContain(`${key} has ${found}`);
      const { out } = await runBeside(own, [], ['media', 'verify', '--json']);
      expect(JSON.parse(out).faults).toEqual([{ kind: 'wrong_size', at: key }]);
    },
  );

  test('answers HEAD as GET, without the bytes', async () => {
    const { status, headers, bytes } = await getBytes(service, text.url, {
      method: 'HEAD',
      headers: { Range: 'bytes=0-1' },
    });
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '10', 0]);
  });

  test.each([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=0-', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=3-5', 206, '345', 'bytes 3-5/10'],
    ['bytes=9-', 206, '9', 'bytes 9-9/10'],
    ['bytes=5-99999', 206, '56789', 'bytes 5-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['Bytes = 1 - 2 ', 206, '12', 'bytes 1-2/10'],
    ['bytes=10-', 416, undefined, 'bytes */10'],
    ['bytes=10-12', 416, undefined, 'bytes */10'],
    ['bytes=-0', 416, undefined, 'bytes */10'],
    ['bytes=999999999999999-', 416, undefined, 'bytes */10'],
    // What the standard lets a server ignore.
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['bytes=5-3', 200, '0123456789', null],
    ['bytes=', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['bytes=a-b', 200, '0123456789', null],
    ['bytes=1e1-2', 200, '0123456789', null],
    ['bytes=0x1-2', 200, '0123456789', null],
    ['bytes=--1', 200, '0123456789', null],
    ['bytes=99999999999999999999-', 200, '0123456789', null],
    ['items=0-1', 200, '0123456789', null],
    ['0-1', 200, '0123456789', null],
  ])('answers the range %j with %d', async (range, status, sent, contentRange) => {
    const reply = await getBytes(service, text.url, { headers: { Range: range } });
    expect([reply.status, reply.headers.get('content-range')]).toEqual([status, contentRange]);
    if (sent !== undefined) {
      expect(new TextDecoder().decode(reply.bytes)).toBe(sent);
      expect(reply.headers.get('content-length')).toBe(String(sent.length));
    }
  });

  test('has the same ranges over HTTP, where the runtime knows ranges as well', async () => {
    await using server = Bun.serve({ port: 0, fetch: (request) => service.app.fetch(request) });
    const answer = async (range: string) => {
      const response = await fetch(new URL(text.url, server.url), { headers: { Range: range } });
      return [response.status, response.headers.get('content-range'), (await response.bytes()).length];
    };
    expect(await answer('bytes=2-5')).toEqual([206, 'bytes 2-5/10', 4]);
    expect((await answer('bytes=10-')).slice(0, 2)).toEqual([416, 'bytes */10']);
    for (const ignored of ['bytes=5-3', 'bytes=0-1,3-4', 'bytes=99999999999999999-', 'bytes=0-99999999999999999'])
      expect([ignored, ...(await answer(ignored))]).toEqual([ignored, 200, null, 10]);
  });

  test('sends a range only of the version that the client has', async () => {
    const etag = `"${text.hash.slice(0, 40)}"`;
    const status = async (condition: string): Promise<number> =>
      (await getBytes(service, text.url, { headers: { Range: 'bytes=0-1', 'If-Range': condition } })).status;
    expect(await status(etag)).toBe(206);
    for (const other of ['"x"', `W/${etag}`, '*', 'Sat, 21 Nov 2026 10:00:00 GMT', '']) {
      expect([other, await status(other)]).toEqual([other, other === '' ? 200 : 200]);
    }
  });

  test('that is empty has no ranges', async () => {
    const { json } = await uploadRaw(service, new Uint8Array(), { as: 'ada', name: 'empty' });
    expect((await getBytes(service, json.url)).bytes.length).toBe(0);
    for (const range of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) {
      expect((await getBytes(service, json.url, { headers: { Range: range } })).status).toBe(416);
    }
  });

  test.each(['/media/x/y', '/media/01990000-0000-7000-8000-000000000000/y', '/media/../y', '/media/%2e%2e/y'])(
    '%s is 404',
    async (path) => {
      expect((await getBytes(service, path)).status).toBe(404);
    },
  );

  test('takes no other parameters and methods', async () => {
    expect((await getBytes(service, `${text.url}&x=1`)).status).toBe(400);
    expect((await getBytes(service, text.url, { method: 'POST' })).status).toBe(405);
  });

  test('with any name has headers that are one line', async () => {
    const made = await uploadRaw(service, content, { as: 'ada', name: 'a"b\\c; x=1 – ü \u{1f600}.txt' });
    const { headers } = await getBytes(service, made.json.url);
    const disposition = headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.!~-]+$/);
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(made.json.name);
  });
});

describe('what is shown by browsers', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each([
    ['SVG', svg, 'image/svg+xml', 'attachment'],
    ['SVG with a prolog', `<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE svg>\n${svg}`, 'image/svg+xml', 'attachment'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'application/octet-stream', 'attachment'],
    [
      'XML',
      '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml"/>',
      'application/octet-stream',
      'attachment',
    ],
    ['PDF', '%PDF-1.7\n%âã\n1 0 obj\n<<>>\nendobj\n', 'application/pdf', 'inline'],
    ['ZIP', 'PK\u0003\u0004\u0014\u0000\u0000\u0000', 'application/zip', 'attachment'],
  ])('%s', async (_, source, type, kind) => {
    const bytes = new TextEncoder().encode(source);
    const { json } = await uploadRaw(service, bytes, { as: 'ada', name: 'x.html', type: 'text/html' });
    const { headers } = await getBytes(service, json.url);
    expect([json.mime_type, headers.get('content-type')]).toEqual([type, type]);
    expect(headers.get('content-disposition')?.split(';')[0]).toBe(kind);
  });

  test('an image is inline, unless a download is asked for', async () => {
    const { json } = await uploadRaw(service, await quarters(4, 4), { as: 'ada', name: 'x.png' });
    expect((await getBytes(service, json.url)).headers.get('content-disposition')).toStartWith('inline;');
    const { headers } = await getBytes(service, `${json.url}&download=true`);
    expect(headers.get('content-disposition')).toStartWith('attachment;');
  });
});

describe('a private file', () => {
  test('is 404 without right, and opens with a signed address', async () => {
    const bytes = await quarters(30, 30);
    const made = await uploadRaw(service, bytes, { as: 'ada', name: 'p.png', fields: { visibility: 'private' } });
    const { id, url, variants } = made.json;
    for (const path of [url, variants.thumb, `/api/v1/media/${id}`]) {
      expect((await getBytes(service, path)).status).toBe(404);
      expect((await getBytes(service, path, { as: 'mia' })).status).toBe(404);
      expect((await getBytes(service, path, { as: 'ada' })).status).toBe(200);
    }
    expect((await getBytes(service, url, { as: 'ada' })).headers.get('cache-control')).toBe('private, no-cache');
    expect((await getBytes(service, url, { headers: { Authorization: 'Bearer x' } })).status).toBe(401);

    const path = `POST /api/v1/media/${id}/sign`;
    expect((await service.send(path, { body: { seconds: 60 } })).status).toBe(401);
    expect((await service.send(path, { as: 'mia', body: { seconds: 60 } })).status).toBe(404);
    for (const seconds of [0, -1, 1.5, 604_801, 'x', null]) {
      expect((await service.send(path, { as: 'ada', body: { seconds } })).status).toBe(422);
    }
    const signed = (await service.send(path, { as: 'ada', body: { seconds: 3_600 } })).json;
    const read = await getBytes(service, signed.url);
    expect([read.status, read.bytes]).toEqual([200, new Uint8Array(bytes)]);
    // What is left of the time that the address is good for.
    const left = Number(/^private, max-age=(\d+)$/.exec(read.headers.get('cache-control') ?? '')?.[1]);
    expect(left).toBeWithin(1, 3_601);
    expect((await getBytes(service, signed.variants.thumb)).status).toBe(200);
    const other = (await uploadRaw(service, content, { as: 'ada', fields: { visibility: 'private' } })).json;
    for (const wrong of [
      signed.url.replace(/signature=./, 'signature=~'),
      signed.url.replace(/expires=\d/, 'expires=9'),
      signed.url.replace(/&signature=.*/, ''),
      signed.url.replace(id, other.id),
      signed.url.replace(/expires=\d+/, 'expires=1'),
    ]) {
      expect([wrong, (await getBytes(service, wrong)).status]).toEqual([wrong, 404]);
    }
  });

  test('is private from the moment that its record says so', async () => {
    const { json } = await uploadRaw(service, content, { as: 'ada' });
    expect((await getBytes(service, json.url)).status).toBe(200);
    await service.send(`PUT /api/v1/media/${json.id}`, { as: 'ada', body: { visibility: 'private' } });
    expect((await getBytes(service, json.url)).status).toBe(404);
    await service.send(`PUT /api/v1/media/${json.id}`, { as: 'ada', body: { visibility: 'public' } });
    expect((await getBytes(service, json.url)).status).toBe(200);
  });
});
