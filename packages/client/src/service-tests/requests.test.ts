// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { createClient, createReader } from '../index.ts';
import { credentials, failure, serviceOfFile, url } from './service.fixture.ts';

const { through, watched } = serviceOfFile();

const hanging = ({ signal }: Request): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a request', () => {
  test('that the service cannot take now is sent again', async () => {
    const { sent, fetch } = watched((_, count) =>
      count < 3 ? Response.json({}, { status: 503, headers: { 'Retry-After': '0' } }) : undefined,
    );
    await createReader({ url, fetch }).topics?.list();
    expect(sent.length).toBe(3);
  });

  test('is sent again after a broken connection if it has a key, whatever its method', async () => {
    const { sent, fetch } = watched((_, count) =>
      count === 1 ? Promise.reject(new TypeError('connection lost')) : Response.json({}),
    );
    const recto = createClient({ url, fetch });
    await recto.request('PUT', '/pages/x', { headers: { 'If-Match': '"a"', 'Idempotency-Key': 'b' }, body: {} });
    expect(sent.length).toBe(2);
  });

  test('to a foreign address has neither the token nor the headers of every request', async () => {
    const { sent, fetch } = watched(({ url: to }) => (to.startsWith(url) ? undefined : Response.json({})));
    const recto = createClient({ url, fetch, headers: { 'Recto-Tenant': 'north' } });
    await recto.auth.login(credentials);
    const foreign = ['https://evil.example/x', 'http://recto.test.evil.example/', 'http://recto.test@evil.example/'];
    for (const address of foreign) await recto.request('GET', address, { headers: { Accept: 'text/plain' } });
    await recto.request('GET', `${url}api/v1/auth/me`);
    const headers = sent
      .slice(1)
      .map((one) => ['authorization', 'recto-tenant', 'accept'].map((name) => one.headers.has(name)));
    expect(headers).toEqual([...foreign.map(() => [false, false, true]), [true, true, false]]);
  });

  test('to any route gives its headers', async () => {
    const recto = createClient({ url, fetch: through });
    const tag = await recto.request('GET', '/pages', {}, async (response) => response.headers.get('etag'));
    expect(tag).toMatch(/^"/);
  });

  test('is sent by its own `fetch` where it has one', async () => {
    const { sent, fetch: usual } = watched();
    const recto = createClient({ url, fetch: usual });
    const own = async (request: Request) => Response.json({ got: await request.text() });
    expect(await recto.request('POST', '/x', { body: new Blob(['abc']), fetch: own })).toEqual({ got: 'abc' });
    expect(sent.length).toBe(0);
  });

  test('uses the connection of the one before, by the `fetch` of the program', async () => {
    const ports = new Set<number | undefined>();
    await using server = Bun.serve({
      port: 0,
      fetch(request, self) {
        ports.add(self.requestIP(request)?.port);
        return Response.json({ items: [] });
      },
    });
    const { topics } = createReader({ url: server.url.href });
    for (let count = 0; count < 5; count += 1) await topics?.list();
    expect(ports.size).toBe(1);
  });

  test('ends with its signal, and by its timeout', async () => {
    const never = createClient({ url, retries: 0, fetch: (request) => hanging(request) });
    const controller = new AbortController();
    const listed = never.collection('topics').list({ signal: controller.signal });
    controller.abort(new Error('no longer wanted'));
    expect(listed).rejects.toThrow('no longer wanted');
    expect(await failure(never.collection('topics').list({ timeout: 1 }))).toMatchObject({
      status: 0,
      code: 'timeout',
    });
  });

  test('begins with a timeout of its own after one that has ended', async () => {
    const begun: boolean[] = [];
    const recto = createClient({
      url,
      retries: 0,
      // The second request, which has its answer at once, never takes so long.
      timeout: 500,
      async fetch(request) {
        begun.push(request.signal.aborted);
        return begun.length === 1 ? hanging(request) : Response.json({ items: [] });
      },
    });
    expect((await failure(recto.collection('topics').list())).code).toBe('timeout');
    expect((await recto.collection('topics').list()).items).toEqual([]);
    expect(begun).toEqual([false, false]);
  });

  test('may ask for any text, half a character included', async () => {
    const { sent, fetch } = watched(() => Response.json({ items: [] }));
    const query = { 'a&b': 'c=d&e+f %/?#é', list: ['x', 'y,z'], none: undefined };
    await createReader({ url, fetch }).topics?.list({ search: 'half \ud83d', query });
    expect([...new URL(sent[0]?.url ?? '').searchParams]).toEqual([
      ['a&b', 'c=d&e+f %/?#é'],
      ['list', 'x,y,z'],
      ['search', 'half \ufffd'],
    ]);
  });

  test('has the headers of its own in the place of those of every request', async () => {
    const { sent, fetch } = watched(() => Response.json({}));
    const recto = createClient({ url, fetch, headers: { ACCEPT: 'text/plain', 'X-One': '1' } });
    await recto.request('POST', '/x', { headers: { accept: 'text/html', 'content-type': 'text/plain' }, body: {} });
    const names = ['accept', 'content-type', 'x-one'];
    expect(names.map((name) => sent[0]?.headers.get(name))).toEqual(['text/html', 'text/plain', '1']);
  });

  test('without a body in its response returns nothing, if there should be none', async () => {
    const answers = [
      new Response(null, { status: 204 }),
      new Response('', { headers: { 'Content-Length': '0' } }),
      new Response('', { status: 200 }),
    ];
    const recto = createClient({ url, fetch: async () => answers.shift() ?? Response.error() });
    expect([await recto.request('GET', '/x'), await recto.request('GET', '/x')]).toEqual([undefined, undefined]);
    expect(await failure(recto.request('GET', '/x'))).toMatchObject({ status: 200, code: 'unexpected_response' });
  });

  test('whose response is that of a proxy fails as one', async () => {
    const recto = createClient({ url, fetch: async () => new Response('<h1>Hello</h1>') });
    expect(await failure(recto.collection('topics').list())).toMatchObject({
      status: 200,
      code: 'unexpected_response',
    });
  });
});
