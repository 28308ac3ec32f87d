import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { mailSettings } from '../support/mail-server.ts';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { Keys } from './keys.ts';
import { issuesInEveryLook } from './looks.ts';

const other = 'battery staple';
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

describe.skipIf(skipsLooks)(`invitations and mail${looksSkipReason}`, () => {
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

  /** The link in the newest mail to an address, on this service, once the outbox is empty. */
  async function linkTo(address: string): Promise<string> {
    await admin.service.runJobs();
    const { json } = await admin.service.send('GET /api/v1/admin/mails', { as: 'ada' });
    const text = json.items.find(({ to }: { readonly to: string }) => to === address)?.text ?? '';
    const link = /https:\/\/cms\.example\.com(\/account\/[a-z-]+#rat_[\w-]+)/.exec(text)?.[1];
    if (link === undefined) throw new Error(`There is no link to ${address}: ${text}`);
    return link;
  }

  test('somebody is invited, and accepts by keyboard', async () => {
    const page = await admin.page({ as: 'ada', path: '/users' });
    await page.getByRole('link', { name: 'Invite', exact: true }).click();
    await page.getByLabel('Email').fill('eve@example.org');
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await heading(page, 'eve@example.org').waitFor();
    const invitation = page.getByRole('region', { name: 'Invitation' });
    await invitation.getByText('Not accepted yet.').waitFor();
    const first = await linkTo('eve@example.org');
    await invitation.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('A new link is on its way to eve@example.org.').first().waitFor();
    const link = await linkTo('eve@example.org');
    expect(link).not.toBe(first);
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.goto('/admin/users?status=invited');
    await row(page, 'eve@').getByText('Invited').waitFor();
    expect(await row(page, 'ada@').count()).toBe(0);
    expect(await issuesInEveryLook(page)).toEqual([]);

    const guest = await admin.page();
    const keys = new Keys(guest);
    await guest.goto(link);
    await heading(guest, 'Accept your invitation').waitFor();
    expect(guest.url()).toEndWith('/account/invitation');
    expect(await issuesInEveryLook(guest)).toEqual([]);
    // As a program does that looks into mails: what is only opened is not used.
    await guest.goto('/admin/');
    await guest.goto(link);
    await keys.fill('Username (optional)', 'eve');
    await keys.fill('New password', 'short');
    await keys.press('Enter');
    await guest.getByText('A password has at least 8 characters.').waitFor();
    expect(await issuesInEveryLook(guest)).toEqual([]);
    await keys.fill('New password', other);
    await keys.press('Enter');
    await guest.getByText('Your account is ready.').waitFor();
    await keys.link('Continue to the admin');
    await heading(guest, 'Home').waitFor();
    await page.goto('/admin/users?search=eve');
    await row(page, 'eve@').getByText('Active').waitFor();
  });

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

    const link = await linkTo(emailOf('fay'));
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
    await page.goto(await linkTo(emailOf('gil')));
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
    await guest.goto(await linkTo('hana.new@example.org'));
    await guest.getByRole('button', { name: 'Confirm the address' }).click();
    await guest.getByText('Your account has the new address.').waitFor();
    await page.reload();
    await address.waitFor();
    expect(await address.inputValue()).toBe('hana.new@example.org');
    expect(await email.getByText('on its way to').count()).toBe(0);
  });

  test('settings show where mails go, send a test mail and have the inbox', async () => {
    expect((await post('password-reset', { email: emailOf('ada') })).status).toBe(202);
    await admin.service.runJobs();
    const page = await admin.page({ as: 'ada', path: '/settings?tab=mail' });
    await page
      .getByRole('region', { name: 'Mail', exact: true })
      .getByText('Example Site <mail@example.com>')
      .waitFor();
    const sending = page.getByRole('region', { name: 'Test mail' });
    await sending.getByLabel('Send to').fill('no address');
    await sending.getByRole('button', { name: 'Send test mail' }).click();
    await sending.locator('[aria-invalid=true]').waitFor();
    await sending.getByLabel('Send to').fill('ops@example.org');
    await sending.getByRole('button', { name: 'Send test mail' }).click();
    await sending.getByText('A test mail to ops@example.org is waiting').waitFor();
    await admin.service.runJobs();
    const inbox = page.getByRole('region', { name: 'Inbox' });
    await inbox.getByRole('button', { name: 'Refresh' }).click();
    await inbox.getByText('To ops@example.org').waitFor();
    await inbox
      .getByText(`To ${emailOf('ada')}`)
      .first()
      .click();
    const link = inbox.getByRole('link', { name: 'https://cms.example.com/account/password-reset#rat_' });
    expect(await link.getAttribute('href')).toBe((await link.textContent()) ?? '');
    expect(await issuesInEveryLook(page)).toEqual([]);
  });
});

describe.skipIf(skipsLooks)(`where the service sends no mail${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open();
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('the link of an invitation is shown once, to hand over', async () => {
    const page = await admin.page({ as: 'ada', path: '/users/new?invite=yes' });
    await page.getByLabel('Email').fill('eve@example.org');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const invitation = page.getByRole('region', { name: 'Invitation' });
    await invitation.getByText('This site sends no mail.').waitFor();
    await invitation.getByRole('button', { name: 'Create a link' }).click();
    const link = (await invitation.getByRole('group', { name: 'Link' }).textContent()) ?? '';
    expect(link).toStartWith(`${admin.url}/account/invitation#rat_`);
    await invitation.getByRole('button', { name: 'Copy Link' }).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.reload();
    await invitation.getByRole('button', { name: 'Create a link' }).waitFor();
    expect(await page.content()).not.toContain(link);

    await page.goto('/admin/users');
    await page.getByText('1 person waits for a link').waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show who is invited' }).click();
    await row(page, 'ada@').waitFor({ state: 'detached' });
    expect(page.url()).toEndWith('/admin/users?status=invited');

    const guest = await admin.page();
    await guest.goto(link);
    await guest.getByLabel('New password').fill(other);
    await guest.keyboard.press('Enter');
    await guest.getByText('Your account is ready.').waitFor();
    await page.goto('/admin/users');
    await row(page, 'eve@').getByText('Active').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('waits for a link').count()).toBe(0);
  });

  test('no password is forgotten, and settings say what to do', async () => {
    const page = await admin.page();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Forgot password?' }).count()).toBe(0);
    const settings = await admin.page({ as: 'ada', path: '/settings?tab=mail' });
    await settings.getByText('This service sends no mail').waitFor();
    expect(await settings.getByRole('button', { name: 'Send test mail' }).count()).toBe(0);
  });
});
