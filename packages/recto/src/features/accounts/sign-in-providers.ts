import { Providers, type ProvidersOptions } from '../../auth/providers/providers.ts';
import type { Settings } from '../../config/settings.ts';
import type { ServiceCore } from '../service-core.ts';
import { providerFetch } from './provider-fetch.ts';
import type { ReturnTargets } from './provider-operations.ts';

/** The providers that people sign in with; undefined where there are none. */
export const providersOf = ({ settings, secret, log, now }: ServiceCore): Providers | undefined =>
  openProviders(settings, {
    ...{ secret, now },
    onFailure: ({ name }, { code, message }) =>
      log.warn({ provider: name, code, reason: message }, 'a sign-in by a provider failed'),
  });

/** The providers as the settings have them. */
export function openProviders(
  { authProviders: providers, authSecrets: secrets, url: origin, webhooksAllow }: Settings,
  parts: Pick<ProvidersOptions, 'secret' | 'now' | 'onFailure'>,
): Providers | undefined {
  if (Object.keys(providers).length === 0 || origin === undefined) return undefined;
  return new Providers({ ...parts, providers, secrets, origin, fetch: providerFetch(providers, webhooksAllow) });
}

/** Where a sign-in by a provider may end. */
export const returnTargetsOf = (settings: Settings): ReturnTargets => ({
  targets: settings.authReturnTo,
  admin: settings.admin && settings.url !== undefined ? `${settings.url}/admin` : undefined,
});
