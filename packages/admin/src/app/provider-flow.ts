import { session } from './session.svelte.ts';

/** Signing in at a provider leaves this page and comes back to it: what has to be known then is kept in this tab. */
interface Flow {
  /** What proves that whoever comes back began it here. */
  readonly verifier: string;
  /** Where somebody was. */
  readonly path: string;
  /** Absent: to sign in. */
  readonly links?: true;
}

/** What the address says after the way back. */
export type ProviderReturn =
  | { readonly kind: 'code'; readonly code: string; readonly flow: Flow }
  | { readonly kind: 'error'; readonly code: string };

const key = 'recto.provider-flow';

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Keeps a new verifier in this tab, and returns the challenge that the service is given for it. */
async function begin(flow: Omit<Flow, 'verifier'>): Promise<string> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(key, JSON.stringify({ ...flow, verifier }));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

/** Leaves the page to sign in at a provider. */
export async function signInAt(provider: string, path: string): Promise<void> {
  const challenge = await begin({ path });
  const query = new URLSearchParams({ purpose: 'admin', challenge });
  location.assign(`/api/v1/auth/providers/${encodeURIComponent(provider)}/start?${query}`);
}

/** Leaves the page to prove an account at a provider, which the own account gets. `beginLink` asks the service where to. */
export async function linkAt(
  path: string,
  beginLink: (challenge: string) => Promise<{ readonly url: string }>,
): Promise<void> {
  const { url } = await beginLink(await begin({ path, links: true }));
  location.assign(url);
}

/** Reads what a provider sent the browser back with, and takes it out of the address. Undefined: nothing. */
export function takeReturn(): ProviderReturn | undefined {
  const given = new URLSearchParams(location.hash.slice(1));
  const [code, error] = [given.get('code'), given.get('error')];
  if (error === null && !code?.startsWith('rac_')) return undefined;
  const flow = keptFlow();
  sessionStorage.removeItem(key);
  history.replaceState(history.state, '', location.pathname + location.search);
  if (error !== null) return { kind: 'error', code: error };
  if (code === null || flow === undefined) return { kind: 'error', code: 'invalid_flow' };
  return { kind: 'code', code, flow };
}

function keptFlow(): Flow | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('verifier' in kept) || !('path' in kept)) return undefined;
    const links = 'links' in kept && kept.links === true;
    return { verifier: String(kept.verifier), path: String(kept.path), ...(links ? { links } : {}) };
  } catch {
    return undefined;
  }
}

/** Signs in with what a provider gave. Resolves to the second factor that is still asked for. */
export const finishSignIn = ({ code, flow }: ProviderReturn & { readonly kind: 'code' }) =>
  session.enterWith('/auth/exchange', { code, verifier: flow.verifier });
