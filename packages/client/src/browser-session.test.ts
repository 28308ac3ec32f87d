import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../../test/support/service.ts';
import { createClient } from './index.ts';

// `session: 'cookie'`, against a service that listens.

let service: TestService;
let server: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true });
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => service.app.fetch(request) });
  await service.account('ada', 'admin');
});
afterAll(async () => {
  await server.stop(true);
  await service[Symbol.asyncDispose]();
});

const credentials = { email: 'ada@example.com', password: 'correct horse' };

/** What a browser does with the cookies of one service: all its tabs share them. */
class CookieJar {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();
  readonly sent: { readonly path: string; readonly cookie: string | null; readonly body: string }[] = [];
  readonly answers: string[] = [];

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const cookies = [...this.#cookies].filter(([, { path }]) => pathname === path || pathname.startsWith(`${path}/`));
    const headers = new Headers(request.headers);
    if (cookies.length > 0) headers.set('Cookie', cookies.map(([name, { value }]) => `${name}=${value}`).join('; '));
    this.sent.push({ path: pathname, cookie: headers.get('cookie'), body: await request.clone().text() });
    const response = await fetch(new Request(request, { headers }));
    this.answers.push(await response.clone().text());
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  };

  get size(): number {
    return this.#cookies.size;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const attribute = (key: string): string | undefined =>
      attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
    if (attribute('max-age') === '0') this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path: attribute('path') ?? '/' });
  }
}

const tab = (jar: CookieJar) => createClient({ url: server.url.href, fetch: jar.fetch, session: 'cookie' });

test('the page never sees the refresh token, and a new page goes on with the session', async () => {
  const jar = new CookieJar();
  const first = tab(jar);
  await first.auth.login(credentials);
  expect(jar.size).toBe(1);
  expect(await first.auth.me()).toMatchObject({ email: credentials.email });
  // The page is loaded again: nothing is left but the cookie.
  const again = tab(jar);
  expect(await again.auth.signedIn()).toBe(false);
  expect(await again.auth.refresh()).toBe(true);
  expect(await again.auth.me()).toMatchObject({ email: credentials.email });
  expect(jar.answers.filter((text) => text.includes('refresh_token'))).toEqual([]);
  // Only the route that needs the cookie gets it.
  const withCookie = jar.sent.filter(({ cookie }) => cookie !== null).map(({ path }) => path);
  expect(new Set(withCookie)).toEqual(new Set(['/api/v1/auth/refresh']));
});

test('signing out ends it for all tabs', async () => {
  const jar = new CookieJar();
  const [one, other] = [tab(jar), tab(jar)];
  await one.auth.login(credentials);
  expect(await other.auth.refresh()).toBe(true);
  await one.auth.logout();
  expect(jar.size).toBe(0);
  expect(await tab(jar).auth.refresh()).toBe(false);
  let ended = 0;
  other.auth.onEnd(() => {
    ended += 1;
  });
  await other.auth.me().catch(() => undefined);
  expect([ended, await other.auth.signedIn()]).toEqual([1, false]);
});

describe('a request that nobody asked for', () => {
  const background = { background: true };
  /** A page whose session has been ended elsewhere, and how often it has heard so. */
  async function endedPage(fetch?: (jar: CookieJar, request: Request) => Promise<Response>) {
    const jar = new CookieJar();
    const send = (request: Request) => fetch?.(jar, request) ?? jar.fetch(request);
    const page = createClient({ url: server.url.href, session: 'cookie', fetch: send });
    await page.auth.login(credentials);
    const away = tab(new CookieJar());
    await away.auth.login(credentials);
    await away.request('DELETE', '/auth/me/sessions');
    let ends = 0;
    page.auth.onEnd(() => {
      ends += 1;
    });
    return { page, ends: () => ends };
  }

  test('leaves it to the next one to end the session', async () => {
    const { page, ends } = await endedPage();
    for (const _ of [1, 2]) {
      await expect(page.request('GET', '/auth/me', background)).rejects.toMatchObject({ status: 401 });
      expect(ends()).toBe(0);
    }
    await expect(page.auth.me()).rejects.toMatchObject({ status: 401 });
    expect([ends(), await page.auth.signedIn()]).toEqual([1, false]);
  });

  test('a stream leaves it to the next one as well', async () => {
    const { page, ends } = await endedPage();
    await expect(page.events(background).next()).rejects.toMatchObject({ status: 401 });
    expect(ends()).toBe(0);
    await expect(page.events().next()).rejects.toMatchObject({ status: 401 });
    expect(ends()).toBe(1);
  });

  test('renews a session that goes on', async () => {
    const jar = new CookieJar();
    let isOld = true;
    const page = createClient({
      url: server.url.href,
      session: 'cookie',
      async fetch(request) {
        const isMe = request.url.endsWith('/auth/me');
        if (isMe && isOld) return Response.json({ code: 'invalid_token' }, { status: 401 });
        if (request.url.endsWith('/refresh')) isOld = false;
        return jar.fetch(request);
      },
    });
    await page.auth.login(credentials);
    expect(await page.request('GET', '/auth/me', background)).toMatchObject({ email: credentials.email });
  });

  test('is no hindrance to one that joins its renewal', async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    let rejected = 0;
    const { page, ends } = await endedPage(async (jar, request) => {
      if (request.url.endsWith('/refresh')) {
        begun.resolve();
        await go.promise;
      }
      const response = await jar.fetch(request);
      rejected += request.url.endsWith('/auth/me') ? 1 : 0;
      // Both were rejected, so that the second waits for the renewal of the first.
      if (rejected === 2) go.resolve();
      return response;
    });
    const quiet = page.request('GET', '/auth/me', background).catch(() => undefined);
    await begun.promise;
    await expect(page.auth.me()).rejects.toMatchObject({ status: 401 });
    await quiet;
    expect([ends(), await page.auth.signedIn()]).toEqual([1, false]);
  });
});

test('a page without a session hears of no end', async () => {
  const recto = tab(new CookieJar());
  recto.auth.onEnd(() => {
    throw new Error('There was no session.');
  });
  expect(await recto.auth.refresh()).toBe(false);
});

test('a new password ends all other sessions, and this page goes on', async () => {
  await service.account('cleo', 'editor');
  const [jar, other] = [new CookieJar(), new CookieJar()];
  const [page, elsewhere] = [tab(jar), tab(other)];
  const old = { email: 'cleo@example.com', password: 'correct horse' };
  await page.auth.login(old);
  await elsewhere.auth.login(old);
  const changed = await page.auth.changePassword({ current_password: old.password, new_password: 'battery staple' });
  expect(changed).toMatchObject({ email: old.email });
  expect(jar.answers.at(-1)).not.toContain('rrt_');
  expect(await page.auth.me()).toMatchObject({ email: old.email });
  expect(await tab(jar).auth.refresh()).toBe(true);
  expect(await elsewhere.auth.refresh()).toBe(false);
  const wrong = { current_password: old.password, new_password: 'another one' };
  await expect(page.auth.changePassword(wrong)).rejects.toMatchObject({ status: 422 });
});

describe('another account that signs in, in another tab,', () => {
  const dora = { email: 'dora@example.com', password: 'correct horse' };
  beforeAll(() => service.account('dora', 'editor'));

  test('is not the one that a page goes on as unasked', async () => {
    const jar = new CookieJar();
    const [page, elsewhere] = [tab(jar), tab(jar)];
    let ended = 0;
    page.auth.onEnd(() => {
      ended += 1;
    });
    await page.auth.login(credentials);
    await elsewhere.auth.login(dora);
    // The page hears of nothing but that its session has ended.
    const away = tab(new CookieJar());
    await away.auth.login(credentials);
    await away.request('DELETE', '/auth/me/sessions');
    jar.sent.splice(0);
    await expect(page.auth.update({ username: 'taken' })).rejects.toMatchObject({ status: 401 });
    expect(jar.sent.map(({ path }) => path)).toEqual(['/api/v1/auth/me', '/api/v1/auth/refresh']);
    expect([ended, await page.auth.signedIn()]).toEqual([1, false]);
    expect(await elsewhere.auth.me()).toMatchObject({ email: dora.email, username: null });
    // When the page asks for it, it is.
    expect(await page.auth.refresh()).toBe(true);
    expect(await page.auth.me()).toMatchObject({ email: dora.email });
  });

  test('is not replaced by a renewal of the session before, which was under way', async () => {
    const jar = new CookieJar();
    const renewed = Promise.withResolvers<void>();
    const signedIn = Promise.withResolvers<void>();
    let isHeld = true;
    const page = createClient({
      url: server.url.href,
      session: 'cookie',
      async fetch(request) {
        const response = await jar.fetch(request);
        if (isHeld && request.url.endsWith('/refresh')) {
          isHeld = false;
          renewed.resolve();
          await signedIn.promise;
        }
        return response;
      },
    });
    await page.auth.login(credentials);
    const renewing = page.auth.refresh();
    await renewed.promise;
    await page.auth.login(dora);
    signedIn.resolve();
    expect(await renewing).toBe(true);
    expect(await page.auth.me()).toMatchObject({ email: dora.email });
  });
});

test('tabs without `navigator.locks` take turns', async () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  try {
    const jar = new CookieJar();
    await tab(jar).auth.login(credentials);
    const tabs = Array.from({ length: 4 }, () => tab(jar));
    expect(await Promise.all(tabs.map((one) => one.auth.refresh()))).toEqual([true, true, true, true]);
    expect(await Promise.all(tabs.map((one) => one.auth.signedIn()))).toEqual([true, true, true, true]);
    expect(items.size).toBe(0);
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage');
  }
});
