import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { mailSettings } from '../../support/mail-server.ts';
import { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { Keys } from '../keys.ts';
import { issuesInEveryLook } from '../looks.ts';
import { linkTo } from './link-to.ts';

const other = 'battery staple';
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

describe.skipIf(skipsLooks)(`invitations${looksSkipReason}`, () => {
  /** Its mails are kept in memory. */
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([], { settings: mailSettings({ kind: 'log' }) });
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('somebody is invited, and accepts by keyboard', async () => {
    const page = await admin.page({ as: 'ada', path: '/users' });
    await page.getByRole('link', { name: 'Invite', exact: true }).click();
    await page.getByLabel('Email').fill('eve@example.org');
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await heading(page, 'eve@example.org').waitFor();
    const invitation = page.getByRole('region', { name: 'Invitation' });
    await invitation.getByText('Not accepted yet.').waitFor();
    const first = await linkTo(admin.service, 'eve@example.org');
    await invitation.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('A new link is on its way to eve@example.org.').first().waitFor();
    const link = await linkTo(admin.service, 'eve@example.org');
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
