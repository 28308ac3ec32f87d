import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { becomes } from '../support/database/database.ts';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { closeBy } from './dialogs.ts';

const hostile = '<img src=x onerror=alert(1)> "&amp;" {name}';

describe.skipIf(skipsLooks)(`users, API tokens and the own profile${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open();
    await admin.account('ada', 'admin');
    await admin.account('nora', 'admin', 'north');
    await admin.account('edith', 'editor');
    await admin.account('max', 'member');
    await admin.account('zoe', 'member', 'north');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const send = async (line: string, body?: object, as = 'ada') =>
    (await admin.service.send(line, { as, ...(body === undefined ? {} : { body }) })).json;

  test('users are found by words, role and status, and the address has it', async () => {
    const page = await admin.page({ as: 'ada', path: '/users' });
    await row(page, 'max@').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('edi');
    await row(page, 'max@').waitFor({ state: 'detached' });
    expect(page.url()).toEndWith('/admin/users?search=edi');
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByLabel('Role').selectOption('Member');
    await row(page, 'edith@').waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'zoe@').waitFor();
    expect(await page.getByLabel('Role').inputValue()).toBe('member');
    await page.goBack();
    await row(page, 'edith@').waitFor();
  });

  test('errors of the service stand at their fields', async () => {
    const page = await admin.page({ as: 'ada', path: '/users/new' });
    await page.getByLabel('Email').fill(emailOf('max'));
    await page.getByLabel('Username').fill('not a name');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.locator('[aria-invalid=true]').nth(1).waitFor();
    for (const label of ['Email', 'Username', 'Password']) {
      expect(await page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
    }
  });

  test('role, status and password are changed, and sessions end', async () => {
    await admin.account('carl', 'member');
    const page = await admin.page({ as: 'ada', path: `/users/${admin.service.idOf('carl')}` });
    await page.getByLabel('Role').selectOption('Editor');
    await page.getByLabel('Tenant').fill('north');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    expect(await send(`GET /api/v1/admin/users/${admin.service.idOf('carl')}`)).toMatchObject({
      role: 'editor',
      tenant_id: 'north',
    });
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await sessions.getByRole('button', { name: /^End the session of/ }).click();
    await page.getByText('Not signed in anywhere.').waitFor();
    await page.getByLabel('New password').fill('battery staple');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('All sessions have ended.').waitFor();
    const body = { email: emailOf('carl'), password: 'battery staple' };
    expect((await admin.service.send('POST /api/v1/auth/login', { body })).status).toBe(200);
    await page.getByRole('switch', { name: 'May sign in' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await becomes(async () => (await admin.service.send('POST /api/v1/auth/login', { body })).status, 401);
  });

  test('unsaved changes are not left without a question', async () => {
    const page = await admin.page({ as: 'ada', path: `/users/${admin.service.idOf('max')}` });
    await page.getByLabel('Display name').fill('Max');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API tokens' }).click();
    const dialog = page.getByRole('dialog', { name: 'Unsaved changes' });
    await closeBy(dialog, 'Cancel');
    expect(await page.getByLabel('Display name').inputValue()).toBe('Max');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API tokens' }).click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'API tokens' }).waitFor();
  });

  test('a user is deleted after a question, and the last admin is not', async () => {
    const id = await admin.account('gone', 'member');
    const page = await admin.page({ as: 'ada', path: `/users/${id}` });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect((await admin.service.send(`GET /api/v1/admin/users/${id}`, { as: 'ada' })).status).toBe(404);
    await page.goto(`/admin/users/${admin.service.idOf('ada')}`);
    await page.getByLabel('Role').selectOption('Editor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'last admin' }).waitFor();
  });

  test('an API token is shown once, works, and is revoked', async () => {
    const page = await admin.page({ as: 'ada', path: '/api-tokens' });
    await page.getByText('No API tokens yet').waitFor();
    await page.getByRole('button', { name: 'New API token' }).click();
    await page.getByLabel('Name').and(page.locator(':focus')).fill(hostile);
    await page.getByLabel('Role').selectOption('Editor');
    await page.getByLabel('Expires').selectOption('Never');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: `API token "${hostile}"` });
    const token = (await dialog.getByRole('group', { name: 'Token' }).textContent()) ?? '';
    expect(token).toStartWith('recto_');
    const headers = { Authorization: `Bearer ${token}` };
    expect((await admin.service.send('GET /api/v1/admin/pages', { headers })).status).toBe(200);
    await dialog.getByRole('button', { name: 'Copy Token' }).waitFor();
    await closeBy(dialog, 'Done');
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: `Revoke ${hostile}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API tokens yet').waitFor();
    // What had the focus is gone with its row.
    await page.getByRole('button', { name: 'Create the first token' }).and(page.locator(':focus')).waitFor();
    expect((await admin.service.send('GET /api/v1/admin/pages', { headers })).status).toBe(401);
  });

  test('the own profile: name, email with the password, password, sessions', async () => {
    await admin.account('mia', 'editor');
    const elsewhere = await admin.context();
    await admin.signIn(elsewhere, 'mia');
    const page = await admin.page({ as: 'mia', path: '/profile' });
    await page.getByLabel('Display name').fill('Mia Lopes');
    await page.getByLabel('Username').fill('mia-lopes');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await page.getByRole('button', { name: 'Account of mia-lopes' }).waitFor();

    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('mia.lopes@example.com');
    const email = page.getByRole('region', { name: 'Email' });
    await email.getByLabel('Current password').fill('wrong');
    await email.getByRole('button', { name: 'Change email' }).click();
    await email.locator('[aria-invalid=true]').waitFor();
    await email.getByLabel('Current password').fill(passwordOfTests);
    await email.getByRole('button', { name: 'Change email' }).click();
    await page.getByText('Your email address is mia.lopes@example.com now.').waitFor();

    const password = page.getByRole('region', { name: 'Change password' });
    await password.getByLabel('Current password').fill(passwordOfTests);
    await password.getByLabel('New password', { exact: true }).fill('battery staple');
    await password.getByLabel('Repeat the new password').fill('battery');
    await password.getByRole('button', { name: 'Change password' }).click();
    await password.getByText('The two passwords differ.').waitFor();
    await password.getByLabel('Repeat the new password').fill('battery staple');
    await password.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await page.getByRole('table', { name: 'Sessions' }).getByText('This session').waitFor();

    const body = { email: 'mia.lopes@example.com', password: 'battery staple' };
    await admin.service.send('POST /api/v1/auth/login', { body });
    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' });
    await page.getByLabel('Theme').selectOption('Dark');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  test('a picture is chosen, stands by its person everywhere, and is removed', async () => {
    const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#c03060' } })
      .png()
      .toBuffer();
    const page = await admin.page({ as: 'edith', path: '/profile' });
    const shown = page.locator('img[src*="/picture?"]');
    const choose = (name: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer });
    await page.getByText('No picture: initials are shown.').waitFor();
    await choose('me.png', Buffer.from('<svg onload="alert(1)"/>'));
    await page.getByText('A picture is a JPEG').waitFor();
    expect(await shown.count()).toBe(0);
    await choose('me.png', picture);
    // In the section, and beside the own name.
    await shown.nth(1).waitFor();
    await page.getByRole('button', { name: 'Remove picture' }).waitFor();
    expect(
      await shown.first().evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(256);
    const other = await admin.page({ as: 'ada', path: '/users' });
    await row(other, 'edith@').locator('img[src*="/picture?"]').waitFor();
    expect(await row(other, 'max@').locator('img').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove picture' }).click();
    await page.getByText('No picture: initials are shown.').waitFor();
    expect(await shown.count()).toBe(0);
    // What the other page had is no more: its initials are there.
    await other.reload();
    await row(other, 'edith@').waitFor();
    expect(await other.locator('img[src*="/picture?"]').count()).toBe(0);
  });

  test('an admin of a tenant sees its users alone', async () => {
    const page = await admin.page({ as: 'nora', path: '/users' });
    await row(page, 'zoe@').waitFor();
    expect(await row(page, 'max@').count()).toBe(0);
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('Email').waitFor();
    expect(await page.getByLabel('Tenant').count()).toBe(0);
  });

  test('an editor reaches none of the pages for admins, by link or by address', async () => {
    const page = await admin.page({ as: 'edith' });
    const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    const closed = ['Users', 'Roles', 'API tokens', 'Content types', 'Settings', 'Webhooks', 'Audit log', 'Jobs'];
    expect(links.filter((link) => closed.includes(link.trim()))).toEqual([]);
    const paths = ['users', 'users/new', `users/${admin.service.idOf('max')}`, 'api-tokens', 'types', 'types/page'];
    for (const path of [...paths, 'types/new', 'settings', 'webhooks', 'audit-log', 'jobs']) {
      await page.goto(`/admin/${path}`);
      await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
    }
  });

  test('by keyboard alone: a user is created', async () => {
    const page = await admin.page({ as: 'ada', path: '/users' });
    await page.getByRole('link', { name: 'New user' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New user' }).waitFor();
    // Who makes a new user begins to write.
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
    const reach = async (name: string) => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab');
        if ((await page.getByLabel(name).and(page.locator(':focus')).count()) === 1) return;
      }
      throw new Error(`Tab does not reach ${name}.`);
    };
    await page.keyboard.type('key@example.com');
    await reach('Password');
    await page.keyboard.type('battery staple');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'key@example.com' }).waitFor();
  });
});
