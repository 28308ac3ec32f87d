import { parse, serialize } from 'hono/utils/cookie';
import Type from 'typebox';
import type { AuthServices } from '../../auth/auth-services.ts';
import { exchangeProviderCode } from '../../auth/providers/exchange-code.ts';
import { type Flow, flowPurposes, flowSeconds } from '../../auth/providers/flow.ts';
import { ProviderFailure } from '../../auth/providers/provider-identity.ts';
import type { Providers } from '../../auth/providers/providers.ts';
import { allowedReturn, withFragment } from '../../auth/providers/return-to.ts';
import { signInIdentity } from '../../auth/providers/sign-in-identity.ts';
import { badRequest, notFound, Problem } from '../../base/problem.ts';
import { type AuthProvider, providerKinds } from '../../config/auth-provider-setting.ts';
import type { ReturnTarget } from '../../config/return-to-setting.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { languageOf } from '../../http/request-language.ts';
import { json } from '../../http/responses/json-response.ts';
import { agentOf } from './account-caller.ts';
import { sessionMode } from './sessions/session-cookie.ts';
import { noStore, signedInResponse, signedInSchema } from './sessions/signed-in-response.ts';

export const providersRoot = '/api/v1/auth/providers';

/** Where a sign-in by a provider may end. */
export interface ReturnTargets {
  readonly targets: readonly ReturnTarget[];
  /** The page of the admin; undefined where it is off. */
  readonly admin: string | undefined;
}

export const challengeSchema = Type.String({
  ...{ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]{43}$' },
  description: 'Base64url of the SHA-256 of a `verifier` that the page keeps (RFC 7636, S256).',
});
export const returnToSchema = Type.String({
  maxLength: 1500,
  description:
    'The page that it ends at: one that RECTO_AUTH_RETURN_TO names, or one of the admin. May be left out for the admin.',
});
export const codeBody = {
  code: Type.String({ maxLength: 200, description: 'What the address of the page has after `#code=`.' }),
  verifier: Type.String({ maxLength: 128, description: 'What the challenge was made of.' }),
};

const providerSchema = Type.Object(
  {
    name: Type.String({ description: 'Its name in the addresses of this service.' }),
    label: Type.String({ description: 'What a button says.' }),
    kind: Type.Enum([...providerKinds]),
  },
  { $id: 'AuthProvider', additionalProperties: false },
);
const listSchema = Type.Object(
  { items: Type.Array(providerSchema) },
  { $id: 'AuthProviderList', additionalProperties: false },
);
const exchangeBody = new CheckedBody({ ...codeBody, session: sessionMode });

const startQuery = Type.Object({
  challenge: challengeSchema,
  return_to: Type.Optional(returnToSchema),
  purpose: Type.Optional(
    Type.Enum([...flowPurposes], {
      default: 'sign_in',
      description:
        '`admin`: nobody gets an account of a member. `link`: the code adds the identity to the account that is signed in.',
    }),
  ),
});

const params = { name: Type.String({ description: 'The name of a provider.' }) };
const location = { Location: { description: 'Where the browser goes.' } };
const common = { tag: 'auth', security: 'none' } as const;

/** Signing in by a provider: the browser goes there and comes back with a code, which its page exchanges for tokens. */
export const providerOperations = (services: AuthServices, returns: ReturnTargets): readonly Operation[] => {
  const { providers } = services;
  return [
    {
      ...common,
      id: 'listAuthProviders',
      method: 'GET',
      path: providersRoot,
      summary: 'List the providers to sign in with',
      description: 'What `[auth.providers]` of `recto.toml` names, in that order; none where there are none.',
      responses: { 200: { description: 'The providers.', schema: listSchema } },
      problems: [],
      handle: () => {
        const items = (providers?.all ?? []).map(({ name, label, kind }) => ({ name, label, kind }));
        return json(200, { items }, noStore);
      },
    },
    {
      ...common,
      id: 'startProviderSignIn',
      method: 'GET',
      path: `${providersRoot}/{name}/start`,
      summary: 'Go to a provider',
      description:
        'For a navigation of the browser, not for a script. Keeps the way in a cookie for ten minutes. 400 `return_to_not_allowed` before anything leaves. Where the provider cannot be reached, 303 to the page with `#error=provider_unavailable`.',
      params,
      query: { schema: startQuery, validation: 'schema' },
      responses: {
        302: { description: 'To the provider.', headers: location },
        303: { description: 'Back to the page: there is no way to the provider.', headers: location },
      },
      problems: [400, 404, 429],
      handle: async (context) => {
        const provider = providerOf(providers, context);
        const { challenge, purpose, return_to } = context.query;
        const asked = flowPurposes.find((one) => one === purpose) ?? 'sign_in';
        const returnTo = returnToOf(returns, asked, return_to === undefined ? undefined : String(return_to));
        await services.limits.provider(context.address);
        return start(provider, { purpose: asked, returnTo, challenge: String(challenge) });
      },
    },
    {
      ...common,
      id: 'completeProviderSignIn',
      method: 'GET',
      path: `${providersRoot}/{name}/callback`,
      summary: 'Come back from a provider',
      description:
        'Where the provider sends the browser. Leads to the page with `#code=` or `#error=`. 400 `invalid_flow` where the browser did not begin it, or took more than ten minutes.',
      params,
      // What providers add is theirs: `session_state`, `authuser` and more.
      query: { schema: Type.Object({}), validation: 'own' },
      responses: { 303: { description: 'To the page.', headers: location } },
      problems: [400, 404],
      handle: (context) => complete(services, providerOf(providers, context), context, returns),
    },
    {
      ...common,
      id: 'exchangeProviderCode',
      method: 'POST',
      path: '/api/v1/auth/exchange',
      summary: 'Exchange a code for tokens',
      description:
        'The code works for a minute, once, and only with the verifier that its challenge was made of: 401 `invalid_code` for any other.',
      body: exchangeBody.declaration,
      responses: { 200: { description: 'Tokens of a new session.', schema: signedInSchema } },
      problems: [400, 401, 403, 422, 503],
      handle: async (context) => {
        const { session, ...given } = await exchangeBody.read(context);
        const parts = { ...services, by: context.caller, agent: agentOf(context) };
        return signedInResponse(context, session, 200, await exchangeProviderCode(parts, given));
      },
    },
  ];
};

/** A provider that is configured, with all others. */
interface Found {
  readonly providers: Providers;
  readonly provider: AuthProvider;
}

export function providerOf(providers: Providers | undefined, context: RequestContext): Found {
  const provider = providers?.find(context.param('name'));
  if (providers === undefined || provider === undefined) throw notFound('There is no such provider.');
  return { providers, provider };
}

/** Throws 400 `return_to_not_allowed`, and `missing_parameter` where a page has to be named. */
export function returnToOf(
  { targets, admin }: ReturnTargets,
  purpose: Flow['purpose'],
  asked: string | undefined,
): string {
  const own = admin === undefined ? [] : [{ origin: new URL(admin).origin, path: new URL(admin).pathname }];
  if (asked !== undefined) return allowedReturn(asked, purpose === 'admin' ? own : [...targets, ...own]);
  if (admin !== undefined && purpose !== 'sign_in') return admin;
  throw badRequest('missing_parameter', 'The parameter "return_to" is required.');
}

async function start(
  { providers, provider }: Found,
  asked: Pick<Flow, 'purpose' | 'returnTo' | 'challenge'>,
): Promise<Response> {
  try {
    const { cookie, url } = await providers.begin(provider, asked);
    return redirect(302, url, flowCookie(providers, cookie, flowSeconds));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return redirect(303, withFragment(asked.returnTo, 'error', error.code));
  }
}

async function complete(
  services: AuthServices,
  { providers, provider }: Found,
  context: RequestContext,
  returns: ReturnTargets,
): Promise<Response> {
  const flow = providers.opened(flowOf(providers, context));
  const state = new URLSearchParams(context.search).getAll('state');
  // An answer that is not this browser's changes nothing: neither does it lead anywhere, nor does it end the flow that is under way.
  if (flow?.provider !== provider.name || state.length !== 1 || state[0] !== flow.state)
    throw badRequest('invalid_flow', 'This sign-in did not begin in this browser, or took too long. Begin again.');
  const returnTo = returnToOf(returns, flow.purpose, flow.returnTo);
  const end = (name: 'code' | 'error', value: string) =>
    redirect(303, withFragment(returnTo, name, value), flowCookie(providers, '', 0));
  try {
    const identity = await providers.finish(provider, flow, context.search);
    if (flow.purpose !== 'link') {
      const request = { address: context.address, language: languageOf(context), forAdmin: flow.purpose === 'admin' };
      const outcome = await signInIdentity(services, identity, request);
      if ('refused' in outcome) return end('error', outcome.refused);
    }
    const { issuer, subject, email, mfa } = identity;
    const purpose = flow.purpose === 'link' ? 'link' : 'sign_in';
    const code = { purpose, challenge: flow.challenge, provider: provider.name, issuer, subject, mfa } as const;
    const token = await services.database.transaction((transaction) =>
      services.providerCodes.issue(transaction, { ...code, email: email?.address ?? null }, services.now()),
    );
    return end('code', token);
  } catch (error) {
    if (error instanceof ProviderFailure) return end('error', error.code);
    if (error instanceof Problem && error.status === 429) return end('error', 'rate_limited');
    throw error;
  }
}

const redirect = (status: 302 | 303, to: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...noStore, 'Referrer-Policy': 'no-referrer', Location: to, ...headers } });

/**
 * Browsers keep a `__Host-` cookie from nothing but this host, by HTTPS. By plain HTTP, on one's own machine, not all of them take one.
 */
function cookieOf({ origin }: Providers) {
  const secure = origin.startsWith('https:');
  return { name: secure ? '__Host-recto-flow' : 'recto-flow', path: secure ? '/' : providersRoot, secure };
}

function flowCookie(providers: Providers, value: string, maxAge: number): Readonly<Record<string, string>> {
  const { name, path, secure } = cookieOf(providers);
  // `Lax`: the provider's page is another site.
  return { 'Set-Cookie': serialize(name, value, { path, secure, maxAge, httpOnly: true, sameSite: 'Lax' }) };
}

function flowOf(providers: Providers, { request }: RequestContext): string {
  const { name } = cookieOf(providers);
  return parse(request.headers.get('cookie') ?? '', name)[name] ?? '';
}
