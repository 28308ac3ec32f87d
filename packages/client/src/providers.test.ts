// databases: sqlite, postgres:rest
import { afterEach, expect, test } from 'bun:test';
import { openSite, type Site, siteUrl } from '../../../test/support/providers/provider-site.ts';
import { comeBack, cookieOf, page } from '../../../test/support/providers/provider-visit.ts';
import { createClient, RectoError } from './index.ts';

const names = ['location', 'history', 'sessionStorage'] as const;
const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
afterEach(() => {
  for (const [name, own] of before) {
    if (own === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, own);
  }
});

/** A tab of a browser, as far as the client uses it. `went` is where it was sent. */
function openTab(href: string) {
  const storage = new Map<string, string>();
  const tab = { went: '', href };
  const parts = {
    location: {
      get href() {
        return tab.href;
      },
      get hash() {
        return new URL(tab.href).hash;
      },
      assign(address: string) {
        tab.went = address;
      },
    },
    history: {
      state: null,
      replaceState(_state: unknown, _unused: string, address: string) {
        tab.href = address;
      },
    },
    sessionStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
      removeItem: (key: string) => storage.delete(key),
    },
  };
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return { tab, storage };
}

const clientOf = ({ service }: Site) =>
  createClient({
    url: siteUrl,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const own = new Request(`http://recto.test${pathname}${search}`, request);
      return service.app.fetch(own);
    },
  });

/** To the provider and back, as the browser goes. */
async function follow({ service, provider }: Site, tab: { went: string; href: string }) {
  const { pathname, search } = new URL(tab.went);
  const started = await service.send(`GET ${pathname}${search}`);
  expect(started.status, started.text).toBe(302);
  const back = await provider.visit(started.headers.get('location') ?? '');
  const { reply } = await comeBack(service, back, cookieOf(started));
  tab.href = reply.headers.get('location') ?? '';
}

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof RectoError ? error.code : String(error);
};

test('a page signs somebody in with a provider', async () => {
  await using site = await openSite();
  site.provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  const { tab, storage } = openTab(page);
  const recto = clientOf(site);
  expect(await recto.auth.providers()).toEqual([{ name: 'main', label: 'Main', kind: 'oidc' }]);
  expect(await recto.auth.exchange()).toBeUndefined();
  await recto.auth.signInWith('main', { returnTo: page });
  expect(tab.went).not.toContain(storage.get('recto.verifier') ?? 'none');
  await follow(site, tab);
  expect(tab.href).toContain('#code=rac_');
  expect((await recto.auth.exchange())?.email).toBe('ada@example.com');
  // Nothing of it is left, neither in the address nor in the tab.
  expect([tab.href, storage.size]).toEqual([page, 0]);
  expect((await recto.auth.me()).email).toBe('ada@example.com');
  expect(await recto.auth.exchange()).toBeUndefined();
});

test('a page learns why nobody is signed in', async () => {
  await using site = await openSite({ configured: { registration: false } });
  const { tab } = openTab(page);
  const recto = clientOf(site);
  await recto.auth.signInWith('main', { returnTo: page });
  await follow(site, tab);
  expect(await codeOf(recto.auth.exchange())).toBe('registration_closed');
  expect(tab.href).toBe(page);
  // A code that this tab has not asked for.
  tab.href = `${page}#code=rac_${'x'.repeat(43)}`;
  expect(await codeOf(recto.auth.exchange())).toBe('invalid_code');
  tab.href = `${page}#chapter`;
  expect(await recto.auth.exchange()).toBeUndefined();
});

test('a person links an identity, lists it and removes it', async () => {
  await using site = await openSite();
  const { tab } = openTab(page);
  const recto = clientOf(site);
  await recto.auth.register({ email: 'eve@example.com', password: 'correct horse' });
  await recto.auth.identities.link('main', { returnTo: page });
  await follow(site, tab);
  const linked = await recto.auth.identities.confirm();
  expect(linked).toMatchObject({ provider: 'main', label: 'Main', last_used_at: null });
  expect(await recto.auth.identities.list()).toEqual(linked === undefined ? [] : [linked]);
  await recto.auth.identities.remove(linked?.id ?? '');
  expect(await recto.auth.identities.list()).toEqual([]);
});
