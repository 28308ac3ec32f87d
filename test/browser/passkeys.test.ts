import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { type Authenticator, addAuthenticator } from './authenticator.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInBothThemes, issuesInEveryLook } from './looks.ts';

describe.skipIf(skipsLooks)(`passkeys${looksSkipReason}`, () => {
  let admin: Admin;
  let authenticator: Authenticator | undefined;
  beforeAll(async () => {
    admin = await Admin.open([], (url) => ({ settings: { url } }));
  });
  afterEach(async () => {
    await authenticator?.remove();
    authenticator = undefined;
    await admin?.endTest();
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  /** Signs in, and adds a passkey. */
  async function withPasskey(name: string): Promise<{ readonly page: Page; readonly device: Authenticator }> {
    await admin.account(name, 'editor');
    const page = await admin.page({ as: name, path: '/profile' });
    authenticator = await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByLabel('Name').fill('My laptop');
    await dialog.getByRole('button', { name: 'Add the passkey' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('row').filter({ hasText: 'My laptop' }).getByText('This browser').waitFor();
    return { page, device: authenticator };
  }

  async function leave(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: `Account of ${emailOf(name)}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  }
  async function signOut(page: Page, name: string): Promise<void> {
    await leave(page, name);
    await heading(page, 'Sign in').waitFor();
  }
  const use = (page: Page) => page.getByRole('button', { name: 'Use a passkey' });

  /** Until the page is loaded again, the browser offers nothing beside the form: a device that is touched would answer at once. */
  const withoutOffer = (page: Page) =>
    page.evaluate('PublicKeyCredential.isConditionalMediationAvailable = async () => false');

  test('one is added, renamed and signs in, at a press and where the address is filled in', async () => {
    const { page } = await withPasskey('ines');
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Rename My laptop' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('cell').filter({ hasText: 'Old laptop' }).first().waitFor();
    await withoutOffer(page);
    await signOut(page, 'ines');
    expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username webauthn');
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await use(page).click();
    await heading(page, 'Profile').waitFor();
    await page.getByRole('row').filter({ hasText: 'This session' }).getByText('Passkey').waitFor();
    // Beside the form, the browser offers it, and it is chosen.
    await page.reload();
    const entered = page.waitForResponse((response) => response.url().endsWith('/auth/passkeys/login'));
    await leave(page, 'ines');
    expect((await entered).status()).toBe(200);
    await heading(page, 'Profile').waitFor();
  });

  test('one is the second step after the password', async () => {
    const { page } = await withPasskey('sue');
    await withoutOffer(page);
    await signOut(page, 'sue');
    await page.getByLabel('Email').fill(emailOf('sue'));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
    await heading(page, 'Second step').waitFor();
    await use(page).and(page.locator(':focus')).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await heading(page, 'Profile').waitFor();
  });

  test('a copy of one is refused', async () => {
    const { page, device } = await withPasskey('carl');
    await withoutOffer(page);
    await signOut(page, 'carl');
    await use(page).click();
    await heading(page, 'Profile').waitFor();
    await signOut(page, 'carl');
    await device.setBack();
    await use(page).click();
    await page.getByRole('alert').filter({ hasText: 'This passkey is not accepted.' }).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
  });

  test('a removed one is refused', async () => {
    const { page, device } = await withPasskey('dora');
    await page.getByRole('button', { name: 'Remove My laptop' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Nobody can sign in with it any more.').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('You have no passkeys yet.').waitFor();
    expect(await device.credentials()).toHaveLength(1);
    await withoutOffer(page);
    await signOut(page, 'dora');
    await use(page).click();
    await page.getByRole('alert').filter({ hasText: 'This passkey is not accepted.' }).waitFor();
  });

  test('none is used where nobody confirms it, and another way stays open', async () => {
    await admin.account('noa', 'editor');
    const page = await admin.page();
    // There is no passkey on this device.
    authenticator = await addAuthenticator(page);
    await use(page).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was used.' }).waitFor();
    await page.getByLabel('Email').fill(emailOf('noa'));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
    await heading(page, 'Home').waitFor();
  });
});
