import { expect } from 'bun:test';
import { emailOf, passwordOfTests } from '../admin.ts';
import { Desk, hasFocus, heading, rowOf, withoutMouse } from './keyboard-tasks.ts';

const article = {
  ...{ name: 'Article', singular: 'article', plural: 'articles' },
  fields: [{ name: 'title', field_type: 'text', required: true }],
};

async function open(): Promise<Desk> {
  const desk = await Desk.open([article]);
  for (const title of ['Article 41', 'Article 42', 'Article 43']) await desk.admin.service.seed('articles', { title });
  return desk;
}

withoutMouse('on the pages of the admin', open, (desk) => [
  {
    name: 'sign in',
    isSignedOut: true,
    async run(keys, page) {
      await keys.fill('Email', emailOf('ada'));
      await keys.fill('Password', passwordOfTests);
      await keys.press('Enter');
      await heading(page, 'Home');
    },
  },
  {
    name: 'sign out',
    async run(keys, page) {
      await keys.menu(/^Account of/);
      await keys.press('End', 'Enter');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    },
  },
  {
    name: 'skip the navigation',
    async run(keys, page) {
      await heading(page, 'Home');
      await keys.press('Tab', 'Enter');
      await hasFocus(page, page.locator('#main'));
    },
  },
  {
    name: 'go to a page by letters',
    async run(keys, page) {
      await heading(page, 'Home');
      await keys.pair('g', 'u');
      await heading(page, 'Users');
    },
  },
  {
    name: 'find a record in the command palette',
    async run(keys, page) {
      await heading(page, 'Home');
      await keys.press('Control+k');
      await keys.type('Article 42');
      await page.getByRole('option', { name: /^Article 42/, selected: true }).waitFor();
      await keys.press('Enter');
      await heading(page, 'Article 42');
    },
  },
  {
    name: 'choose the dark theme',
    async run(keys, page) {
      await keys.menu(/^Account of/);
      // What begins with it: the letters of a word count together for a second.
      await keys.pair('d', 'a');
      await page.getByRole('menuitemradio', { name: 'Dark' }).and(page.locator(':focus')).waitFor();
      await keys.press('Enter');
      await page.locator('html[data-theme="dark"]').waitFor();
    },
  },
  {
    name: 'read the list of keys',
    async run(keys, page) {
      await heading(page, 'Home');
      await keys.press('?');
      await page.getByRole('dialog').waitFor();
      await keys.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'add a content type with two fields, and a record of it',
    at: '/types/new',
    async run(keys, page) {
      await keys.fill('Name', 'Recipe');
      await keys.menu('Add field');
      await page.getByRole('menuitem', { name: 'Text', exact: true }).and(page.locator(':focus')).waitFor();
      await keys.press('Enter');
      await page.getByLabel(/^Field name/).waitFor();
      await keys.fill(/^Field name/, 'title');
      await keys.menu('Add field');
      await keys.press('w');
      await page.getByRole('menuitem', { name: 'Whole number', exact: true }).and(page.locator(':focus')).waitFor();
      await keys.press('Enter');
      // That of the new field.
      await page
        .getByLabel(/^Field name/)
        .and(page.locator(':focus'))
        .waitFor();
      await keys.fill(/^Field name/, 'portions');
      await keys.button(/^(?:Create|Apply)/, page.getByRole('region', { name: 'What will happen' }));
      await keys.button(/^(?:Create|Apply)/, page.getByRole('dialog'));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { definition } = await desk().send('GET /api/v1/admin/content-types/recipe');
      expect(definition.fields).toEqual([
        { name: 'title', field_type: 'text' },
        { name: 'portions', field_type: 'integer' },
      ]);
      await heading(page, 'Recipe');
      await keys.link('Open the records');
      await heading(page, 'Recipes');
      await keys.press('n');
      // The focus is in the title of the new record.
      await page.getByLabel('Title', { exact: true }).and(page.locator(':focus')).waitFor();
      await keys.type('Bread');
      await keys.fill('Portions', '4');
      await keys.press('Control+s');
      await page
        .getByText(/^Saved/)
        .first()
        .waitFor();
      const { items } = await desk().send('GET /api/v1/admin/cms/recipes');
      expect(items).toMatchObject([{ title: 'Bread', portions: 4 }]);
    },
  },
  {
    name: 'create an API token',
    at: '/api-tokens',
    async run(keys, page) {
      await keys.button('New API token');
      await keys.fill(/^Name/, 'For keys');
      await keys.button('Create token');
      await keys.button('Done', page.getByRole('dialog', { name: 'API token "For keys"' }));
      await rowOf(page, 'For keys').waitFor();
    },
  },
  {
    name: 'create a user',
    at: '/users',
    async run(keys, page) {
      await keys.link('New user');
      await heading(page, 'New user');
      await keys.fill(/^Email/, 'key@example.com');
      await keys.fill(/^Password/, 'battery staple');
      await keys.press('Enter');
      await heading(page, 'key@example.com');
    },
  },
  {
    name: 'upload a file into the library',
    at: '/media',
    async run(keys, page) {
      const chosen = page.waitForEvent('filechooser');
      await keys.button(/^Upload/);
      await (await chosen).setFiles({ name: 'library.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
      await page.getByText('library.txt').first().waitFor();
    },
  },
]);
