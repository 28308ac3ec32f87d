import { expect, test } from 'bun:test';
import { clientSecret, TestProvider } from '../../../../../test/support/providers/test-provider.ts';
import { readSettings, type Settings } from '../../config/settings.ts';
import { providersFinding } from './providers-check.ts';

const settings = (changes: Partial<Settings>): Settings => ({
  ...readSettings({}),
  url: 'https://cms.example.com',
  ...changes,
});

test('a provider that answers has an address to be entered there', async () => {
  await using provider = await TestProvider.open();
  const own = { authProviders: { main: provider.configured() }, authSecrets: { main: clientSecret } };
  expect(await providersFinding(settings(own))).toEqual({
    ...{ check: 'providers', verdict: 'ok' },
    detail: 'redirect addresses to enter there: https://cms.example.com/api/v1/auth/providers/main/callback',
  });
  expect(await providersFinding(settings({ ...own, admin: false }))).toMatchObject({ verdict: 'warn' });
  provider.wrong = { metadata: { issuer: 'https://evil.example' } };
  const finding = await providersFinding(settings(own));
  expect(finding).toMatchObject({ verdict: 'warn', detail: expect.stringContaining('main: ') });
  expect(JSON.stringify(finding)).not.toContain(clientSecret);
});

test('without a provider, passwords should be on', async () => {
  expect(await providersFinding(settings({}))).toMatchObject({ verdict: 'ok', detail: 'none' });
  expect(await providersFinding(settings({ passwordSignIn: 'off' }))).toMatchObject({ verdict: 'warn' });
});
