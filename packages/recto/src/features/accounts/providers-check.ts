import { ProviderFailure } from '../../auth/providers/provider-identity.ts';
import type { Settings } from '../../config/settings.ts';
import { type Finding, ok, warn } from '../finding.ts';
import { openProviders } from './sign-in-providers.ts';

const check = 'providers';

/** Whether people could go to each provider, and the addresses to be entered there. Whether a secret is right shows only at a sign-in. */
export async function providersFinding(settings: Settings): Promise<Finding> {
  const providers = openProviders(settings, { secret: '', now: Date.now, onFailure: () => undefined });
  if (providers === undefined) {
    if (settings.passwordSignIn !== 'off') return ok(check, 'none');
    const remedy = 'Add a provider, or make sure that an admin has a passkey. See docs/sign-in/providers.md.';
    return warn(check, 'RECTO_PASSWORD_SIGN_IN is off, and there is no provider', remedy);
  }
  const failed: string[] = [];
  for (const provider of providers.all) {
    try {
      await providers.check(provider);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      failed.push(`${provider.name}: ${error.message}`);
    }
  }
  const callbacks = providers.all.map(({ name }) => providers.callback(name)).join(', ');
  if (failed.length > 0)
    return warn(check, failed.join('; '), 'Check issuer and the network. See docs/sign-in/providers.md.');
  if (settings.authReturnTo.length === 0 && !settings.admin)
    return warn(check, 'no sign-in has a page to lead back to', 'Set RECTO_AUTH_RETURN_TO to pages of your site.');
  return ok(check, `redirect addresses to enter there: ${callbacks}`);
}
