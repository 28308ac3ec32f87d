import * as oauth from 'oauth4webapi';
import { type AuthProvider, isOfManyTenants } from '../../config/auth-provider-setting.ts';
import type { Flow } from './flow.ts';
import type { ProviderFetch } from './provider-http.ts';
import { ProviderFailure } from './provider-identity.ts';

/** What the requests of one sign-in have in common. */
export interface ProtocolParts {
  readonly provider: AuthProvider;
  readonly secret: string;
  readonly redirectUri: string;
  readonly fetch: ProviderFetch;
  readonly signal: AbortSignal;
}

/** The keys of a provider, kept from one sign-in to the next. */
export type KeyCache = oauth.JWKSCacheInput;

export type ServerMetadata = oauth.AuthorizationServer;

/** Statements of a provider, as it made them. */
export type Claims = Readonly<Record<string, unknown>>;

/** Of an ID token, which is signed, and of the endpoint for users. */
export interface ProviderClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly idToken: Claims;
  /** Empty where the ID token has all that is needed. */
  readonly userInfo: Claims;
}

/** Seconds that the clocks of provider and service may differ. */
const clockTolerance = 30;

/** Microsoft's issuer for accounts of many tenants, as its metadata has it. */
const manyTenants = (issuer: string): string => issuer.replace(/\/(?:common|organizations)\//, '/{tenantid}/');

export const requestOptions = ({ provider, fetch, signal }: ProtocolParts) => ({
  signal,
  [oauth.allowInsecureRequests]: new URL(provider.issuer).protocol === 'http:',
  [oauth.customFetch]: (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, URLSearchParams | null | undefined | unknown>,
  ) =>
    fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      signal,
    }),
});

const isManyTenants = ({ kind, issuer }: AuthProvider): boolean => kind === 'microsoft' && isOfManyTenants(issuer);

/** Reads what a provider says of itself. */
export async function discover(parts: ProtocolParts): Promise<ServerMetadata> {
  const { provider } = parts;
  const response = await oauth.discoveryRequest(new URL(provider.issuer), requestOptions(parts));
  const expected = isManyTenants(provider) ? manyTenants(provider.issuer) : provider.issuer;
  return oauth.processDiscoveryResponse(new URL(expected), response);
}

/** The address at the provider that a flow begins with. */
export async function authorizationUrl(
  server: ServerMetadata,
  { provider, redirectUri }: Pick<ProtocolParts, 'provider' | 'redirectUri'>,
  flow: Pick<Flow, 'state' | 'nonce' | 'verifier'>,
): Promise<string> {
  const { authorization_endpoint: endpoint } = server;
  if (endpoint === undefined || !/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new ProviderFailure('provider_error', 'the metadata has no authorization_endpoint');
  const url = new URL(endpoint);
  const parameters = {
    ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: redirectUri },
    ...{ scope: provider.scopes.join(' '), state: flow.state },
    ...(provider.kind === 'github' ? {} : { nonce: flow.nonce }),
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The parameters that the provider sent back with the browser: with this state, from this issuer (RFC 9207). */
export function checkedAnswer(server: ServerMetadata, { provider }: ProtocolParts, flow: Flow, search: string) {
  return oauth.validateAuthResponse(server, clientOf(provider), new URLSearchParams(search), flow.state);
}

const clientOf = ({ clientId }: AuthProvider): oauth.Client => ({
  client_id: clientId,
  [oauth.clockTolerance]: clockTolerance,
});

/** Exchanges the provider's code for its tokens. */
export async function requestTokens(
  server: ServerMetadata,
  parts: ProtocolParts,
  flow: Flow,
  answer: URLSearchParams,
): Promise<Response> {
  const { provider, secret, redirectUri } = parts;
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
  const options = requestOptions(parts);
  const client = clientOf(provider);
  return oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    answer,
    redirectUri,
    flow.verifier,
    options,
  );
}

/** Completes a flow at a provider that speaks OpenID Connect. */
export async function readClaims(
  server: ServerMetadata,
  parts: ProtocolParts,
  flow: Flow,
  { search, keys }: { readonly search: string; readonly keys: KeyCache },
): Promise<ProviderClaims> {
  const { provider } = parts;
  const client = clientOf(provider);
  const response = await requestTokens(server, parts, flow, checkedAnswer(server, parts, flow, search));
  const issued = isManyTenants(provider) ? await ofTenant(server, parts, response) : server;
  const tokens = await oauth.processAuthorizationCodeResponse(issued, client, response, {
    expectedNonce: flow.nonce,
    requireIdToken: true,
  });
  await checkSignature(issued, parts, response, keys);
  const idToken = oauth.getValidatedIdTokenClaims(tokens);
  if (idToken === undefined) throw new ProviderFailure('provider_error', 'there is no ID token');
  // The library looks at this only where there are several audiences.
  if (idToken.azp !== undefined && idToken.azp !== provider.clientId)
    throw new ProviderFailure('provider_error', 'the ID token was issued to another client ("azp")');
  const { sub: subject, iss: issuer } = idToken;
  const userInfo = needsMore(provider, idToken) ? await readUserInfo(issued, parts, tokens.access_token, subject) : {};
  return { issuer, subject, idToken: { ...idToken }, userInfo };
}

const needsMore = ({ kind, roleClaim }: AuthProvider, claims: Claims): boolean =>
  claims.email === undefined ||
  (kind !== 'microsoft' && claims.email_verified === undefined) ||
  (roleClaim !== null && claimAt(claims, roleClaim) === undefined);

async function readUserInfo(
  server: ServerMetadata,
  parts: ProtocolParts,
  token: string,
  subject: string,
): Promise<Claims> {
  if (server.userinfo_endpoint === undefined) return {};
  const client = clientOf(parts.provider);
  const response = await oauth.userInfoRequest(server, client, token, requestOptions(parts));
  return { ...(await oauth.processUserInfoResponse(server, client, subject, response)) };
}

/** Keys change: a token with an unknown one is looked at once more with the present keys. */
async function checkSignature(
  server: ServerMetadata,
  parts: ProtocolParts,
  response: Response,
  keys: KeyCache,
): Promise<void> {
  const options = { ...requestOptions(parts), [oauth.jwksCache]: keys };
  const known = 'jwks' in keys;
  try {
    // The library keeps keys by this object, besides the given place.
    await oauth.validateApplicationLevelSignature({ ...server }, response, options);
  } catch (error) {
    if (!known || !isAboutKeys(error)) throw error;
    for (const name of Object.keys(keys)) Reflect.deleteProperty(keys, name);
    await oauth.validateApplicationLevelSignature({ ...server }, response, options);
  }
}

const isAboutKeys = (error: unknown): boolean =>
  error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;

/** The metadata for the tenant that an ID token of Microsoft's names. Its issuer, signature and `tid` are checked against that. */
async function ofTenant(
  server: ServerMetadata,
  { provider }: ProtocolParts,
  response: Response,
): Promise<ServerMetadata> {
  const tokens: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const idToken: unknown = Reflect.get(Object(tokens), 'id_token');
  const tenant: unknown = typeof idToken === 'string' ? Reflect.get(Object(payloadOf(idToken)), 'tid') : undefined;
  if (typeof tenant !== 'string' || !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(tenant))
    throw new ProviderFailure('provider_error', 'the ID token names no tenant ("tid")');
  return { ...server, issuer: manyTenants(provider.issuer).replace('{tenantid}', tenant) };
}

function payloadOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A claim by its name, or by a path such as `realm_access.roles`. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** What went wrong, for the log: codes and fixed texts of the library alone, never what was sent. */
export function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof oauth.AuthorizationResponseError)
    return new ProviderFailure(
      error.error === 'access_denied' ? 'access_denied' : 'provider_error',
      'the provider answered with an error',
    );
  if (error instanceof oauth.ResponseBodyError)
    return new ProviderFailure('provider_error', `the provider refused the code or the client (${error.status})`);
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    const claim: unknown = Reflect.get(Object(error.cause), 'claim');
    const named = typeof claim === 'string' ? ` (${claim})` : '';
    return new ProviderFailure('provider_error', `${error.code ?? error.name}${named}`);
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new ProviderFailure('provider_error', `the provider refused its own token (${error.status})`);
  return new ProviderFailure('provider_error', error instanceof Error ? error.name : 'unknown');
}
