import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import type { AuthProvider } from '../../../packages/recto/src/config/auth-provider-setting.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the provider knows of the person who signs in. */
export interface Person extends Json {
  readonly sub: string;
}

/** One way through the provider, as its token endpoint knows it. */
interface Grant {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string;
  readonly person: Person;
}

interface Key {
  readonly kid: string;
  readonly jwk: JWK;
  readonly secret: CryptoKey;
}

/** What goes wrong, in place of what is right. */
export interface Misbehaviour {
  /** Claims of the ID token; undefined leaves one out. */
  readonly claims?: Json;
  /** Makes the ID token of its claims. */
  readonly idToken?: (claims: Json, key: Key) => Promise<string>;
  /** Members of the answer of the token endpoint. */
  readonly tokens?: Json;
  /** What an endpoint answers, by its path. */
  readonly answers?: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;
  /** Parameters that the browser is sent back with; null leaves one out. */
  readonly back?: Readonly<Record<string, string | null>>;
  /** Members of the metadata. */
  readonly metadata?: Json;
  /** Takes codes again and again. */
  readonly reusesCodes?: boolean;
}

export const clientSecret = 'a secret that the client and its provider share';

/** An OpenID provider on a real socket that does what it should, and what it should not where a test says so. */
export class TestProvider implements AsyncDisposable {
  readonly #server: Bun.Server<undefined>;
  readonly #grants = new Map<string, Grant>();
  readonly requests: string[] = [];
  /** How long it has worked on requests, in milliseconds. */
  spentMs = 0;
  #keys: readonly Key[];
  person: Person = { sub: 'subject-1' };
  wrong: Misbehaviour = {};
  /** Where the claims about the person are: in the ID token, or at the endpoint for users. */
  claimsIn: 'id_token' | 'userinfo' = 'id_token';

  static async open(): Promise<TestProvider> {
    return new TestProvider(await newKey());
  }

  private constructor(key: Key) {
    this.#keys = [key];
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#timed(request) });
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** As the settings of a service have it. */
  configured(changes: Partial<AuthProvider> = {}): AuthProvider {
    return {
      ...{ name: 'main', kind: 'oidc', issuer: this.issuer, clientId: 'recto', label: 'Main' },
      ...{ scopes: ['openid', 'email', 'profile'], trustedEmail: true, registration: true, domains: [] },
      ...{ roleClaim: null, roles: {}, allowAdmin: false, trustsMfa: false },
      ...changes,
    };
  }

  /** From now on another key signs, and the earlier ones are gone. */
  async rotateKeys(): Promise<void> {
    this.#keys = [await newKey()];
  }

  /** Signs the person in, as a browser that follows `url` would have it done; returns where the browser is sent. */
  async visit(url: string): Promise<URL> {
    const response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider does not send back: ${response.status}`);
    return new URL(location);
  }

  count(path: string): number {
    return this.requests.filter((one) => one === path).length;
  }

  async #timed(request: Request): Promise<Response> {
    const began = performance.now();
    try {
      return await this.#answer(request);
    } finally {
      this.spentMs += performance.now() - began;
    }
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    this.requests.push(pathname);
    const own = this.wrong.answers?.[pathname];
    if (own !== undefined) return own(request);
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return Response.json(this.#metadata());
      case '/authorize':
        return this.#authorize(searchParams);
      case '/token':
        return this.#token(request);
      case '/jwks':
        return Response.json({ keys: this.#keys.map(({ jwk }) => jwk) });
      case '/userinfo':
        return Response.json(this.claimsIn === 'userinfo' ? this.person : { sub: this.person.sub });
      default:
        return new Response('', { status: 404 });
    }
  }

  #metadata(): Json {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
      authorization_response_iss_parameter_supported: true,
      ...this.wrong.metadata,
    };
  }

  #authorize(query: URLSearchParams): Response {
    const redirectUri = query.get('redirect_uri') ?? '';
    const code = crypto.randomUUID();
    const nonce = query.get('nonce');
    this.#grants.set(code, { nonce, challenge: query.get('code_challenge'), redirectUri, person: this.person });
    const back = new URL(redirectUri);
    const parameters = { code, state: query.get('state'), iss: this.issuer, ...this.wrong.back };
    for (const [name, value] of Object.entries(parameters)) if (value !== null) back.searchParams.set(name, value);
    return new Response(null, { status: 302, headers: { Location: back.href } });
  }

  async #token(request: Request): Promise<Response> {
    const body = new URLSearchParams(await request.text());
    const expected = `Basic ${Buffer.from(`recto:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`).toString('base64')}`;
    if (request.headers.get('authorization') !== expected)
      return Response.json({ error: 'invalid_client' }, { status: 401 });
    const code = body.get('code') ?? '';
    const grant = this.#grants.get(code);
    if (this.wrong.reusesCodes !== true) this.#grants.delete(code);
    const verifier = new Bun.CryptoHasher('sha256').update(body.get('code_verifier') ?? '').digest('base64url');
    if (grant === undefined || grant.challenge !== verifier || grant.redirectUri !== body.get('redirect_uri'))
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const [key] = this.#keys;
    if (key === undefined) throw new Error('There is no key.');
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...(this.claimsIn === 'id_token' ? grant.person : { sub: grant.person.sub }),
      ...{ iss: this.issuer, aud: 'recto', iat: now, exp: now + 300, nonce: grant.nonce },
      ...this.wrong.claims,
    };
    const idToken = await (this.wrong.idToken ?? signed)(claims, key);
    return Response.json({
      ...{ access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken },
      ...this.wrong.tokens,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

async function newKey(): Promise<Key> {
  const kid = crypto.randomUUID();
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } };
}

/** An ID token as it should be. */
export const signed = (claims: Json, { kid, secret }: Key): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid } satisfies JWTHeaderParameters).sign(secret);

export { newKey };
