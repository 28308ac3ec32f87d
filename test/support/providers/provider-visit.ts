import { expect } from 'bun:test';
import { randomBytes } from 'node:crypto';
import type { Reply, TestService } from '../service.ts';
import type { TestProvider } from './test-provider.ts';

/** The page that sign-ins lead back to. */
export const page = 'https://site.example.com/account';

/** The secret of a page, and what it is asked for with. */
export function pageSecret(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: new Bun.CryptoHasher('sha256').update(verifier).digest('base64url') };
}

export interface Begun {
  readonly verifier: string;
  /** Where the browser goes. */
  readonly location: string;
  /** The cookie that it keeps. */
  readonly cookie: string;
}

export interface Visit {
  readonly provider?: string;
  readonly purpose?: 'sign_in' | 'admin' | 'link';
  readonly returnTo?: string;
  readonly peer?: string;
}

/** Begins a sign-in in a browser. */
export async function begin(
  service: TestService,
  { provider = 'main', purpose = 'sign_in', returnTo = page, peer = '192.0.2.1' }: Visit = {},
): Promise<Begun> {
  const { verifier, challenge } = pageSecret();
  const query = new URLSearchParams({ challenge, purpose, return_to: returnTo });
  const reply = await service.send(`GET /api/v1/auth/providers/${provider}/start?${query}`, { peer });
  expect(reply.status, reply.text).toBe(302);
  return { verifier, location: reply.headers.get('location') ?? '', cookie: cookieOf(reply) };
}

export const cookieOf = ({ headers }: Reply): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** Where a sign-in ended. */
export interface Ended {
  readonly reply: Reply;
  /** The page, without what is behind `#`. */
  readonly page: string;
  readonly code: string | undefined;
  readonly error: string | undefined;
}

export async function comeBack(service: TestService, back: URL, cookie: string): Promise<Ended> {
  const headers = cookie === '' ? {} : { Cookie: cookie };
  const reply = await service.send(`GET ${back.pathname}${back.search}`, { headers, peer: '192.0.2.1' });
  const location = reply.headers.get('location') ?? '';
  const [where = '', fragment = ''] = location.split('#');
  const said = new URLSearchParams(fragment);
  return { reply, page: where, code: said.get('code') ?? undefined, error: said.get('error') ?? undefined };
}

export const exchange = (service: TestService, code: string | undefined, verifier: string, session?: 'cookie') =>
  service.send('POST /api/v1/auth/exchange', { body: { code: code ?? '', verifier, ...(session && { session }) } });

/** A whole sign-in: to the provider, back, and the code exchanged where there is one. */
export async function visit(service: TestService, provider: TestProvider, how: Visit = {}) {
  const begun = await begin(service, how);
  const ended = await comeBack(service, await provider.visit(begun.location), begun.cookie);
  const tokens = ended.code === undefined ? undefined : await exchange(service, ended.code, begun.verifier);
  return { ...begun, ...ended, tokens };
}
