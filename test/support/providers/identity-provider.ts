/// <reference path="./oidc-provider.d.ts" />

import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';
import type { AuthProvider } from '../../../packages/recto/src/config/auth-provider-setting.ts';
import { clientSecret } from './test-provider.ts';

/** An OpenID provider that somebody else wrote, on a real socket. People sign in with any name, by its own pages. */
export class IdentityProvider implements AsyncDisposable {
  readonly #server: Server;
  readonly issuer: string;

  /** For a service at `origin`, by the name `main`. */
  static async open(origin: string): Promise<IdentityProvider> {
    const handler: { answer?: ReturnType<Provider['callback']> } = {};
    const server = createServer((request, response) => handler.answer?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
    const provider = new Provider(issuer, {
      clients: [
        {
          ...{ client_id: 'recto', client_secret: clientSecret },
          redirect_uris: [`${origin}/api/v1/auth/providers/main/callback`],
        },
      ],
      claims: { email: ['email', 'email_verified'], profile: ['name'] },
      pkce: { required: () => true },
      cookies: { keys: ['keys of the tests'] },
      findAccount: async (_: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id, email: `${id}@example.com`, email_verified: true }),
      }),
    });
    handler.answer = provider.callback();
    return new IdentityProvider(server, issuer);
  }

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  configured(changes: Partial<AuthProvider> = {}): AuthProvider {
    return {
      ...{ name: 'main', kind: 'oidc', issuer: this.issuer, clientId: 'recto', label: 'Main' },
      ...{ scopes: ['openid', 'email', 'profile'], trustedEmail: true, registration: true, domains: [] },
      ...{ roleClaim: null, roles: {}, allowAdmin: false, trustsMfa: false },
      ...changes,
    };
  }

  /** Goes through its pages as a browser does, and returns where it is sent at last. */
  async signIn(start: string, login: string): Promise<URL> {
    const jar = new Map<string, string>();
    let url = new URL(start);
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 12; step += 1) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { Cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
        ...(form === undefined ? {} : { method: 'POST', body: form }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        jar.set(name, value);
      }
      form = undefined;
      const location = response.headers.get('location');
      if (location !== null) {
        url = new URL(location, url);
        if (url.origin !== this.issuer) return url;
        continue;
      }
      const page = await response.text();
      url = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', url);
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
      if (prompt === '') throw new Error(`The provider shows no form: ${response.status} ${page.slice(0, 300)}`);
      form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt });
    }
    throw new Error('The provider comes to no end.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
