import { mostAnswerBytes, type ProviderFetch, requestMs } from '../../auth/providers/provider-http.ts';
import { ProviderFailure } from '../../auth/providers/provider-identity.ts';
import type { AllowedTarget } from '../../base/net/allowed-target.ts';
import { codeOf, connect } from '../../base/net/guarded-request.ts';
import { OutboundTargets, TargetRefused } from '../../base/net/outbound-targets.ts';
import { type AuthProviders, isProtected } from '../../config/auth-provider-setting.ts';

/**
 * Requests to providers. The host of an `issuer` may have any address, because the operator has named it: many providers are in the
 * same network. Where its metadata leads to other hosts, these are public, or allowed by RECTO_WEBHOOKS_ALLOW.
 */
export function providerFetch(providers: AuthProviders, allowed: readonly AllowedTarget[]): ProviderFetch {
  const named = Object.values(providers).map(({ issuer }) => hostOf(new URL(issuer)));
  const targets = new OutboundTargets([...allowed, ...named]);
  return async (url, { signal, headers, ...request }) => {
    const timeUp = AbortSignal.any([signal, AbortSignal.timeout(requestMs)]);
    try {
      if (!URL.canParse(url) || !isProtected(new URL(url)))
        throw new ProviderFailure('provider_error', 'an endpoint is not reached by https:');
      const target = await targets.check(url);
      const identity = { ...headers, 'Accept-Encoding': 'identity' };
      return await complete(await connect(target, { ...request, headers: identity, signal: timeUp }));
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      if (timeUp.aborted) throw new ProviderFailure('provider_unavailable', 'no answer in time');
      if (error instanceof TargetRefused) throw new ProviderFailure('provider_unavailable', error.code);
      throw new ProviderFailure('provider_unavailable', `the connection failed: ${codeOf(error)}`);
    }
  };
}

/** An address is a network of one. */
function hostOf(url: URL): AllowedTarget {
  const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (/^[\d.]+$/.test(name)) return { kind: 'network', address: name, prefix: 32, port };
  return name.includes(':') ? { kind: 'network', address: name, prefix: 128, port } : { kind: 'host', name, port };
}

/** The response with all of its body, which is read no further than it may be long. */
async function complete(response: Response): Promise<Response> {
  const { status, headers } = response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > mostAnswerBytes) throw new ProviderFailure('provider_error', 'the answer is too large');
    chunks.push(chunk);
  }
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
