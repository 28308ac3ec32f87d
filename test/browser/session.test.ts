import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';

const article = { singular: 'article', plural: 'articles', fields: [{ name: 'title', field_type: 'text' }] };
const main = { name: 'Main' } as const;

describe.skipIf(skipsLooks)(`a session${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([article]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
    await admin.account('nora', 'editor');
    await admin.account('max', 'member');
    await admin.account('tove', 'admin', 'north');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  /** Ends all sessions of an account, as a change of the password elsewhere does. */
  async function endSessions(name: string): Promise<void> {
    const body = { current_password: passwordOfTests, new_password: passwordOfTests };
    const { status } = await admin.service.send('PUT /api/v1/auth/me/password', { as: name, body });
    expect(status).toBe(200);
  }

  test('a deep link is shown after signing in', async () => {
    const page = await admin.page({ path: '/users' });
    await page.getByLabel('Email').fill(emailOf('ada'));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  });

  test('a wrong password is said, and the address stays', async () => {
    const page = await admin.page();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your email address.').waitFor();
    await page.getByLabel('Email').and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await page.getByLabel('Email').fill(emailOf('ada'));
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'The email address or the password is wrong.' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(emailOf('ada'));
    expect(await page.getByLabel('Password').inputValue()).toBe('');
  });

  test('too many attempts: how long to wait', async () => {
    const page = await admin.page();
    admin.intercept = ({ url }) =>
      url.endsWith('/auth/login')
        ? Response.json(
            { code: 'rate_limited', detail: 'Too many.' },
            { status: 429, headers: { 'Retry-After': '42' } },
          )
        : undefined;
    try {
      await page.getByLabel('Email').fill(emailOf('ada'));
      await page.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'Try again in 42 seconds.' }).waitFor();
    } finally {
      admin.intercept = undefined;
    }
  });

  test('that ends in mid-work goes on after a dialog, on the same page', async () => {
    const page = await admin.page({ as: 'edith' });
    await page.evaluate('window.stays = true');
    await endSessions('edith');
    // Something is being typed when it shows.
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: 'Command palette' });
    await palette.waitFor();
    // At once: after some of the letters, the dialog would take the others.
    await page.keyboard.insertText('margins');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe(emailOf('edith'));
    // It cannot be closed by accident.
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Password').fill(passwordOfTests);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await palette.inputValue()).toBe('margins');
    await palette.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await page.evaluate('window.stays')).toBe(true);
  });

  test('that has ended is a note to whoever comes back to the page, until they need it', async () => {
    const context = await admin.context();
    await admin.signIn(context, 'nora');
    const page = await admin.tab(context, '/content/articles');
    await page.getByRole('heading', { name: 'No Articles yet' }).waitFor();
    // What a page loads when it is opened would ask for the password.
    await page.waitForLoadState('networkidle');
    await endSessions('nora');
    // What the page shows counts as old by now.
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000; }');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    const note = page.getByRole('status').filter({ hasText: 'Your session has ended.' });
    const comeBack = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await comeBack();
    await note.waitFor();
    await comeBack();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search' }).fill('paper');
    await dialog.getByLabel('Password').fill(passwordOfTests);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    expect(await note.count()).toBe(0);
  });

  test('ends in all tabs with the sign-out of one, and begins in all', async () => {
    const context = await admin.context();
    await admin.signIn(context, 'ada');
    const [one, other] = [await admin.tab(context), await admin.tab(context)];
    await one.getByRole('button', { name: /^Account of/ }).click();
    await one.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByLabel('Email').fill(emailOf('ada'));
    await other.getByLabel('Password').fill(passwordOfTests);
    await other.keyboard.press('Enter');
    await one.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('that could not be ended is not shown to whoever comes next, and is ended then', async () => {
    const context = await admin.context();
    await admin.signIn(context, 'ada');
    const page = await admin.tab(context);
    admin.intercept = ({ url }) => (url.endsWith('/auth/logout') ? new Response(null, { status: 502 }) : undefined);
    try {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    } finally {
      admin.intercept = undefined;
    }
    const ended = page.waitForResponse((response) => response.url().endsWith('/auth/logout'));
    await page.reload();
    expect((await ended).status()).toBe(204);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const refreshed = await context.request.post('/api/v1/auth/refresh', { data: { session: 'cookie' } });
    expect(refreshed.status()).toBe(401);
    // Whoever signs in then stays signed in.
    await page.getByLabel('Email').fill(emailOf('edith'));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('of another account that signs in in another tab is that of all tabs', async () => {
    const context = await admin.context();
    await admin.signIn(context, 'ada');
    const [one, other] = [await admin.tab(context), await admin.tab(context)];
    const users = one.getByRole('navigation', main).getByRole('link', { name: 'Users' });
    await users.waitFor();
    await admin.signIn(context, 'edith');
    await other.evaluate("new BroadcastChannel('recto-session').postMessage('edith')");
    await users.waitFor({ state: 'detached' });
    await one.getByRole('navigation', main).getByRole('link', { name: 'Articles' }).waitFor();
    expect(await users.count()).toBe(0);
  });

  describe('shows what a role may see:', () => {
    const links = (page: Awaited<ReturnType<Admin['page']>>) =>
      page.getByRole('navigation', main).getByRole('link').allTextContents();
    const content = [
      'Home',
      'Articles',
      'Categories',
      'Pages',
      'Posts',
      'Media',
      'Comments',
      'Calendar',
      'Releases',
      'Dead links',
    ];

    test('an editor content alone', async () => {
      const page = await admin.page({ as: 'edith', path: '/users' });
      await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
      expect((await links(page)).map((text) => text.trim())).toEqual(content);
    });

    test('an admin everything', async () => {
      const page = await admin.page({ as: 'ada' });
      const site = ['Content types', 'Users', 'Roles', 'API tokens', 'Webhooks', 'Audit log', 'Jobs', 'Settings'];
      expect((await links(page)).map((text) => text.trim())).toEqual([...content, ...site]);
    });

    test('an admin of a tenant what is the tenant’s', async () => {
      const page = await admin.page({ as: 'tove', path: '/webhooks' });
      await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
      const site = ['Users', 'API tokens', 'Audit log', 'Jobs'];
      expect((await links(page)).map((text) => text.trim())).toEqual([...content, ...site]);
    });

    test('a member nothing, and why', async () => {
      const page = await admin.page({ as: 'max' });
      await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
      await page.getByText('the role member cannot use the admin').waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });
});
