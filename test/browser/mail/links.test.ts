import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { mailSettings } from '../../support/mail-server.ts';
import { Admin, emailOf, passwordOfTests } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { Keys } from '../keys.ts';
import { issuesInEveryLook } from '../looks.ts';
import { linkTo } from './link-to.ts';

const other = 'battery staple';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

describe.skipIf(skipsLooks)(`links in mails${looksSkipReason}`, () => {
  /** Its mails are kept in memory. */
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([], { settings: mailSettings({ kind: 'log' }) });
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const post = (path: string, body: object) => admin.service.send(`POST /api/v1/auth/${path}`, { body });
  const signIn = (email: string, password: string) => post('login', { email, password });

  test('a forgotten password is replaced from the sign-in page by keyboard', async () => {
    await admin.account('fay', 'editor');
    const page = await admin.page();
    const keys = new Keys(page);
    await keys.fill(/^Email/, 'nobody@example.org');
    await keys.button('Forgot password?');
    await heading(page, 'Forgot your password?').waitFor();
    const words: string[] = [];
    for (const email of ['nobody@example.org', emailOf('fay')]) {
      await keys.fill(/^Email/, email);
      await keys.press('Enter');
      const said = page.getByRole('status').filter({ hasText: 'If there is an account' });
      words.push(((await said.textContent()) ?? '').replace(email, 'EMAIL'));
      if (email !== emailOf('fay')) {
        await keys.button('Back to sign-in');
        await heading(page, 'Sign in').waitFor();
        await keys.button('Forgot password?');
      }
    }
    expect(words[0]).toBe(words[1] ?? '');
    expect(await issuesInEveryLook(page)).toEqual([]);
    await keys.button('Back to sign-in');
    await page.getByLabel('Password').and(page.locator(':focus')).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);

    const link = await linkTo(admin.service, emailOf('fay'));
    await page.goto(link);
    await heading(page, 'Set a new password').waitFor();
    expect(page.url()).toEndWith('/account/password-reset');
    expect(await issuesInEveryLook(page)).toEqual([]);
    expect((await signIn(emailOf('fay'), passwordOfTests)).status).toBe(200);
    await keys.fill('New password', other);
    await keys.press('Enter');
    await page.getByText('The password is set.').waitFor();
    expect((await signIn(emailOf('fay'), other)).status).toBe(200);
    // The link works once.
    await page.goto('/admin/');
    await page.goto(link);
    await keys.fill('New password', 'a third password');
    await keys.press('Enter');
    await page.getByText('This link is not valid any more.').waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
  });

  test('a link is used that is opened over the page that asked for it', async () => {
    await admin.account('gil', 'editor');
    const page = await admin.page();
    await page.goto('/account/password-reset');
    await heading(page, 'Forgot your password?').waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.getByLabel('Email address').fill(emailOf('gil'));
    await page.keyboard.press('Enter');
    await page.getByText('If there is an account').waitFor();
    await page.goto(await linkTo(admin.service, emailOf('gil')));
    await heading(page, 'Set a new password').waitFor();
  });

  test('the profile names an address that waits to be confirmed', async () => {
    await admin.account('hana', 'editor');
    const page = await admin.page({ as: 'hana', path: '/profile' });
    const email = page.getByRole('region', { name: 'Email' });
    const address = email.getByRole('textbox', { name: 'Email', exact: true });
    await address.fill('hana.new@example.org');
    await email.getByLabel('Current password').fill(passwordOfTests);
    await email.getByRole('button', { name: 'Change email' }).click();
    await email.getByText('on its way to hana.new@example.org').waitFor();
    expect(await address.inputValue()).toBe(emailOf('hana'));
    await page.reload();
    await email.getByText('on its way to hana.new@example.org').waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    const guest = await admin.page();
    await guest.goto(await linkTo(admin.service, 'hana.new@example.org'));
    await guest.getByRole('button', { name: 'Confirm the address' }).click();
    await guest.getByText('Your account has the new address.').waitFor();
    await page.reload();
    await address.waitFor();
    expect(await address.inputValue()).toBe('hana.new@example.org');
    expect(await email.getByText('on its way to').count()).toBe(0);
  });
});
