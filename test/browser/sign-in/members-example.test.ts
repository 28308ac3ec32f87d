import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { query } from '../../support/database/database.ts';
import { projectRoot } from '../../support/documents.ts';
import { mailSettings } from '../../support/mail-server.ts';
import { IdentityProvider } from '../../support/providers/identity-provider.ts';
import { clientSecret } from '../../support/providers/test-provider.ts';
import { Admin, emailOf, passwordOfTests } from '../admin.ts';
import { addAuthenticator } from '../authenticator.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { Keys } from '../keys.ts';
import { issuesInBothThemes, issuesInEveryLook } from '../looks.ts';

// The pages as they are, served by the service, with the client beside them as the README says.

const example = join(projectRoot, 'examples/members');

/** The folder of public files after the commands of the README. */
async function publicFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-members-'));
  cpSync(join(example, 'public'), folder, { recursive: true });
  const client = join(folder, 'client');
  rmSync(client, { recursive: true, force: true });
  mkdirSync(client);
  const built = await Bun.build({
    entrypoints: [join(projectRoot, 'packages/client/src/index.ts')],
    target: 'browser',
    outdir: client,
  });
  if (!built.success) throw new Error('The client was not built.');
  return folder;
}

test('the settings of the example name its pages', async () => {
  const settings = Bun.TOML.parse(await Bun.file(join(example, 'recto.toml')).text());
  expect(settings).toMatchObject({ public_dir: 'public', sign_in_codes: 'members' });
  const pages = (settings as { readonly auth_return_to: readonly string[] }).auth_return_to;
  for (const page of pages) {
    const { pathname } = new URL(page);
    expect(await Bun.file(join(example, 'public', pathname)).exists()).toBe(true);
  }
});

describe.skipIf(skipsLooks)(`the site for members${looksSkipReason}`, () => {
  let admin: Admin;
  let provider: IdentityProvider;
  let folder: string | undefined;
  beforeAll(async () => {
    const publicDir = await publicFolder();
    folder = publicDir;
    admin = await Admin.open([], async (url) => {
      provider = await IdentityProvider.open(url);
      return {
        settings: {
          ...mailSettings({ kind: 'log' }),
          ...{ url, publicDir, signInCodes: 'members' },
          authProviders: { main: provider.configured({ label: 'Example ID' }) },
          authSecrets: { main: clientSecret },
          authReturnTo: ['/index.html', '/my-account.html'].map((path) => ({ origin: url, path })),
        },
      };
    });
    // Who reads the mails.
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const form = (page: Page, name: string) => page.getByRole('form', { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const signedInAs = (page: Page, name: string) => page.getByText(`Signed in as ${emailOf(name)}`).waitFor();
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

  async function signInPage(): Promise<Page> {
    const page = await admin.page({ own: true });
    await page.goto(`${admin.url}/`);
    await form(page, 'Sign in with a password').waitFor();
    return page;
  }
  async function register(page: Page, name: string): Promise<void> {
    await form(page, 'Register').getByLabel('Email').fill(emailOf(name));
    await form(page, 'Register').getByLabel('Password').fill(passwordOfTests);
    await button(page, 'Register').click();
    await signedInAs(page, name);
  }
  async function signOut(page: Page): Promise<void> {
    await button(page, 'Sign out').click();
    await form(page, 'Sign in with a password').waitFor();
  }
  async function givePassword(page: Page, name: string): Promise<void> {
    const password = form(page, 'Sign in with a password');
    await password.getByLabel('Email').fill(emailOf(name));
    await password.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
  }
  async function throughProvider(page: Page, login: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  test('by keyboard, somebody registers, sets up an app, and gives its code as the second step', async () => {
    const page = await signInPage();
    expect(await issuesInEveryLook(page)).toEqual([]);
    const keys = new Keys(page);
    await keys.fill(/^Email/, emailOf('kay'), form(page, 'Register'));
    await keys.fill(/^Password/, passwordOfTests, form(page, 'Register'));
    await keys.press('Enter');
    await signedInAs(page, 'kay');
    await keys.button('Set up an authenticator app');
    const setUp = form(page, 'Set up an authenticator app');
    const field = setUp.getByLabel('Code that the app shows');
    await field.and(page.locator(':focus')).waitFor();
    const secret = (await setUp.getByRole('code').textContent()) ?? '';
    expect(await issuesInEveryLook(page)).toEqual([]);
    await keys.type('000000');
    await keys.press('Enter');
    await setUp.getByRole('alert').filter({ hasText: /./ }).waitFor();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await keys.type(await codeOf(secret));
    await keys.press('Enter');
    await page.locator('#recovery-codes h2:focus').waitFor();
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    expect(await issuesInEveryLook(page)).toEqual([]);
    await keys.button('I have kept them');
    await page.locator('#recovery-codes').waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(codes[0] ?? '');

    for (const way of ['app', 'recovery code']) {
      await signOut(page);
      await givePassword(page, 'kay');
      const app = page.getByLabel('Code of the authenticator app');
      await app.and(page.locator(':focus')).waitFor();
      if (way === 'app') {
        expect(await issuesInEveryLook(page)).toEqual([]);
        await keys.type('1');
        await keys.press('Enter');
        await page.locator('[aria-invalid=true]:focus').waitFor();
        await keys.type(await codeOf(secret));
      } else await keys.fill(/^Recovery code/, codes[0] ?? '');
      await keys.press('Enter');
      await signedInAs(page, 'kay');
    }
    await page.getByText('Recovery codes left: 9.').waitFor();
  });

  test('a wrong password is named', async () => {
    const page = await signInPage();
    const password = form(page, 'Sign in with a password');
    await password.getByLabel('Email').fill(emailOf('nobody'));
    await password.getByLabel('Password').fill('not the password');
    await button(page, 'Sign in').click();
    await password.getByRole('alert').filter({ hasText: 'The email address or the password is wrong.' }).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
  });

  test('a passkey signs in alone, is the second step, and is removed with a recent proof', async () => {
    const page = await signInPage();
    await register(page, 'pat');
    const device = await addAuthenticator(page);
    await form(page, 'Add a passkey').getByLabel('Name of the passkey').fill('My laptop');
    await button(page, 'Add a passkey').click();
    await page.locator('#recovery-codes h2:focus').waitFor();
    await button(page, 'I have kept them').click();
    await signOut(page);
    await button(page, 'Use a passkey').click();
    await signedInAs(page, 'pat');
    expect(await issuesInEveryLook(page)).toEqual([]);

    await signOut(page);
    await givePassword(page, 'pat');
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await button(page, 'Use a passkey').and(page.locator(':focus')).press('Enter');
    await signedInAs(page, 'pat');

    await later();
    const remove = button(page, 'Remove My laptop');
    await remove.click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await button(page, 'Use a passkey').and(page.locator(':focus')).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    // Whoever says no hears what that means.
    await page.keyboard.press('Escape');
    await page.getByRole('alert').filter({ hasText: 'Nothing was changed' }).waitFor();
    await remove.and(page.locator(':focus')).press('Enter');
    await question.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('status').filter({ hasText: 'My laptop is removed.' }).waitFor();
    await page.locator('#passkeys h2:focus').waitFor();
    await remove.waitFor({ state: 'detached' });
    await device.remove();
  });

  test('a mailed code signs in', async () => {
    const page = await signInPage();
    await register(page, 'mia');
    await signOut(page);
    await form(page, 'Sign in with a mailed code').getByLabel('Email').fill(emailOf('mia'));
    await button(page, 'Send a code').click();
    const field = page.getByLabel('Code from the mail').and(page.locator(':focus'));
    await field.waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await admin.service.runJobs();
    const { json } = await admin.service.send('GET /api/v1/admin/mails', { as: 'ada' });
    const mail = json.items.find(({ to }: { readonly to: string }) => to === emailOf('mia'));
    await field.fill(/\b\d{4} \d{4}\b/.exec(mail?.text ?? '')?.[0] ?? '');
    await page.keyboard.press('Enter');
    await signedInAs(page, 'mia');
  });

  test('a provider signs in, and is linked and unlinked', async () => {
    const guest = await signInPage();
    await button(guest, 'Continue with Example ID').click();
    await guest.getByRole('link', { name: /cancel/i }).click();
    await guest.getByRole('alert').filter({ hasText: 'You said no there.' }).waitFor();
    await button(guest, 'Continue with Example ID').click();
    await throughProvider(guest, 'gus');
    await signedInAs(guest, 'gus');
    expect(guest.url()).toBe(`${admin.url}/my-account.html`);

    const page = await signInPage();
    await register(page, 'lin');
    await later();
    await button(page, 'Link Example ID').click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.locator('dialog [aria-invalid=true]:focus').waitFor();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(passwordOfTests);
    await page.keyboard.press('Enter');
    await throughProvider(page, 'lin-there');
    await page.getByRole('status').filter({ hasText: 'Example ID is linked.' }).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await button(page, `Unlink Example ID (${emailOf('lin-there')})`).click();
    await page.getByRole('status').filter({ hasText: 'is removed.' }).waitFor();
    await page.locator('#identities h2:focus').waitFor();
    expect(await page.getByRole('list', { name: 'Linked accounts' }).getByRole('listitem').count()).toBe(0);
  });
});
