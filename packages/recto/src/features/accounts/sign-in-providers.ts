import { Providers, type ProvidersOptions } from '../../auth/providers/providers.ts';
import type { Settings } from '../../config/settings.ts';
import type { FeatureContext } from '../feature.ts';
import { providerFetch } from './provider-fetch.ts';
import type { ReturnTargets } from './provider-operations.ts';

/** One for each service, whatever its content types are at the moment: it keeps what providers say of themselves. */
const known = new WeakMap<object, Providers>();

/** The providers that people sign in with; undefined where there are none. */
export function providersOf({ auth, settings, secret, log, now }: FeatureContext): Providers | undefined {
  const opened =
    known.get(auth) ??
    openProviders(settings, {
      ...{ secret, now },
      onFailure: ({ name }, { code, message }) =>
        log.warn({ provider: name, code, reason: message }, 'a sign-in by a provider failed'),
    });
  if (opened !== undefined) known.set(auth, opened);
  return opened;
}

/** The providers as the settings have them. */
export function openProviders(
  { authProviders: providers, authSecrets: secrets, url: origin, webhooksAllow }: Settings,
  parts: Pick<ProvidersOptions, 'secret' | 'now' | 'onFailure'>,
): Providers | undefined {
  if (Object.keys(providers).length === 0 || origin === undefined) return undefined;
  return new Providers({ ...parts, providers, secrets, origin, fetch: providerFetch(providers, webhooksAllow) });
}

/** Where a sign-in by a provider may end. */
export const returnTargetsOf = ({ settings }: Pick<FeatureContext, 'settings'>): ReturnTargets => ({
  targets: settings.authReturnTo,
  admin: settings.admin && settings.url !== undefined ? `${settings.url}/admin` : undefined,
});
