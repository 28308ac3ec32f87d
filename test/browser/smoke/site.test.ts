import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin, emailOf, passwordOfTests } from '../admin.ts';
import { chromiumPath, skipReason } from '../chromium.ts';
import { issuesInEveryLook } from '../looks.ts';

// Sessions, people, the site and the frame around them, in a few minutes of a run. The rest is tested in the folder above.

const hostile = '<img src=x onerror=alert(1)> "&amp;" {name}';
const article = {
  ...{ name: 'Article', singular: 'article', plural: 'articles' },
  fields: [{ name: 'title', field_type: 'text', max_length: 200 }],
};
const main = { name: 'Main' } as const;

describe.skipIf(chromiumPath === undefined)(`the admin${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([article]);
    await admin.account('ada', 'admin');
    await admin.service.seed('articles', { title: 'On paper' });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('pages load without a request that fails, and can be used by everyone, dark and light, wide and narrow', async () => {
    const page = await admin.page({ as: 'ada' });
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    // The others are shown by `frame/content-pages.test.ts` and `frame/site-pages.test.ts`.
    for (const path of ['/', '/media', '/types/article', '/content/articles/new', '/content/articles']) {
      await page.goto(`/admin${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
    }
    expect(failed).toEqual([]);
    await page.getByRole('link', { name: 'On paper' }).waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
  });

  test('signing in, and a reload keeps it', async () => {
    const page = await admin.page();
    await page.getByLabel('Email').fill(emailOf('ada'));
    await page.getByLabel('Password').fill(passwordOfTests);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', main).getByRole('link', { name: 'Articles' }).waitFor();
    await page.reload();
    await page.getByRole('navigation', main).getByRole('link', { name: 'Users' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await page.title()).toBe('Home · Recto');
    // Nothing of the session that a script could read, but whose it is.
    const { json: account } = await admin.service.send('GET /api/v1/auth/me', { as: 'ada' });
    expect(
      await page.evaluate(
        'document.cookie + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })',
      ),
    ).toBe(`${JSON.stringify({ 'recto.account': account.id })}{}`);
  });

  test('is set up with the code that the service printed, once', async () => {
    await using fresh = await Admin.open();
    const code = await fresh.service.firstAdminCode();
    const page = await fresh.page({ path: `/setup#${code}` });
    await page.getByRole('heading', { name: 'Set up this site' }).waitFor();
    // The code is in no history.
    expect(page.url()).toBe(`${fresh.url}/admin/setup`);
    await page.getByLabel('Email').fill('ines@example.org');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByLabel('New password').and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await page.getByText('must have at least 8 characters').waitFor();
    await page.getByLabel('New password').fill('a better password');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).waitFor();
    expect(page.url()).toBe(`${fresh.url}/admin/`);

    await fresh.endTest();
    const again = await fresh.page({ path: `/setup#${code}` });
    await again.getByLabel('Email').fill('eve@example.org');
    await again.getByLabel('New password').fill('an evil password');
    await again.getByRole('button', { name: 'Set up' }).click();
    await again.getByText('it has been used').waitFor();
    const old = await fresh.service.send('POST /api/v1/auth/login', {
      body: { email: 'admin@recto.local', password: code },
    });
    expect(old.status).toBe(401);
  });

  describe('content types', () => {
    const effects = (page: Page) => page.getByRole('region', { name: 'What will happen' });
    const definitionOf = async (singular: string) =>
      (await admin.service.send(`GET /api/v1/admin/content-types/${singular}`, { as: 'ada' })).json.definition;

    async function apply(page: Page, name: string): Promise<void> {
      await effects(page).getByRole('button', { name }).click();
      await page.getByRole('dialog').getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }

    async function addField(page: Page, type: string, name: string): Promise<void> {
      await page.getByRole('button', { name: 'Add field' }).first().click();
      await page.getByRole('menuitem', { name: type, exact: true }).click();
      await page.getByLabel('Field name').last().fill(name);
    }

    test('a type is built: fields of several kinds, blocks, behaviour, and applied with its effects', async () => {
      const page = await admin.page({ as: 'ada', path: '/types' });
      await page.getByRole('link', { name: 'New content type' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Case study');
      expect(await page.getByLabel('Singular').inputValue()).toBe('case-study');
      expect(await page.getByLabel('Plural').inputValue()).toBe('case-studies');

      await addField(page, 'Text', 'title');
      await page.getByLabel('Label', { exact: true }).fill(hostile);
      await page.getByRole('checkbox', { name: 'Required' }).check();
      await addField(page, 'Slug', 'slug');
      await page.getByLabel('Made from').selectOption('title');
      await addField(page, 'One of a list', 'size');
      await page.getByLabel('Values').fill('small\nlarge\n');
      await page.getByLabel('Values').blur();
      await addField(page, 'Relation', 'author');
      await page.getByRole('combobox', { name: 'Content type' }).selectOption('Users');
      await addField(page, 'Blocks', 'body');
      await page.getByRole('button', { name: 'Add block' }).click();
      await page.getByLabel('Block name').fill('quote');
      const block = page.getByRole('group', { name: 'quote' });
      await block.getByRole('button', { name: 'Add field' }).click();
      await page.getByRole('menuitem', { name: 'Rich text', exact: true }).click();
      await block.getByLabel('Field name').fill('text');

      await page.getByRole('tab', { name: 'Behaviour' }).click();
      await page.getByRole('checkbox', { name: 'Give records a status, such as draft and published' }).check();
      await page.getByLabel('Statuses').fill('draft\npublished');
      await page.getByLabel('Statuses').blur();

      await effects(page).getByText('The type "case-study" is created').waitFor();
      await apply(page, 'Create type');
      await page.getByRole('heading', { level: 1, name: 'Case study' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Case studies' }).waitFor();
      expect(await definitionOf('case-study')).toEqual({
        name: 'Case study',
        singular: 'case-study',
        plural: 'case-studies',
        fields: [
          { name: 'title', field_type: 'text', label: hostile, required: true },
          { name: 'slug', field_type: 'uid', target_field: 'title' },
          { name: 'size', field_type: 'enum', enum_values: ['small', 'large'] },
          { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'users' } },
          {
            name: 'body',
            field_type: 'blocks',
            blocks: [{ name: 'quote', fields: [{ name: 'text', field_type: 'richtext' }] }],
          },
        ],
        protocols: ['timestampable', 'ownable', { name: 'statusable', values: ['draft', 'published'] }],
      });
      await page.getByText(hostile).waitFor();
    });
  });

  test('a user is created with a generated password, and signs in with it', async () => {
    const page = await admin.page({ as: 'ada', path: '/users' });
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('Enter an email address.').waitFor();
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Email').fill('eve@example.com');
    await page.getByLabel('Display name').fill(hostile);
    await page.getByLabel('Role').selectOption('Editor');
    await page.getByRole('button', { name: 'Generate a password' }).click();
    const password = await page.getByLabel('Password').inputValue();
    expect(password).toMatch(/^[\w-]{23}$/);
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog', { name: 'The password of eve@example.com' });
    await dialog.getByText(password, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Copy Password' }).waitFor();
    await dialog.getByRole('button', { name: 'I have passed it on' }).click();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    expect(await page.getByText(password).count()).toBe(0);
    const { status } = await admin.service.send('POST /api/v1/auth/login', {
      body: { email: 'eve@example.com', password },
    });
    expect(status).toBe(200);
  });

  test('settings show health, and values with where they come from', async () => {
    const page = await admin.page({ as: 'ada', path: '/settings' });
    await page.getByText('Everything works.').waitFor();
    await page.getByRole('region', { name: 'Version' }).getByText(`Bun ${Bun.version}`).waitFor();
    await page.getByRole('tab', { name: 'Settings in force' }).click();
    expect(page.url()).toEndWith('?tab=settings');
    await page.getByRole('searchbox', { name: 'Search' }).fill('recto_secret');
    await page.getByRole('table').getByRole('row').filter({ hasText: 'RECTO_SECRET' }).getByText('Not set').waitFor();
    await page.getByRole('tab', { name: 'Import and export' }).click();
    await page.getByText('recto import wordpress').waitFor();
  });

  test('theme and language are kept in the browser', async () => {
    const page = await admin.page({ as: 'ada', theme: 'light' });
    const choose = async (account: RegExp, name: string): Promise<void> => {
      await page.getByRole('button', { name: account }).click();
      await page.getByRole('menuitemradio', { name }).click();
    };
    await choose(/^Account of/, 'Dark');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await choose(/^Account of/, 'Deutsch');
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme]')).toEqual([
      'de',
      'dark',
    ]);
  });
});
