import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { clientSecret, TestProvider } from '../support/providers/test-provider.ts';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInEveryLook } from './looks.ts';

describe.skipIf(skipsLooks)(`signing in with a provider${looksSkipReason}`, () => {
  let admin: Admin;
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await TestProvider.open();
    admin = await Admin.open([], (url) => ({
      settings: {
        url,
        authProviders: { main: provider.configured({ label: 'Example ID' }) },
        authSecrets: { main: clientSecret },
      },
    }));
    await admin.account('edith', 'editor');
  });
  afterEach(() => {
    provider.wrong = {};
    return admin?.endTest();
  });
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  const go = (page: Page) => page.getByRole('button', { name: 'Continue with Example ID' }).click();
  const linked = (page: Page) => page.getByRole('region', { name: 'Linked accounts' }).first();

  test('an account is linked, signs in where somebody wanted to go, and is unlinked', async () => {
    provider.person = { sub: 'edith-there', email: 'edith@elsewhere.example', email_verified: true };
    const page = await admin.page({ as: 'edith', path: '/profile' });
    await page.getByRole('button', { name: 'Link Example ID', exact: true }).click();
    await page.getByText('Example ID is linked.').first().waitFor();
    expect(page.url()).toBe(`${admin.url}/admin/profile`);
    await page.getByRole('table', { name: 'Linked accounts' }).getByText('edith@elsewhere.example').waitFor();
    expect(await page.getByRole('button', { name: 'Link Example ID', exact: true }).count()).toBe(0);
    expect(await issuesInEveryLook(page)).toEqual([]);

    const guest = await admin.page({ path: '/media?view=table' });
    expect(await issuesInEveryLook(guest)).toEqual([]);
    await go(guest);
    await guest.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
    expect(guest.url()).toBe(`${admin.url}/admin/media?view=table`);
    // It stays signed in.
    await guest.reload();
    await guest.getByRole('heading', { level: 1, name: 'Media' }).waitFor();

    await page.getByRole('button', { name: 'Unlink Example ID' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await linked(page).getByRole('button', { name: 'Link Example ID', exact: true }).waitFor();
  });

  test('what went wrong there is said, and the address forgets it', async () => {
    provider.person = { sub: 'nobody-here', email: 'nobody@elsewhere.example', email_verified: true };
    const page = await admin.page();
    await go(page);
    await page.getByRole('alert').filter({ hasText: 'There is no account for you here.' }).waitFor();
    expect(page.url()).toBe(`${admin.url}/admin/`);
    provider.wrong = { back: { code: null, error: 'access_denied' } };
    await go(page);
    await page.getByRole('alert').filter({ hasText: 'You said no there.' }).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
  });

  test('a code that this tab did not ask for signs nobody in', async () => {
    const page = await admin.page();
    await page.goto(`/admin/#code=rac_${'a'.repeat(43)}`);
    await page.reload();
    await page.getByRole('button', { name: 'Continue with Example ID' }).waitFor();
    expect(page.url()).toBe(`${admin.url}/admin/`);
  });
});

describe.skipIf(skipsLooks)(`where nobody signs in with a password${looksSkipReason}`, () => {
  test('none is asked for, and the first other way has the focus', async () => {
    await using provider = await TestProvider.open();
    await using admin = await Admin.open([], (url) => ({
      settings: {
        ...{ url, passwordSignIn: 'off' },
        authProviders: { main: provider.configured({ label: 'Example ID' }) },
        authSecrets: { main: clientSecret },
      },
    }));
    const page = await admin.page();
    await page.getByRole('button', { name: 'Continue with Example ID' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await issuesInEveryLook(page)).toEqual([]);
  });
});
