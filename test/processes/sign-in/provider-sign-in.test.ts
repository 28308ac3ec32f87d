// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import type { AuthProvider } from '../../../packages/recto/src/config/auth-provider-setting.ts';
import type { Settings } from '../../../packages/recto/src/config/settings.ts';
import { page, visit } from '../../support/providers/provider-visit.ts';
import { clientSecret, TestProvider } from '../../support/providers/test-provider.ts';
import { type ServiceOptions, TestService } from '../../support/service.ts';

interface Site extends AsyncDisposable {
  readonly provider: TestProvider;
  readonly service: TestService;
}

async function openSite(
  configured: Partial<AuthProvider> = {},
  settings: Partial<Settings> = {},
  options: ServiceOptions = {},
): Promise<Site> {
  const provider = await TestProvider.open();
  const service = await TestService.open([], {
    settings: {
      url: 'https://cms.example.com',
      authProviders: { main: provider.configured(configured) },
      authSecrets: { main: clientSecret },
      authReturnTo: [{ origin: 'https://site.example.com', path: '/account' }],
      ...settings,
    },
    ...options,
  });
  return {
    ...{ provider, service },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true };

describe('who has no account', () => {
  test('gets one where the provider may register', async () => {
    await using site = await openSite();
    site.provider.person = ada;
    const first = await visit(site.service, site.provider);
    expect(first).toMatchObject({ page, error: undefined, tokens: { status: 200 } });
    expect(first.tokens?.json.user).toMatchObject({ email: 'ada@example.com', role: 'member', verified: true });
    const again = await visit(site.service, site.provider);
    expect(again.tokens?.json.user.id).toBe(first.tokens?.json.user.id);
  });
});
