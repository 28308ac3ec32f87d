import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { Admin, emailOf, passwordOfTests } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { noteType, storyType } from './editor-types.ts';
import { authorType, thingType } from './form-page.ts';
import { Keys } from './keys.ts';
import { picture, placeFiles } from './media-library.ts';

// What people do all day, without a mouse. No control is given the focus by the test: `Keys` goes to it as a person does.

const article = {
  ...{ name: 'Article', singular: 'article', plural: 'articles' },
  protocols: ['soft_deletable', { name: 'statusable', values: ['draft', 'published'], default: 'draft' }],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'reads', field_type: 'integer' },
  ],
};

const text = { field_type: 'text', max_length: 100 };
const thing = thingType([
  { name: 'line', ...text },
  { name: 'lines', field_type: 'text' },
  { name: 'contact', field_type: 'email' },
  { name: 'count', field_type: 'integer' },
  { name: 'price', field_type: 'decimal' },
  { name: 'featured', field_type: 'boolean' },
  { name: 'day', field_type: 'date' },
  { name: 'starts_at', field_type: 'datetime' },
  { name: 'opens', field_type: 'time' },
  { name: 'language', field_type: 'enum', enum_values: ['en', 'fr', 'pt'] },
  { name: 'settings', field_type: 'json' },
  { name: 'address', field_type: 'uid' },
  { name: 'notes', field_type: 'richtext', format: 'markdown' },
  { name: 'body', field_type: 'richtext' },
  { name: 'seo', field_type: 'group', fields: [{ name: 'heading', ...text }] },
  { name: 'colours', field_type: 'list', item: text },
  {
    ...{ name: 'parts', field_type: 'blocks', label: 'Parts' },
    blocks: [
      { name: 'text', label: 'Text', fields: [{ name: 'words', ...text }] },
      { name: 'rule', label: 'Rule' },
    ],
  },
  { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
  { name: 'reviewers', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'authors' } },
  { name: 'cover', field_type: 'media' },
]);

interface Task {
  readonly name: string;
  /** Where the person is. Default: home. */
  readonly at?: string;
  /** Nobody is signed in. */
  readonly isSignedOut?: boolean;
  readonly run: (keys: Keys, page: Page) => Promise<void>;
}

/** A field of the type with all of them: how it is filled in, and what the service then has. */
interface Written {
  readonly name: string;
  readonly write: (keys: Keys, page: Page) => Promise<void>;
  readonly value: unknown;
}

// What keys do in the browser does not depend on the database.
describe.skipIf(skipsLooks)(`without a mouse${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([article, storyType, noteType, authorType, thing]);
    await admin.account('ada', 'admin');
    for (let number = 1; number <= 60; number += 1)
      await admin.service.seed('articles', { title: `Article ${String(number).padStart(2, '0')}`, reads: number });
    for (const name of ['Ines Ferreira', 'Tom Okafor']) await admin.service.seed('authors', { name });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = async (line: string, body?: object) => {
    const reply = await admin.service.send(line, body === undefined ? { as: 'ada' } : { as: 'ada', body });
    if (reply.status >= 300) throw new Error(`${line}: ${reply.text}`);
    return reply.json;
  };
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const rowOf = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });
  const isClean = (page: Page) => page.locator('[data-state="clean"]').waitFor();

  const field = (name: string, write: (keys: Keys, page: Page) => Promise<void>, value: unknown): Written => ({
    ...{ name, write, value },
  });
  const typed = (name: string, words: string, value: unknown = words): Written =>
    field(name, (keys) => keys.fill(name, words), value);

  /** A record of its own for a task, opened. */
  const opened = async (page: Page, plural: string, values: Readonly<Record<string, unknown>>): Promise<string> => {
    const { id } = await admin.service.seed(plural, values);
    await page.goto(`/admin/content/${plural}/${id}`);
    await isClean(page);
    return id;
  };

  /** In the order of the form. */
  const fields: readonly Written[] = [
    typed('line', 'one line'),
    field(
      'lines',
      async (keys) => {
        await keys.fill('lines', 'one');
        await keys.press('Enter');
        await keys.type('two');
      },
      'one\ntwo',
    ),
    typed('contact', 'a@example.com'),
    typed('count', '-42', -42),
    typed('price', '12.50', '12.5'),
    field('featured', (keys, page) => keys.use(page.getByLabel('featured'), 'Space'), true),
    // The same in the order of each language.
    typed('day', '02022026', '2026-02-02'),
    field(
      'opens',
      async (keys, page) => {
        await keys.to(page.getByLabel('opens', { exact: true }));
        await keys.type('0815AM');
      },
      '08:15:00',
    ),
    field('language', (keys) => keys.choose('language', 'pt'), 'pt'),
    field(
      'settings',
      async (keys, page) => {
        await keys.to(page.getByLabel('settings', { exact: true }));
        // As pasted: what is typed may be completed.
        await page.keyboard.insertText('{"a": [1, null]}');
      },
      { a: [1, null] },
    ),
    typed('address', 'on-paper'),
    field(
      'notes',
      async (keys, page) => {
        await keys.to(page.getByRole('textbox', { name: 'notes' }));
        await keys.type('words');
      },
      'words',
    ),
    field(
      'body',
      async (keys, page) => {
        await keys.to(page.getByRole('textbox', { name: 'body' }));
        await keys.type('plain ');
        await keys.press('Control+b');
        await keys.type('strong');
      },
      '<p>plain <strong>strong</strong></p>',
    ),
    field('seo', (keys, page) => keys.fill('heading', 'Inside', page.getByRole('group', { name: 'seo' })), {
      heading: 'Inside',
    }),
    field(
      'colours',
      async (keys) => {
        await keys.button('Add to colours');
        await keys.type('red');
        await keys.button('Add to colours');
        await keys.type('blue');
        await keys.button(/^Move up: .*2 of 2/);
      },
      ['blue', 'red'],
    ),
    field(
      'parts',
      async (keys, page) => {
        for (const kind of ['Text', 'Rule', 'Text']) {
          await keys.button('Add to Parts');
          await keys.use(
            page.getByRole('group', { name: 'What to add' }).getByRole('button', { name: kind, exact: true }),
          );
        }
        await keys.type('last');
        await keys.to(page.getByRole('button', { name: 'Move Text, 3 of 3: drag' }), 'Shift+Tab');
        await keys.press('Alt+ArrowUp', 'Alt+ArrowUp');
        await keys.button('Remove Text, 2 of 3');
      },
      [expect.objectContaining({ block: 'text', words: 'last' }), expect.objectContaining({ block: 'rule' })],
    ),
    field(
      'author',
      async (keys, page) => {
        await keys.to(page.getByRole('combobox', { name: 'author' }));
        await keys.type('okafor');
        await page.getByRole('option', { name: 'Tom Okafor' }).waitFor();
        await page.getByRole('option', { name: 'Ines Ferreira' }).waitFor({ state: 'detached' });
        await keys.press('Enter');
        await page.getByRole('link', { name: 'Open Tom Okafor' }).waitFor();
      },
      expect.any(String),
    ),
  ];

  const tasks: readonly Task[] = [
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
        expect(await page.evaluate('document.activeElement.id')).toBe('main');
      },
    },
    {
      name: 'open a list',
      async run(keys, page) {
        await keys.link('Articles', page.getByRole('navigation', { name: 'Main' }));
        await page.getByRole('table', { name: 'Articles' }).waitFor();
      },
    },
    {
      name: 'go to a page by letters',
      async run(keys, page) {
        await heading(page, 'Home');
        await keys.press('g', 'u');
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
        await keys.type('Dark');
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
      name: 'search a list',
      at: '/content/articles',
      async run(keys, page) {
        await rowOf(page, 'Article 60').waitFor();
        await keys.press('/');
        await keys.type('Article 07');
        await rowOf(page, 'Article 60').waitFor({ state: 'detached' });
        await keys.press('ArrowDown', 'Enter');
        await heading(page, 'Article 07');
      },
    },
    {
      name: 'filter a list, and take the filter away',
      at: '/content/articles',
      async run(keys, page) {
        await keys.button('Filter');
        await keys.button('Add condition');
        await keys.choose('Field', 'Reads');
        await keys.choose('Operator', 'is at least');
        await keys.fill('Value', '59');
        await keys.button('Apply');
        await page.getByText('Reads is at least 59').waitFor();
        await rowOf(page, 'Article 58').waitFor({ state: 'detached' });
        await keys.button(/^Remove filter/);
        await rowOf(page, 'Article 58').waitFor();
      },
    },
    {
      name: 'show records of one status',
      at: '/content/articles',
      async run(keys, page) {
        await keys.button(/^Draft/, page.getByRole('navigation', { name: 'By status' }));
        await page.getByText('Status is draft').first().waitFor();
      },
    },
    {
      name: 'choose and order columns',
      at: '/content/articles',
      async run(keys, page) {
        await keys.button('Columns');
        await keys.use(page.getByRole('checkbox', { name: 'ID', exact: true }), 'Space');
        await page.getByRole('columnheader', { name: 'ID' }).waitFor();
        await keys.button('Move ID up');
        await keys.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Columns');
      },
    },
    {
      name: 'sort by a column',
      at: '/content/articles',
      async run(keys, page) {
        await keys.use(page.getByRole('columnheader', { name: 'Reads' }).getByRole('button'));
        await page.locator('th[aria-sort="ascending"]').waitFor();
        await rowOf(page, 'Article 01').waitFor();
      },
    },
    {
      name: 'save a view, and go back to it',
      at: '/content/articles?sort=reads:asc',
      async run(keys, page) {
        await keys.button('Views');
        await keys.fill(/^Name of the view/, 'Least read');
        await keys.press('Enter');
        await page.getByText('The view “Least read” is saved.').first().waitFor();
        await page.goto('/admin/content/articles');
        await rowOf(page, 'Article 60').waitFor();
        await keys.button('Views');
        await keys.button('Least read');
        await rowOf(page, 'Article 01').waitFor();
      },
    },
    {
      name: 'go to the next page of a list',
      at: '/content/articles?size=20&sort=reads:asc',
      async run(keys, page) {
        await rowOf(page, 'Article 01').waitFor();
        await keys.button('Next page');
        await rowOf(page, 'Article 21').waitFor();
      },
    },
    {
      name: 'select records, delete them, and take it back',
      at: '/content/articles?sort=reads:asc',
      async run(keys, page) {
        await rowOf(page, 'Article 01').waitFor();
        await keys.press('ArrowDown', 'Space', 'ArrowDown', 'Space');
        await page.getByText('2 selected').waitFor();
        await keys.button('Delete', page.getByRole('region', { name: 'Actions on the selection' }));
        await page.getByText('2 records deleted.').first().waitFor();
        await keys.button('Undo');
        await page.getByText('Undone.').first().waitFor();
        await rowOf(page, 'Article 01').waitFor();
      },
    },
    {
      name: 'create a record',
      at: '/content/articles',
      async run(keys, page) {
        await rowOf(page, 'Article 60').waitFor();
        await keys.press('n');
        await heading(page, 'New Article');
        await keys.fill('title', 'Made by keys');
        await keys.press('Control+s');
        await page.waitForURL(/articles\/[0-9a-f-]{36}$/);
        await keys.link('Back to the list');
        await rowOf(page, 'Made by keys').waitFor();
      },
    },
    {
      name: 'upload a file into a field',
      at: '/content/things/new',
      async run(keys, page) {
        const chosen = page.waitForEvent('filechooser');
        await keys.button('Upload', page.getByRole('group', { name: 'cover' }));
        await (await chosen).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
        await page.getByText('notes.txt').waitFor();
      },
    },
    {
      name: 'publish a record, and take it back',
      async run(keys, page) {
        const id = await opened(page, 'stories', { title: 'On paper' });
        await keys.press('Control+Enter');
        await page.getByText('On paper is published.').first().waitFor();
        await keys.button('Unpublish');
        await page.getByText('On paper is no longer published.').first().waitFor();
        expect((await send(`GET /api/v1/admin/cms/stories/${id}`)).status).toBe('draft');
      },
    },
    {
      name: 'schedule a record',
      async run(keys, page) {
        const id = await opened(page, 'stories', { title: 'On time' });
        await keys.button('Schedule');
        await keys.to(page.getByLabel('Date and time'));
        await keys.type('02022999');
        await keys.press('ArrowRight');
        await keys.type('1000AM');
        await keys.button('Set the time');
        await page
          .getByText(/gets the status “Published” on/)
          .first()
          .waitFor();
        expect((await send(`GET /api/v1/admin/cms/stories/${id}`)).scheduled_at).toBe('2999-02-02T10:00:00.000Z');
      },
    },
    {
      name: 'write a post with a picture and its alternative text, and schedule it',
      at: '/content/posts/new',
      async run(keys, page) {
        await placeFiles(admin.service, 'ada', [{ name: 'boat.jpg', bytes: await picture(40, 30, 200) }]);
        const hasFocus = (control: Locator) => control.and(page.locator(':focus-visible')).waitFor();
        await keys.fill('Title', 'A boat');
        const content = page.getByRole('textbox', { name: 'Content' });
        await keys.to(content);
        await keys.type('Before ');
        await keys.to(page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button').first(), 'Shift+Tab');
        const image = page.getByRole('button', { name: 'Image', exact: true });
        for (let steps = 0; steps < 20 && !(await image.evaluate((own) => own.matches(':focus'))); steps += 1)
          await keys.press('ArrowRight');
        await keys.press('Enter');
        await keys.button(/boat\.jpg/, page.getByRole('dialog'));
        await hasFocus(page.getByLabel('Alternative text'));
        await keys.type('A boat in the harbour');
        await keys.press('Enter');
        await hasFocus(content);
        await keys.type(' after');
        await keys.button('Schedule');
        const date = page.getByLabel('Date and time');
        await hasFocus(date);
        await keys.type('02022999');
        await keys.press('ArrowRight');
        await keys.type('1000AM');
        await keys.press('Enter');
        await page.getByText(/^A boat gets the status “Published” on/).waitFor();
        await hasFocus(page.getByRole('button', { name: 'Schedule' }));
        const post = await send(`GET /api/v1/admin/posts/${page.url().split('/').at(-1)}`);
        expect(post).toMatchObject({ status: 'Draft', scheduled_at: '2999-02-02T10:00:00.000Z' });
        expect(post.content).toContain('alt="A boat in the harbour"');
        expect(post.content.replace(/<img[^>]*>/, '[]')).toBe('<p>Before [] after</p>');
      },
    },
    {
      name: 'restore a revision',
      async run(keys, page) {
        const { id } = await admin.service.seed('stories', { title: 'Two versions', summary: 'White' });
        await send(`PUT /api/v1/admin/cms/stories/${id}`, { summary: 'Black' });
        await page.goto(`/admin/content/stories/${id}`);
        await keys.button('Revisions');
        const dialog = page.getByRole('dialog', { name: 'Revisions' });
        await keys.button(/^Revision 1/, dialog);
        await keys.button('Restore', dialog);
        await keys.button('Restore', page.getByRole('dialog', { name: /^Restore revision/ }));
        await page.getByText('Revision 1 is restored.').first().waitFor();
        expect(await page.getByLabel('Summary', { exact: true }).inputValue()).toBe('White');
      },
    },
    {
      name: 'resolve a conflict',
      async run(keys, page) {
        const id = await opened(page, 'notes', { title: 'Paper' });
        await keys.fill('Title', 'Mine');
        const { lock_version } = await send(`GET /api/v1/admin/cms/notes/${id}`);
        await send(`PUT /api/v1/admin/cms/notes/${id}`, { title: 'Theirs', lock_version });
        await keys.press('Control+s');
        await keys.button('Keep mine', page.getByRole('dialog', { name: 'Conflict' }));
        await isClean(page);
        expect((await send(`GET /api/v1/admin/cms/notes/${id}`)).title).toBe('Mine');
      },
    },
    {
      name: 'correct what the service refuses',
      at: '/content/notes/new',
      async run(keys, page) {
        await page.getByLabel('Title', { exact: true }).waitFor();
        await keys.press('Control+s');
        // The summary has the focus, and leads to the field.
        await keys.link(/^Title/, page.getByRole('alert'));
        await keys.type('Now it has one');
        await keys.press('Control+s');
        await page.waitForURL(/notes\/[0-9a-f-]{36}$/);
      },
    },
    {
      name: 'leave unsaved changes, and stay after all',
      async run(keys, page) {
        await opened(page, 'notes', { title: 'Paper' });
        await keys.fill('Title', 'Changed');
        await keys.link('Home', page.getByRole('navigation', { name: 'Main' }));
        await keys.button('Keep editing', page.getByRole('dialog', { name: 'Unsaved changes' }));
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Changed');
      },
    },
    {
      name: 'delete a record, and take it back',
      async run(keys, page) {
        const id = await opened(page, 'stories', { title: 'Deleted by keys' });
        await keys.button('Delete');
        await keys.button('Delete', page.getByRole('dialog', { name: 'Delete 1 record?' }));
        await page.waitForURL(/content\/stories$/);
        await keys.button('Undo');
        await page.getByText('Deleted by keys is back.').first().waitFor();
        expect((await send(`GET /api/v1/admin/cms/stories/${id}`)).title).toBe('Deleted by keys');
      },
    },
    {
      name: 'moderate a comment, and answer one',
      async run(keys, page) {
        const { id } = await send('POST /api/v1/posts', { title: 'A post', slug: 'a-post', status: 'Published' });
        for (const nickname of ['Ann', 'Ben']) {
          const body = { content: `What ${nickname} says.`, nickname };
          expect((await admin.service.send('POST /api/v1/posts/a-post/comments', { body })).status).toBe(201);
        }
        await page.goto(`/admin/comments?post=${id}`);
        const ann = page.getByRole('article', { name: 'Comment by Ann' });
        await keys.to(ann);
        await keys.press('a');
        await ann.waitFor({ state: 'detached' });
        await keys.press('r');
        await page.locator('textarea:focus').waitFor();
        await keys.type('Thank you.');
        await keys.press('Control+Enter');
        await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
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
        await keys.type('whole');
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
        const { definition } = await send('GET /api/v1/admin/content-types/recipe');
        expect(definition.fields).toEqual([
          { name: 'title', field_type: 'text' },
          { name: 'portions', field_type: 'integer' },
        ]);
        await heading(page, 'Recipe');
        await keys.link('Open the records');
        await heading(page, 'Recipes');
        await keys.press('n');
        // The focus is in the title of the new record.
        await page.getByLabel('title', { exact: true }).and(page.locator(':focus')).waitFor();
        await keys.type('Bread');
        await keys.fill('portions', '4');
        await keys.press('Control+s');
        await page
          .getByText(/^Saved/)
          .first()
          .waitFor();
        const { items } = await send('GET /api/v1/admin/cms/recipes');
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
  ];

  test('are at least forty tasks', () => expect(tasks.length + fields.length).toBeGreaterThanOrEqual(40));

  test(`fill in ${fields.map(({ name }) => name).join(', ')}`, async () => {
    const page = await admin.page({ as: 'ada', path: '/content/things/new' });
    const keys = new Keys(page);
    for (const { write } of fields) await write(keys, page);
    await keys.press('Control+s');
    await page.waitForURL(/things\/[0-9a-f-]{36}$/);
    await isClean(page);
    const record = await send(`GET /api/v1/admin/cms/things/${page.url().split('/').at(-1)}`);
    for (const { name, value } of fields) expect([name, record[name]]).toEqual([name, value]);
  });

  test.each(tasks.map((task) => [task.name, task] as const))(
    '%s',
    async (_, { at = '/', isSignedOut = false, run }) => {
      const page = await admin.page({ ...(isSignedOut ? {} : { as: 'ada' }), path: at });
      await run(new Keys(page), page);
    },
  );
});
