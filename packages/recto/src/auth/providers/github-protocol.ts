import * as oauth from 'oauth4webapi';
import type { Flow } from './flow.ts';
import { checkedAnswer, type ProtocolParts, requestTokens, type ServerMetadata } from './oidc-protocol.ts';
import type { ProviderRequest } from './provider-http.ts';
import { ProviderFailure } from './provider-identity.ts';

/** An account of GitHub's. */
export interface GitHubUser {
  readonly issuer: string;
  readonly subject: string;
  /** The primary address, if GitHub has confirmed it. No other address counts. */
  readonly email: string | null;
}

/** GitHub has no metadata: its addresses are documented. An `issuer` of one's own is a GitHub Enterprise Server. */
export const gitHubServer = (issuer: string): ServerMetadata => ({
  issuer,
  authorization_endpoint: `${issuer}/login/oauth/authorize`,
  token_endpoint: `${issuer}/login/oauth/access_token`,
  token_endpoint_auth_methods_supported: ['client_secret_post'],
});

const apiOf = (issuer: string): string =>
  issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;

/** Completes a flow at GitHub, which speaks OAuth 2 without ID tokens: what it says comes from its API. */
export async function readGitHubUser(
  server: ServerMetadata,
  parts: ProtocolParts,
  flow: Flow,
  search: string,
): Promise<GitHubUser> {
  const client = { client_id: parts.provider.clientId };
  const response = await requestTokens(server, parts, flow, checkedAnswer(server, parts, flow, search));
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response);
  const get = (path: string) => readJson(parts, `${apiOf(server.issuer)}${path}`, token);
  const id: unknown = Reflect.get(Object(await get('/user')), 'id');
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0)
    throw new ProviderFailure('provider_error', 'the user has no id');
  return { issuer: server.issuer, subject: String(id), email: primaryOf(await get('/user/emails')) };
}

async function readJson({ fetch, signal }: ProtocolParts, url: string, token: string): Promise<unknown> {
  const headers = { Accept: 'application/vnd.github+json', Authorization: `Bearer ${token}` };
  const request: ProviderRequest = { method: 'GET', headers, signal };
  const response = await fetch(url, request);
  if (response.status !== 200) throw new ProviderFailure('provider_error', `the API answered ${response.status}`);
  try {
    return await response.json();
  } catch {
    throw new ProviderFailure('provider_error', 'the API did not answer with JSON');
  }
}

function primaryOf(emails: unknown): string | null {
  if (!Array.isArray(emails)) return null;
  const own: unknown = emails.find(
    (one: unknown) => Reflect.get(Object(one), 'primary') === true && Reflect.get(Object(one), 'verified') === true,
  );
  const email: unknown = Reflect.get(Object(own), 'email');
  return typeof email === 'string' ? email : null;
}
