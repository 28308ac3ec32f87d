import type { Account, Identity, Page, Providers } from './auth.ts';
import { RectoError } from './recto-error.ts';
import type { CallOptions, Send } from './transport.ts';

/** What the page keeps until it is back from a provider. */
const kept = 'recto.verifier';

/** Whatever runs the client: only pages have all of it. */
const here = (): Page => globalThis as unknown as Page;

const text = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');

/** Makes a secret of the page, and goes where the service is asked for with its hash. */
async function leave(addressOf: (challenge: string) => string | Promise<string>): Promise<void> {
  const verifier = text(crypto.getRandomValues(new Uint8Array(32)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const address = await addressOf(text(new Uint8Array(hash)));
  here().sessionStorage.setItem(kept, verifier);
  here().location.assign(address);
}

/** What the address of this page has from a provider, which goes out of it. Throws the error that it may have. */
function arrived(): { readonly code: string; readonly verifier: string } | undefined {
  const { location, history, sessionStorage } = here();
  const [, name, value = ''] = /^#(code|error)=([\w-]+)$/.exec(location.hash) ?? [];
  if (!name) return undefined;
  history.replaceState(history.state, '', location.href.split('#')[0]);
  const verifier = sessionStorage.getItem(kept) ?? '';
  sessionStorage.removeItem(kept);
  if (name === 'error') throw new RectoError(403, { code: value });
  return { code: value, verifier };
}

/** The calls for signing in with providers. `enter` signs in with what a route returns. */
export function providerCalls(
  url: string,
  [anonymous, send]: readonly [Send, Send],
  enter: (body: object, options?: CallOptions) => Promise<Account>,
): Providers {
  const own = '/auth/me/identities';
  const root = `${url.replace(/\/*$/, '/')}api/v1/auth/providers`;
  return {
    providers: async (options) => (await anonymous<{ items: [] }>('GET', '/auth/providers', options)).items,
    signInWith: (name, { returnTo, purpose } = {}) =>
      leave((challenge) => {
        const query = new URLSearchParams({ challenge });
        if (returnTo) query.set('return_to', returnTo);
        if (purpose) query.set('purpose', purpose);
        return `${root}/${encodeURIComponent(name)}/start?${query}`;
      }),
    async exchange(options) {
      const given = arrived();
      return given && enter(given, options);
    },
    identities: {
      list: async (options) => (await send<{ items: [] }>('GET', own, options)).items,
      link: (name, { returnTo: return_to, ...options } = {}) =>
        leave(async (challenge) => {
          const body = { challenge, return_to };
          return (await send<{ url: string }>('POST', `${own}/${encodeURIComponent(name)}`, { ...options, body })).url;
        }),
      async confirm(options) {
        const body = arrived();
        return body && send<Identity>('POST', own, { ...options, body });
      },
      remove: (id, options) => send('DELETE', `${own}/${encodeURIComponent(id)}`, options),
    },
  };
}
