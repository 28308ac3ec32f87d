import { type AuthProvider, type AuthProviders, isOfManyTenants } from '../../config/auth-provider-setting.ts';
import { type Flow, FlowSealer, flowSecret } from './flow.ts';
import type { Identity } from './identity-store.ts';
import type { KeyCache, ProtocolParts, ServerMetadata } from './oidc-protocol.ts';
import { type ProviderFetch, signInMs } from './provider-http.ts';
import { ProviderFailure, type ProviderIdentity } from './provider-identity.ts';

export interface ProvidersOptions {
  readonly providers: AuthProviders;
  /** By the names of providers. */
  readonly secrets: Readonly<Record<string, string>>;
  /** RECTO_URL. */
  readonly origin: string;
  /** What the service signs its tokens with. */
  readonly secret: string;
  readonly fetch: ProviderFetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with what is wrong with a provider's answer. */
  readonly onFailure: (provider: AuthProvider, failure: ProviderFailure) => void;
}

/** What is known of a provider. */
interface Known {
  readonly server: Promise<ServerMetadata>;
  readonly keys: KeyCache;
  readonly at: number;
}

/** How long the metadata of a provider is used, in milliseconds. */
const metadataMs = 60 * 60 * 1000;

/** The providers that people sign in with. What only a sign-in needs is loaded by the first one. */
export class Providers {
  readonly #sealer: FlowSealer;
  readonly #options: ProvidersOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: ProvidersOptions) {
    this.#options = options;
    this.#sealer = new FlowSealer(options.secret);
  }

  get all(): readonly AuthProvider[] {
    return Object.values(this.#options.providers);
  }

  get origin(): string {
    return this.#options.origin;
  }

  find(name: string): AuthProvider | undefined {
    return Object.hasOwn(this.#options.providers, name) ? this.#options.providers[name] : undefined;
  }

  /** Whether somebody can sign in with an identity: its provider is configured, and is still the same one. */
  opens({ issuer }: Pick<Identity, 'issuer'>): boolean {
    return this.all.some((provider) => provider.issuer === issuer || isOfTenant(provider, issuer));
  }

  /** Reads what a provider says of itself. Throws `ProviderFailure` where a sign-in would fail for that. */
  async check(provider: AuthProvider): Promise<void> {
    await this.begin(provider, { purpose: 'sign_in', returnTo: this.origin, challenge: '' });
  }

  /** The flow that a browser brings back; undefined for what is none, or began more than ten minutes ago. */
  opened(cookie: string): Flow | undefined {
    return this.#sealer.open(cookie, this.#options.now());
  }

  /** What the browser keeps of a new flow, and where it goes. Throws `ProviderFailure`. */
  begin(
    provider: AuthProvider,
    asked: Pick<Flow, 'purpose' | 'returnTo' | 'challenge'>,
  ): Promise<{ readonly cookie: string; readonly url: string }> {
    return this.#reporting(provider, async (parts) => {
      const { authorizationUrl } = await protocol();
      const server = await this.#server(parts).server;
      const flow: Flow = {
        ...{ provider: provider.name, state: flowSecret(), nonce: flowSecret(), verifier: flowSecret() },
        ...{ ...asked, startedAt: this.#options.now() },
      };
      return { cookie: this.#sealer.seal(flow), url: await authorizationUrl(server, parts, flow) };
    });
  }

  /** Who came back, by the query of the address that the provider sent the browser to. Throws `ProviderFailure`. */
  finish(provider: AuthProvider, flow: Flow, search: string): Promise<ProviderIdentity> {
    return this.#reporting(provider, async (parts) => {
      const { readClaims } = await protocol();
      const { identityOfClaims, identityOfGitHubUser } = await import('./identity-of-claims.ts');
      const { server, keys } = this.#server(parts);
      const metadata = await server;
      if (provider.kind !== 'github')
        return identityOfClaims(provider, await readClaims(metadata, parts, flow, { search, keys }));
      const { readGitHubUser } = await import('./github-protocol.ts');
      return identityOfGitHubUser(provider, await readGitHubUser(metadata, parts, flow, search));
    });
  }

  /** The metadata, read once for all who wait for it. A failure is not remembered; while the provider is down, the last answer is used. */
  #server(parts: ProtocolParts): Known {
    const { name } = parts.provider;
    const known = this.#known.get(name);
    const now = this.#options.now();
    if (known !== undefined && now - known.at < metadataMs) return known;
    const fresh: Known = { server: this.#discover(parts, known), keys: known?.keys ?? {}, at: now };
    this.#known.set(name, fresh);
    fresh.server.catch(() => {
      if (this.#known.get(name) === fresh) this.#known.delete(name);
    });
    return fresh;
  }

  async #discover(parts: ProtocolParts, last: Known | undefined): Promise<ServerMetadata> {
    if (parts.provider.kind === 'github')
      return (await import('./github-protocol.ts')).gitHubServer(parts.provider.issuer);
    try {
      // Others may wait for it as well, so it does not end with the request that was first.
      return await (await protocol()).discover({ ...parts, signal: AbortSignal.timeout(signInMs) });
    } catch (error) {
      if (last === undefined) throw error;
      return last.server;
    }
  }

  async #reporting<T>(provider: AuthProvider, work: (parts: ProtocolParts) => Promise<T>): Promise<T> {
    const { secrets, fetch, onFailure } = this.#options;
    const { name } = provider;
    try {
      return await work({
        ...{ provider, secret: secrets[name] ?? '', redirectUri: this.callback(name), fetch },
        signal: AbortSignal.timeout(signInMs),
      });
    } catch (error) {
      const failure = error instanceof ProviderFailure ? error : (await protocol()).failureOf(error);
      if (failure.code !== 'access_denied') onFailure(provider, failure);
      throw failure;
    }
  }

  /** The address that a provider sends browsers back to, to be entered there. */
  callback(name: string): string {
    return `${this.origin}/api/v1/auth/providers/${name}/callback`;
  }
}

/** An issuer of Microsoft's that stands for many has an issuer of its own for each tenant. */
const isOfTenant = ({ kind, issuer }: AuthProvider, named: string): boolean =>
  kind === 'microsoft' && isOfManyTenants(issuer) && new URL(named).origin === new URL(issuer).origin;

/** Loaded with the first sign-in by a provider: most starts see none. */
const protocol = () => import('./oidc-protocol.ts');
