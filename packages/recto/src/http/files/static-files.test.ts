import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleApp } from '../../../../../test/support/sample-app.ts';
import { createLogger } from '../../base/logger.ts';
import { serve } from '../server.ts';
import { staticFiles } from './static-files.ts';

const place = mkdtempSync(join(tmpdir(), 'recto-static-'));
const folder = join(place, 'site');
const write = (path: string, text: string) => Bun.write(join(place, path), text);
await write('secret.txt', 'secret');
await write('site-secret/x.txt', 'secret');
await write('site/index.html', '<p>home</p>');
await write('site/app.js', 'let a;');
await write('site/assets/app-1f.css', 'p{}');
await write('site/guide/index.html', '<p>guide</p>');
await write('site/a b.txt', 'blank');
await write('site/app.js.br', 'brotli');
await write('site/app.js.gz', 'gzip');
await write('site/.env', 'secret');
await write('site/.git/config', 'secret');
symlinkSync(join(place, 'secret.txt'), join(folder, 'link.txt'));
symlinkSync(place, join(folder, 'up'));
symlinkSync(join(folder, 'app.js'), join(folder, 'inner.js'));

afterAll(() => rmSync(place, { recursive: true }));

const app = sampleApp({
  mounts: [
    staticFiles({ prefix: '/site', folder, immutable: '/assets/', headers: { 'X-Own': 'yes' } }),
    staticFiles({ prefix: '/app', folder, fallback: 'index.html' }),
    staticFiles({ prefix: '/small', folder, precompressed: true }),
    staticFiles({ prefix: '/none', folder: join(place, 'missing') }),
    // Below a path that an operation answers.
    staticFiles({ prefix: '/things', folder }),
  ],
});

const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
  app.fetch(new Request(`http://recto.test${path}`, init));

describe('files', () => {
  test.each([
    ['/site/', 200, 'text/html', '<p>home</p>'],
    ['/site/index.html', 200, 'text/html', '<p>home</p>'],
    ['/site/app.js', 200, 'text/javascript', 'let a;'],
    ['/site/app.js?v=1', 200, 'text/javascript', 'let a;'],
    ['/site/inner.js', 200, 'text/javascript', 'let a;'],
    ['/site/guide/', 200, 'text/html', '<p>guide</p>'],
    ['/site/a%20b.txt', 200, 'text/plain', 'blank'],
  ])('%s', async (path, status, type, text) => {
    const answer = await send(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toStartWith(type);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-request-id')).toBeString();
    expect(await answer.text()).toBe(text);
  });

  test('the prefix itself leads to its folder', async () => {
    const answer = await send('/site');
    expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
      ...{ status: 308, location: '/site/' },
    });
  });

  test('a folder with a page leads to that page', async () => {
    const answer = await send('/site/guide');
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/site/guide/']);
    expect((await send('/site/assets')).status).toBe(404);
  });

  test('a folder with a page leads to that page whatever the host is called', async () => {
    const server = serve(() => app, { host: '127.0.0.1', port: 0, log: createLogger('silent') });
    try {
      for (const host of ['a b', '[::', 'a%zz', 'x:99999']) {
        const received: string[] = [];
        const closed = Promise.withResolvers<void>();
        const socket = await Bun.connect({
          hostname: '127.0.0.1',
          port: Number(new URL(server.url).port),
          socket: { data: (_, data) => void received.push(data.toString()), close: () => closed.resolve() },
        });
        socket.write(`GET /site/guide?a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        await closed.promise;
        expect([host, received.join('').slice(0, 13)]).toEqual([host, 'HTTP/1.1 308 ']);
      }
    } finally {
      await server.stop(0);
    }
  });

  test('headers of the mount', async () => {
    expect((await send('/site/app.js')).headers.get('x-own')).toBe('yes');
  });
});

describe('nothing there', () => {
  test.each([
    '/site/missing.js',
    '/site/app.js/',
    '/site/.env',
    '/site/.git/config',
    '/site/link.txt',
    '/site/up/secret.txt',
    '/site/..%2fsecret.txt',
    '/site/%2e%2e/secret.txt',
    '/site/%2e%2e%2fsecret.txt',
    '/site/..%5csecret.txt',
    '/site/guide%2f..%2f..%2fsecret.txt',
    '/site//etc/passwd',
    '/site/%2fetc/passwd',
    '/site/..%2fsite-secret/x.txt',
    '/site/app.js:stream',
    `/site/${'x'.repeat(300)}`,
    '/sitefoo/app.js',
    '/none/',
    '/none/index.html',
  ])('%s', async (path) => {
    const answer = await send(path);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 404, code: 'route_not_found' });
  });

  test('a raw path with dots', async () => {
    const server = serve(() => app, { host: '127.0.0.1', port: 0, log: createLogger('silent') });
    try {
      for (const path of ['/site/../secret.txt', '/site/guide/../../secret.txt', '/site/./../secret.txt']) {
        const socket = await Bun.connect({
          hostname: '127.0.0.1',
          port: Number(new URL(server.url).port),
          socket: { data: (_, data) => void received.push(data.toString()), close: () => closed.resolve() },
        });
        const received: string[] = [];
        const closed = Promise.withResolvers<void>();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        await closed.promise;
        expect(received.join('')).toStartWith('HTTP/1.1 404 ');
      }
    } finally {
      await server.stop(0);
    }
  });

  test('a path that is not percent-encoded UTF-8', async () => {
    expect((await send('/site/%ff')).status).toBe(400);
    expect((await send('/site/a%00b')).status).toBe(400);
  });
});

describe('caching', () => {
  test('a file that the caller has is not sent again, until it changes', async () => {
    const path = '/site/changing.txt';
    writeFileSync(join(folder, 'changing.txt'), 'one');
    const first = await send(path);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await send(path, { headers: { 'If-None-Match': etag } });
    expect({ status: again.status, etag: again.headers.get('etag'), text: await again.text() }).toEqual({
      ...{ status: 304, etag, text: '' },
    });
    writeFileSync(join(folder, 'changing.txt'), 'other');
    const changed = await send(path, { headers: { 'If-None-Match': etag } });
    expect({ status: changed.status, text: await changed.text() }).toEqual({ status: 200, text: 'other' });
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  test('files whose names change with their content are kept', async () => {
    const answer = await send('/site/assets/app-1f.css');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});

describe('files that were compressed before', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br', 'brotli'],
    ['gzip;q=1.0, br;q=0', 'gzip', 'gzip'],
    ['gzip;q=0.5', 'gzip', 'gzip'],
    ['br;q=0.000', null, 'let a;'],
    ['', null, 'let a;'],
  ] as const)('for %j', async (accepted, encoding, text) => {
    const headers = { 'Accept-Encoding': accepted };
    const answer = await send('/small/app.js', { headers });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([encoding, text]);
    expect(answer.headers.get('content-type')).toStartWith('text/javascript');
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    const etag = answer.headers.get('etag') ?? '';
    const again = await send('/small/app.js', { headers: { ...headers, 'If-None-Match': etag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
  });

  test('each form has a tag of its own', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (accepted) =>
        (await send('/small/app.js', { headers: { 'Accept-Encoding': accepted } })).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test('one that is older than its file is left', async () => {
    await write('site/rebuilt.txt.br', 'the build before');
    utimesSync(join(folder, 'rebuilt.txt.br'), 1, 1);
    await write('site/rebuilt.txt', 'now');
    const answer = await send('/small/rebuilt.txt', { headers: { 'Accept-Encoding': 'br' } });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, 'now']);
  });

  test('HEAD has the length of what GET sends', async () => {
    const answer = await send('/small/app.js', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
    expect([answer.headers.get('content-length'), answer.headers.get('content-encoding')]).toEqual(['4', 'gzip']);
  });

  test('mounts without them send files as they are', async () => {
    const answer = await send('/site/app.js', { headers: { 'Accept-Encoding': 'br' } });
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      null,
      expect.not.stringContaining('Encoding'),
    ]);
  });
});

describe('methods', () => {
  test('HEAD: the headers alone', async () => {
    const answer = await send('/site/app.js', { method: 'HEAD' });
    expect({ status: answer.status, length: answer.headers.get('content-length'), text: await answer.text() }).toEqual({
      ...{ status: 200, length: '6', text: '' },
    });
  });

  test.each(['POST', 'DELETE', 'OPTIONS'])('%s is rejected', async (method) => {
    const answer = await send('/site/app.js', { method });
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });
});

describe('an application with routes of its own', () => {
  const html = { Accept: 'text/html,*/*' };

  test.each([
    ['/app/posts/12', html, 200],
    ['/app/posts/12', {}, 404],
    ['/app/missing.png', html, 404],
    ['/app/app.js', html, 200],
  ] as const)('%s %p: %d', async (path, headers, status) => {
    expect((await send(path, { headers })).status).toBe(status);
  });
});

test('operations come first', async () => {
  expect((await send('/things/01890000-0000-7000-8000-000000000000')).headers.get('content-type')).toBe(
    'application/json',
  );
  expect((await send('/things/guide/')).status).toBe(200);
});
