import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { query } from '../support/database/database.ts';
import { mailSettings } from '../support/mail-server.ts';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { Keys } from './keys.ts';
import { issuesInBothThemes, issuesInEveryLook } from './looks.ts';

describe.skipIf(skipsLooks)(`second factors${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([], (url) => ({ settings: { ...mailSettings({ kind: 'log' }), url } }));
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
  const change = (sql: string) =>
    admin.service.database.transaction(async (transaction) => {
      await transaction.run(query(sql));
      transaction.touch('recto:auth');
    });
  /** What the app shows. A code is accepted once: instead of waiting for the next one, the service forgets that it was. */
  async function codeOf(secret: string): Promise<string> {
    await change('update recto_totp set last_step = -1');
    return new TOTP({ secret }).generate();
  }
  /** As if everybody had signed in long ago. */
  const later = () => change('update recto_sessions set stepped_up_at = null');

  async function signIn(page: Page, name: string): Promise<void> {
    await page.getByLabel('Email').fill(emailOf(name));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
  }

  /** An account with an authenticator app, made by requests. */
  async function protectedAccount(name: string, role: 'admin' | 'editor' = 'editor') {
    await admin.account(name, role);
    const { json } = await admin.service.send('POST /api/v1/auth/me/totp', { as: name, body: {} });
    const body = { code: await codeOf(json.secret) };
    const confirmed = await admin.service.send('POST /api/v1/auth/me/totp/confirm', { as: name, body });
    expect(confirmed.status).toBe(200);
    return { secret: String(json.secret), codes: confirmed.json.recovery_codes as readonly string[] };
  }

  test('an authenticator app is set up and used by keyboard alone', async () => {
    await admin.account('ines', 'editor');
    const page = await admin.page({ path: '/profile' });
    const keys = new Keys(page);
    await keys.fill('Email', emailOf('ines'));
    await keys.fill('Password', passwordOfTests);
    await keys.press('Enter');
    await keys.button('Set up an authenticator app');
    const setUp = dialog(page, 'Set up an authenticator app');
    const key = setUp.getByRole('group', { name: 'Key' });
    await key.waitFor();
    expect(await setUp.getByRole('img', { name: 'QR code with the key' }).count()).toBe(1);
    const groups = (await key.textContent()) ?? '';
    expect(groups).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
    expect(await issuesInBothThemes(page)).toEqual([]);
    // The field has the focus.
    await setUp.getByLabel('Code that the app shows').and(page.locator(':focus')).waitFor();
    await keys.type('000000');
    await keys.press('Enter');
    await setUp.getByText('This code is wrong').waitFor();
    await setUp.locator('[aria-invalid=true]:focus').waitFor();
    await keys.press('Control+a');
    await keys.type(await codeOf(groups.replaceAll(' ', '')));
    await keys.press('Enter');

    const shown = dialog(page, 'Recovery codes');
    const codes = shown.getByRole('list', { name: 'Recovery codes' });
    await codes.waitFor();
    expect(await codes.getByRole('listitem').count()).toBe(10);
    expect(await issuesInBothThemes(page)).toEqual([]);
    // They are not closed by accident.
    await keys.press('Escape');
    await keys.to(shown.getByRole('button', { name: 'Save as a file' }));
    const [download] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')]);
    const [first = ''] = await codes.getByRole('listitem').allTextContents();
    expect(await Bun.file(await download.path()).text()).toContain(first);
    await keys.button('I have kept them');
    await shown.waitFor({ state: 'detached' });
    await page.getByText('10 left').waitFor();
    expect(await page.content()).not.toContain(first);
    expect(await issuesInEveryLook(page)).toEqual([]);

    // Signing in asks for it.
    await page.setViewportSize({ width: 1440, height: 900 });
    await keys.menu('Account of ines@example.com');
    await keys.press('End', 'Enter');
    await heading(page, 'Sign in').waitFor();
    await keys.fill('Email', emailOf('ines'));
    await keys.fill('Password', passwordOfTests);
    await keys.press('Enter');
    await heading(page, 'Second step').waitFor();
    await page.getByLabel('Code of the authenticator app').and(page.locator(':focus')).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await keys.type('1');
    await keys.press('Enter');
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await keys.press('Control+a');
    await keys.type(await codeOf(groups.replaceAll(' ', '')));
    await keys.press('Enter');
    await heading(page, 'Profile').waitFor();
    await page.getByText('Password, Authenticator app').waitFor();
  });

  test('a recovery code lets in once, and the way back leads to the password', async () => {
    const { codes } = await protectedAccount('rob');
    const page = await admin.page();
    for (const isUsed of [false, true]) {
      await signIn(page, 'rob');
      await heading(page, 'Second step').waitFor();
      await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
      await page
        .getByLabel('Recovery code')
        .and(page.locator(':focus'))
        .fill(codes[0] ?? '');
      await page.keyboard.press('Enter');
      if (isUsed) {
        await page.getByText('This recovery code is wrong or was used before.').waitFor();
        await page.getByRole('button', { name: 'Back to sign-in' }).click();
        await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
        return;
      }
      await heading(page, 'Home').waitFor();
      await page.getByRole('button', { name: 'Account of rob@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in').waitFor();
    }
  });

  test('a dangerous action asks who it is, once, and is done then', async () => {
    const { secret } = await protectedAccount('olga', 'admin');
    const page = await admin.page({ path: '/api-tokens' });
    await signIn(page, 'olga');
    await page.getByLabel('Code of the authenticator app').fill(await codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByText('No API tokens yet').waitFor();
    await later();
    const begin = page.getByRole('button', { name: 'New API token' });
    const create = page.getByRole('button', { name: 'Create token' });
    await begin.click();
    await page.getByLabel('Name').fill('The website');
    await create.click();
    const question = dialog(page, 'Confirm that it is you');
    await question.getByLabel('Code of the authenticator app').and(page.locator(':focus')).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    // Whoever says no hears what that means, and what they typed stays.
    await page.keyboard.press('Escape');
    await page.getByText('Nothing was changed, because you did not confirm').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('The website');
    await create.click();
    await question.getByLabel('Code of the authenticator app').fill('123');
    await page.keyboard.press('Enter');
    await question.locator('[aria-invalid=true]:focus').waitFor();
    await question.getByLabel('Code of the authenticator app').fill(await codeOf(secret));
    await page.keyboard.press('Enter');
    await dialog(page, 'API token "The website"').getByRole('button', { name: 'Done' }).click();
    // For ten minutes nobody is asked again.
    await page.getByRole('button', { name: 'Revoke The website' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API tokens yet').waitFor();
  });

  test('without a second factor the password is asked for, in one dialog for several actions', async () => {
    await admin.account('pia', 'admin');
    const page = await admin.page({ as: 'pia', path: '/profile' });
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor();
    await later();
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const question = dialog(page, 'Confirm that it is you');
    await question.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await question.locator('[aria-invalid=true]:focus').waitFor();
    await question.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
    await dialog(page, 'Set up an authenticator app').getByRole('group', { name: 'Key' }).waitFor();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  test('an admin sees who has a second factor, and takes it from who has lost it', async () => {
    await protectedAccount('lost');
    await admin.account('ada', 'admin');
    const page = await admin.page({ as: 'ada', path: '/users' });
    const row = page.getByRole('row').filter({ hasText: 'lost@' });
    await row.getByText('On', { exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: 'ada@' }).getByText('Off', { exact: true }).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.getByRole('link', { name: emailOf('lost') }).click();
    await page.getByRole('button', { name: 'Reset second factors' }).click();
    const question = page.getByRole('dialog');
    expect(await issuesInBothThemes(page)).toEqual([]);
    await question.getByRole('button', { name: 'Reset second factors' }).click();
    await page.getByRole('region', { name: 'Second factor' }).getByText('Off', { exact: true }).waitFor();
    const body = { email: emailOf('lost'), password: passwordOfTests };
    expect((await admin.service.send('POST /api/v1/auth/login', { body })).status).toBe(200);
  });
});

describe.skipIf(skipsLooks)(`where a second factor is demanded${looksSkipReason}`, () => {
  test('it is set up before anything else, and a link leads on then', async () => {
    await using admin = await Admin.open([], (url) => ({ settings: { requireSecondFactor: 'all', url } }));
    await admin.account('nia', 'editor');
    const page = await admin.page({ path: '/media' });
    await page.getByLabel('Email').fill(emailOf('nia'));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await issuesInEveryLook(page)).toEqual([]);
    // Nothing else is there after a reload either.
    await page.reload();
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const secret = (await page.getByRole('group', { name: 'Key' }).textContent()) ?? '';
    expect(await issuesInEveryLook(page)).toEqual([]);
    const code = new TOTP({ secret: secret.replaceAll(' ', '') }).generate();
    await page.getByLabel('Code that the app shows').fill(code);
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
    // The only one stays.
    await page.goto('/admin/profile');
    await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('and this is the only one.').first().waitFor();
    await page.getByRole('button', { name: 'Remove the authenticator app' }).waitFor();
  });
});
