import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInBothThemes } from './looks.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  name: 'Article',
  protocols: ['ownable'],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'summary', field_type: 'text' },
    { name: 'fee', field_type: 'integer' },
  ],
};
const note = {
  singular: 'note',
  plural: 'notes',
  name: 'Note',
  protocols: ['ownable'],
  fields: [{ name: 'text', field_type: 'text' }],
};
const writer = {
  name: 'writer',
  label: 'Writer',
  types: {
    article: {
      ...{ list: true, get: true, update: true },
      ...{ read: { except: ['fee'] }, write: { only: ['title'] } },
    },
  },
};

/** Reads articles, makes and changes notes, and has files of its own. */
const clerk = {
  name: 'clerk',
  label: 'Clerk',
  types: {
    article: { list: true, get: true, read: { except: ['fee'] } },
    note: { list: true, get: true, create: true, update: 'created_by = @request.auth.id' },
  },
  may: { media: 'own' },
};

describe.skipIf(skipsLooks)(`roles in the admin${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([article, note], { roles: [writer, clerk, { name: 'idler', label: 'Idler' }] });
    await admin.account('ada', 'admin');
    await admin.account('will', 'writer');
    await admin.account('cleo', 'clerk');
    await admin.service.seed('articles', { title: 'Why margins matter', summary: 'White', fee: 80 });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('somebody with a role sees and changes what it may, and is offered nothing else', async () => {
    const page = await admin.page({ as: 'will', path: '/content/articles' });
    await page.getByRole('link', { name: 'Why margins matter' }).waitFor();
    const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    expect(links.map((text) => text.trim()).filter(Boolean)).toEqual(['Home', 'Articles']);
    expect(await page.getByRole('link', { name: /^New / }).count()).toBe(0);
    expect(await page.getByRole('columnheader', { name: /fee/i }).count()).toBe(0);
    await page.getByRole('link', { name: 'Why margins matter' }).click();
    const title = page.getByLabel(/^title$/i);
    await title.fill('Why margins still matter');
    expect(await page.getByLabel(/fee/i).count()).toBe(0);
    expect(await page.getByLabel(/^summary$/i).isEditable()).toBe(false);
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await becomes(
      async () =>
        (await admin.service.send('GET /api/v1/admin/cms/articles', { as: 'ada' })).json.items.map(
          ({ title, fee }: Readonly<Record<string, unknown>>) => [title, fee],
        ),
      [['Why margins still matter', 80]],
    );
    const closed = await admin.page({ as: 'will', path: '/roles' });
    await closed.getByText('Your role may not open this page.').waitFor();
  });

  test('a role is made, with what is wrong at its right, and given to somebody', async () => {
    const page = await admin.page({ as: 'ada', path: '/roles/new' });
    await page.getByRole('textbox', { name: /^Name\b/ }).fill('proof');
    await page.getByLabel('Label').fill('Proofreader');
    await page.getByLabel('Add a type').selectOption('Article');
    await page.getByLabel('List: Article').selectOption('All');
    await page.getByLabel('Open: Article').selectOption('All');
    await page.getByLabel('Change: Article').selectOption('By a rule');
    const rule = page.getByLabel('Rule for “Change”: Article');
    await rule.fill('nothing = 1');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await rule.getAttribute('aria-invalid')).toBe('true');
    await rule.fill('created_by = @request.auth.id');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { name: 'Proofreader' }).waitFor();
    expect((await admin.service.send('GET /api/v1/admin/roles/proof', { as: 'ada' })).json.definition).toEqual({
      name: 'proof',
      label: 'Proofreader',
      base: 'member',
      types: { article: { list: true, get: true, update: 'created_by = @request.auth.id' } },
    });
    const id = await admin.account('paul', 'member');
    const user = await admin.page({ as: 'ada', path: `/users/${id}` });
    await user.getByLabel('Role').selectOption('Proofreader');
    await user.getByRole('button', { name: 'Save' }).click();
    await becomes(
      async () => (await admin.service.send(`GET /api/v1/admin/users/${id}`, { as: 'ada' })).json.role,
      'proof',
    );
  });

  test('somebody with a role has saved views, and sees no shared one that names a hidden field', async () => {
    for (const view of [
      { name: 'Titles', columns: ['title'] },
      { name: 'Fees', columns: ['title', 'fee'] },
    ]) {
      const body = { type: 'articles', shared: true, ...view };
      expect((await admin.service.send('POST /api/v1/admin/views', { as: 'ada', body })).status).toBe(201);
    }
    const page = await admin.page({ as: 'will', path: '/content/articles' });
    await page.getByRole('link', { name: /margins/ }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    const dialog = page.getByRole('dialog', { name: 'Views' });
    await dialog.getByRole('button', { name: 'Titles' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Fees' }).count()).toBe(0);
    await dialog.getByLabel('Name of the view').fill('Mine');
    await dialog.getByRole('button', { name: 'Save as a view' }).click();
    await page.getByText('The view “Mine” is saved.').first().waitFor();
    const { json } = await admin.service.send('GET /api/v1/admin/views', { as: 'will' });
    expect(json.items.map(({ name }: Readonly<Record<string, unknown>>) => name)).toEqual(['Mine', 'Titles']);
  });

  test('the users name the site’s own roles, and an invitation offers them', async () => {
    const page = await admin.page({ as: 'ada', path: '/users' });
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`${name}@example.com`) });
    await row('will').getByText('Writer', { exact: true }).waitFor();
    await page.getByLabel('Role').selectOption('Writer');
    await row('ada').waitFor({ state: 'detached' });
    await row('will').waitFor();
    const form = await admin.page({ as: 'ada', path: '/users/new?invite=yes' });
    await form.getByLabel('Email').fill('new@example.com');
    await form.getByLabel('Role').selectOption('Writer');
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    await becomes(async () => {
      const { json } = await admin.service.send('GET /api/v1/admin/users?search=new@', { as: 'ada' });
      return json.items.map(({ role, invited_at: at }: Readonly<Record<string, unknown>>) => [role, typeof at]);
    }, [['writer', 'string']]);
  });

  test('an admin sees the pages as a role, and changes nothing meanwhile', async () => {
    const page = await admin.page({ as: 'ada', path: '/roles' });
    await page.getByRole('link', { name: 'Writer, Article: Some' }).waitFor();
    await page.getByRole('link', { name: 'Writer', exact: true }).click();
    await page.getByRole('button', { name: 'View as this role' }).click();
    await page.getByText('You see the admin as the role Writer does. Nothing can be changed.').waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect((await links.allTextContents()).map((text) => text.trim()).filter(Boolean)).toEqual(['Home', 'Articles']);
    await links.filter({ hasText: 'Articles' }).click();
    await page.getByRole('link', { name: /Why margins/ }).click();
    await page.getByLabel(/^title$/i).fill('Another title');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing can be changed meanwhile.').first().waitFor();
    await page.getByRole('button', { name: 'Back to your own view' }).click();
    await page.getByRole('link', { name: 'Roles', exact: true }).waitFor();
    expect(
      (await admin.service.send('GET /api/v1/admin/cms/articles', { as: 'ada' })).json.items.map(
        ({ title }: Readonly<Record<string, unknown>>) => title,
      ),
    ).not.toContain('Another title');
  });

  test('an admin asks who may do what with a record, by the keyboard alone, and gets the focus back', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/articles' });
    await page.getByRole('link', { name: /margins/ }).click();
    const button = page.getByRole('button', { name: 'Who may do what' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Who may do what with this record' });
    const said = dialog.getByRole('list', { name: 'Who may do what with this record' }).getByRole('listitem');
    await said.filter({ hasText: 'The role may do this with all records.' }).first().waitFor();
    const role = dialog.getByLabel('Role');
    await role.selectOption('Clerk');
    const change = said.filter({ hasText: /^\s*Change/ });
    await change.getByText('Not allowed').waitFor();
    expect(await change.textContent()).toContain('The role may do this with no record.');
    await role.selectOption('Writer');
    await dialog.getByLabel('Person').selectOption('will@example.com');
    await change.getByText('Allowed', { exact: true }).waitFor();
    expect(await said.filter({ hasText: /^\s*Delete/ }).textContent()).toContain('Not allowed');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  });

  test('the admin is offered as it is seen by roles that have one', async () => {
    const page = await admin.page({ as: 'ada', path: '/roles' });
    const offers = page.getByRole('button', { name: /^View as this role/ });
    await offers.first().waitFor();
    const named = (await offers.allTextContents()).map((text) => text.trim().replace('View as this role: ', ''));
    expect(named).toEqual(expect.arrayContaining(['Editor', 'Clerk', 'Writer']));
    for (const other of ['Member', 'Admin', 'Idler']) expect(named).not.toContain(other);
  });

  test('a token is narrowed to what is chosen', async () => {
    const page = await admin.page({ as: 'ada', path: '/api-tokens' });
    await page.getByRole('button', { name: 'New API token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill('The website');
    expect(await dialog.getByLabel('Rights').count()).toBe(0);
    await dialog.getByLabel('Role').selectOption('Editor');
    await dialog.getByLabel('Rights').selectOption('Only some of them');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Choose what the token reaches.').waitFor();
    await dialog.getByLabel('Add a type').selectOption('Article');
    await dialog.getByLabel('Add a type').selectOption('Note');
    await dialog.getByLabel('Note', { exact: true }).selectOption('Read and change');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Copy the token now.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('articles:read, notes:write').waitFor();
    const { json } = await admin.service.send('GET /api/v1/admin/api-tokens', { as: 'ada' });
    expect(json.items[0].scopes).toEqual(['articles:read', 'notes:write']);
  });

  test('a token is for agents, whatever its role, and its name stands at what it wrote', async () => {
    const page = await admin.page({ as: 'ada', path: '/api-tokens' });
    const make = async (name: string, role?: string): Promise<string> => {
      await page.getByRole('button', { name: 'New API token' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/^Name/).fill(name);
      if (role !== undefined) await dialog.getByLabel('Role').selectOption(role);
      await dialog.getByLabel('For an agent').check();
      const made = page.waitForResponse((response) => response.request().method() === 'POST');
      await dialog.getByRole('button', { name: 'Create token' }).click();
      await dialog.getByRole('button', { name: 'Done' }).click();
      return (await (await made).json()).token;
    };
    await make('Reader');
    const secret = await make('Research agent', 'Editor');
    const { json } = await admin.service.send('GET /api/v1/admin/api-tokens?page_size=100', { as: 'ada' });
    const scopesOf = (name: string) => json.items.find((token: { name: string }) => token.name === name).scopes;
    expect([scopesOf('Reader'), scopesOf('Research agent')]).toEqual([
      ['*:write', 'mcp'],
      ['*:write', 'mcp'],
    ]);
    const written = await admin.service.send('POST /api/v1/admin/cms/articles', {
      headers: { Authorization: `Bearer ${secret}` },
      body: { title: 'Found by an agent' },
    });
    expect(written.status).toBe(201);
    await page.goto(`/admin/content/articles/${written.json.id}`);
    await page.getByText('Research agent (API token)').waitFor();
  });

  test('nothing that a narrow role is offered is refused', async () => {
    const refused: string[] = [];
    const page = await admin.page({ as: 'cleo', path: '/' });
    const note = (response: { status(): number; url(): string }) => {
      if (response.status() === 403) refused.push(response.url());
    };
    page.on('response', note);
    const main = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await main.filter({ hasText: 'Articles' }).waitFor();
    const links = (await main.allTextContents()).map((text) => text.trim()).filter(Boolean);
    expect(links).toEqual(['Home', 'Articles', 'Notes', 'Media']);
    /** What a screen offers, by its words. */
    const offered = async () =>
      (await page.locator('main').locator('button:visible, a:visible').allTextContents())
        .map((text) => text.trim())
        .filter((text) =>
          /^(new|delete|duplicate|publish|unpublish|schedule|import|export|save|discard|who may)/i.test(text),
        );

    await main.filter({ hasText: 'Articles' }).click();
    await page.getByRole('link', { name: /margins/ }).waitFor();
    expect(await offered()).toEqual([]);
    await page.getByRole('link', { name: /margins/ }).click();
    await page.getByLabel(/^title$/i).waitFor();
    expect(await offered()).toEqual([]);
    expect(await page.getByLabel(/^title$/i).isEditable()).toBe(false);
    expect(await page.getByLabel(/fee/i).count()).toBe(0);

    await main.filter({ hasText: 'Notes' }).click();
    await page
      .getByRole('link', { name: /^New note/i })
      .first()
      .click();
    await page.getByLabel('Text').fill('A note of mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Duplicate', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await page.getByLabel('Text').fill('Another note of mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await becomes(
      async () =>
        (await admin.service.send('GET /api/v1/admin/cms/notes', { as: 'ada' })).json.items.map(
          ({ text }: Readonly<Record<string, unknown>>) => text,
        ),
      ['Another note of mine'],
    );

    await main.filter({ hasText: 'Media' }).click();
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: 'Command palette' });
    await palette.fill('new');
    await page.getByRole('option', { name: /New note/i }).waitFor();
    for (const closed of ['New article', 'New role', 'New user', 'New API token']) {
      expect(await page.getByRole('option', { name: closed }).count()).toBe(0);
    }
    await palette.fill('users');
    await palette.fill('articles');
    await page
      .getByRole('option', { name: /Articles/ })
      .first()
      .waitFor();
    expect(await page.getByRole('option', { name: /Users|API tokens|Settings|Webhooks/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    page.off('response', note);
    expect(refused).toEqual([]);
  });

  test.each([360, 1440])('has nothing against WCAG 2.2 AA, %d px', async (width) => {
    const found: string[] = [];
    for (const path of ['/roles', '/roles/new', '/roles/writer']) {
      const page = await admin.page({ as: 'ada', path, width });
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const issue of await issuesInBothThemes(page)) found.push(`${path}: ${issue}`);
    }
    expect(found).toEqual([]);
  });
});
