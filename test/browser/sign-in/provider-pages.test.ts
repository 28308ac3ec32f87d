import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { projectRoot } from '../../support/documents.ts';
import { IdentityProvider } from '../../support/providers/identity-provider.ts';
import { clientSecret } from '../../support/providers/test-provider.ts';
import { TestService } from '../../support/service.ts';
import { chromiumPath, newSession, skipReason, useChromium } from '../chromium.ts';

/** A page of a site: a button for the provider, and who is signed in. */
const accountPage = `<!doctype html><title>Account</title><main></main><script type="module">
import { createClient } from '/client.js';
const recto = createClient({ url: location.origin });
const main = document.querySelector('main');
try {
  const account = await recto.auth.exchange();
  if (account) main.textContent = 'Signed in as ' + account.email;
  else for (const { name, label } of await recto.auth.providers()) {
    const button = document.createElement('button');
    button.textContent = 'Sign in with ' + label;
    button.onclick = () => recto.auth.signInWith(name, { returnTo: location.href });
    main.append(button);
  }
} catch (error) {
  main.textContent = 'Not signed in: ' + error.code;
}
</script>`;

async function clientScript(): Promise<string> {
  const entrypoints = [join(projectRoot, 'packages/client/src/index.ts')];
  const { outputs } = await Bun.build({ entrypoints, target: 'browser' });
  return (await outputs[0]?.text()) ?? '';
}

/** The service and the page on `localhost`, and the provider at another address: other sites to a browser. */
async function openSite() {
  const script = await clientScript();
  const parts: { service?: TestService } = {};
  const server = Bun.serve({
    port: 0,
    hostname: 'localhost',
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/client.js') return new Response(script, { headers: { 'Content-Type': 'text/javascript' } });
      if (pathname === '/account') return new Response(accountPage, { headers: { 'Content-Type': 'text/html' } });
      return parts.service?.app.fetch(request) ?? new Response('', { status: 503 });
    },
  });
  const url = `http://localhost:${server.port}`;
  const provider = await IdentityProvider.open(url);
  const service = await TestService.open([], {
    settings: {
      url,
      authProviders: { main: provider.configured() },
      authSecrets: { main: clientSecret },
      authReturnTo: [{ origin: url, path: '/account' }],
    },
  });
  parts.service = service;
  return {
    ...{ url, service },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await service[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(chromiumPath === undefined)(`a sign-in by a provider in a browser${skipReason}`, () => {
  test('goes there and back, and a look at the history signs nobody in again', async () => {
    await using site = await openSite();
    await using chromium = await useChromium();
    const session = await newSession(chromium.browser);
    const page = await session.newPage();
    await page.goto(`${site.url}/account`);
    await page.getByRole('button', { name: 'Sign in with Main' }).click();
    await page.getByPlaceholder('Enter any login').fill('ada');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Signed in as ada@example.com').waitFor();
    // Neither a code nor a token is left in the address or the tab, and scripts see no cookie.
    expect(page.url()).toBe(`${site.url}/account`);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect((await session.cookies(site.url)).map(({ name }) => name)).not.toContain('recto-flow');
    await page.reload();
    await page.getByRole('button', { name: 'Sign in with Main' }).waitFor();
    await session.close();
  });

  test('that somebody breaks off leads back to the page', async () => {
    await using site = await openSite();
    await using chromium = await useChromium();
    const session = await newSession(chromium.browser);
    const page = await session.newPage();
    await page.goto(`${site.url}/account`);
    await page.getByRole('button', { name: 'Sign in with Main' }).click();
    await page.getByRole('link', { name: /cancel/i }).click();
    await page.getByText('Not signed in: access_denied').waitFor();
    expect(page.url()).toBe(`${site.url}/account`);
    await session.close();
  });
});
