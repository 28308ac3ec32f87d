// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { IdentityProvider } from '../../support/providers/identity-provider.ts';
import { siteUrl } from '../../support/providers/provider-site.ts';
import { begin, comeBack, exchange, page } from '../../support/providers/provider-visit.ts';
import { clientSecret } from '../../support/providers/test-provider.ts';
import { TestService } from '../../support/service.ts';

test('somebody signs in with a provider that somebody else wrote', async () => {
  await using provider = await IdentityProvider.open(siteUrl);
  await using service = await TestService.open([], {
    settings: {
      url: siteUrl,
      authProviders: { main: provider.configured() },
      authSecrets: { main: clientSecret },
      authReturnTo: [{ origin: 'https://site.example.com', path: '/account' }],
    },
  });
  const users: string[] = [];
  for (const name of ['ada', 'ada', 'eve']) {
    const { location, cookie, verifier } = await begin(service);
    const ended = await comeBack(service, await provider.signIn(location, name), cookie);
    expect(ended).toMatchObject({ page, error: undefined });
    const { status, json } = await exchange(service, ended.code, verifier);
    expect([status, json.user.email, json.user.verified]).toEqual([200, `${name}@example.com`, true]);
    users.push(json.user.id);
  }
  expect(users[1]).toBe(users[0] ?? '');
  expect(users[2]).not.toBe(users[0] ?? '');
});
