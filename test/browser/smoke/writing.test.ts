import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { Admin } from '../admin.ts';
import { chromiumPath, skipReason } from '../chromium.ts';
import { noteType, storyType } from '../editor-types.ts';
import { authorType, openForm, saved, thingType } from '../form-page.ts';

// What editors do each day, in a few minutes of a run. The rest of what they do is tested in the folder above.

const articleType = {
  ...{ name: 'Article', singular: 'article', plural: 'articles' },
  protocols: [
    'timestampable',
    'soft_deletable',
    { name: 'statusable', values: ['draft', 'published'], default: 'draft' },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'reads', field_type: 'integer' },
    { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
  ],
};
const things = thingType([
  { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
  { name: 'cover', field_type: 'media' },
  { name: 'gallery', field_type: 'media', multiple: true },
  { name: 'body', field_type: 'richtext', label: 'Body' },
]);

describe.skipIf(chromiumPath === undefined)(`writing${skipReason}`, () => {
  let admin: Admin;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    admin = await Admin.open([articleType, storyType, noteType, authorType, things]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
    for (const name of [...Array.from({ length: 60 }, (_, index) => `Writer ${index}`), 'Ines Ferreira'])
      ids.set(name, (await admin.service.seed('authors', { name })).id);
    for (let number = 1; number <= 30; number += 1) {
      const status = number % 2 === 0 ? 'published' : 'draft';
      const title = `Article ${String(number).padStart(3, '0')}`;
      const author = number % 3 === 0 ? ids.get('Ines Ferreira') : null;
      await admin.service.seed('articles', { title, reads: number, status, author });
    }
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
  const read = async (path: string) => (await admin.service.send(`GET /api/v1/admin/cms/${path}`, { as: 'ada' })).json;

  describe('a list', () => {
    const open = (path: string): Promise<Page> => admin.page({ as: 'ada', path: `/content/${path}` });
    const tableOf = (page: Page): Locator => page.getByRole('table', { name: 'Articles', exact: true });
    /** The titles of the rows, once they begin with these. */
    async function expectTitles(table: Locator, ...titles: readonly string[]): Promise<void> {
      await table
        .locator('tbody tr')
        .first()
        .getByText(titles[0] ?? '', { exact: true })
        .waitFor();
      const found = await table.locator('tbody tr [data-row]').allTextContents();
      expect(found.slice(0, titles.length).map((text) => text.trim())).toEqual([...titles]);
    }
    const addressOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
    const toastOf = (page: Page, text: string): Promise<void> => page.getByText(text).first().waitFor();

    test('is sorted by its headers, and the address and the back button follow', async () => {
      const page = await open('articles');
      const header = page.getByRole('columnheader', { name: 'Reads' });
      await header.getByRole('button').click();
      await expectTitles(tableOf(page), 'Article 001', 'Article 002');
      expect([await header.getAttribute('aria-sort'), addressOf(page).get('sort')]).toEqual(['ascending', 'reads:asc']);
      await header.getByRole('button').click();
      await expectTitles(tableOf(page), 'Article 030');
      await page.goBack();
      await expectTitles(tableOf(page), 'Article 001');
      expect(addressOf(page).get('sort')).toBe('reads:asc');
      await page.reload();
      await expectTitles(tableOf(page), 'Article 001', 'Article 002');
    });

    test('is searched, by keyboard, and says when nothing is found', async () => {
      const page = await open('articles');
      await tableOf(page).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('022');
      await expectTitles(tableOf(page), 'Article 022');
      expect(addressOf(page).get('search')).toBe('022');
      await page.getByRole('searchbox', { name: 'Search' }).fill('no such words');
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      await button(page, 'Clear filters').click();
      await expectTitles(tableOf(page), 'Article 030');
      expect(addressOf(page).size).toBe(0);
    });

    test('is filtered by clicks, whose text stands in the address and can be edited', async () => {
      const page = await open('articles');
      await button(page, 'Filter').click();
      await button(page, 'Add condition').click();
      await page.getByLabel('Field').selectOption('Reads');
      await page.getByLabel('Operator').selectOption('is at least');
      await page.getByLabel('Value').fill('28');
      await button(page, 'Add condition').click();
      await page.getByLabel('Field').nth(1).selectOption('Status');
      await page.getByRole('checkbox', { name: 'draft' }).check();
      await button(page, 'Apply').click();
      await expectTitles(tableOf(page), 'Article 029');
      expect(await tableOf(page).locator('tbody tr').count()).toBe(1);
      expect(addressOf(page).get('filter')).toBe('reads >= 28 && status in ["draft"]');
      await page.getByText('Reads is at least 28').waitFor();
      await button(page, 'Filter').click();
      await button(page, 'Edit as text').click();
      const text = page.getByLabel('Filter text');
      expect(await text.inputValue()).toBe('reads >= 28 && status in ["draft"]');
      await text.fill('author.name ~ "Ines%" && reads < 7 && title:lower != "x"');
      await button(page, 'Apply').click();
      await expectTitles(tableOf(page), 'Article 006', 'Article 003');
      // What the builder cannot show is kept.
      await page.getByRole('button', { name: 'Remove filter: Reads is less than 7' }).click();
      await expectTitles(tableOf(page), 'Article 030');
      expect(addressOf(page).get('filter')).toBe('author.name ~ "Ines%" && title:lower != "x"');
      await page.goBack();
      await expectTitles(tableOf(page), 'Article 006');
    });

    test('publishes what is selected, and gives each record its status back', async () => {
      const page = await open('articles?sort=reads:asc');
      const table = tableOf(page);
      await expectTitles(table, 'Article 001');
      await table.getByRole('checkbox', { name: 'Select Article 001' }).check();
      await table.getByRole('checkbox', { name: 'Select Article 004' }).click({ modifiers: ['Shift'] });
      await page.getByText('4 selected').waitFor();
      await button(page, 'Publish').click();
      await toastOf(page, '4 records published.');
      await table
        .getByRole('row', { name: /Article 003/ })
        .getByText('published')
        .waitFor();
      await button(page, 'Undo').click();
      await toastOf(page, 'Undone.');
      await table
        .getByRole('row', { name: /Article 003/ })
        .getByText('draft')
        .waitFor();
      await table
        .getByRole('row', { name: /Article 004/ })
        .getByText('published')
        .waitFor();
    });
  });

  describe('the editor', () => {
    const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
    /** The state of saving. */
    const state = (page: Page, is: string) => page.locator(`[data-state="${is}"]`);
    const note = (values: Readonly<Record<string, unknown>>): Promise<{ readonly id: string }> =>
      admin.service.seed('notes', values);
    const open = (path: string): Promise<Page> => admin.page({ as: 'ada', path: `/content/${path}` });

    test('creates a record, which then has an address, without taking the focus', async () => {
      const page = await open('notes/new');
      await page.getByRole('heading', { level: 1, name: 'New Note' }).waitFor();
      // Whoever begins something new types its title at once.
      await field(page, 'Title').and(page.locator(':focus')).waitFor();
      await page.keyboard.type('Paper');
      await page.keyboard.press('Control+s');
      await page
        .getByRole('status')
        .filter({ hasText: /^Saved \d/ })
        .waitFor();
      await page.keyboard.type(' and ink');
      expect(page.url()).toMatch(/\/admin\/content\/notes\/[0-9a-f-]{36}$/);
      expect(await field(page, 'Title').inputValue()).toBe('Paper and ink');
      await button(page, 'Save').click();
      await state(page, 'clean').waitFor();
      const id = page.url().split('/').at(-1);
      expect(await read(`notes/${id}`)).toMatchObject({ title: 'Paper and ink', lock_version: 2 });
      expect(await page.title()).toBe('Paper and ink · Recto');
    });

    test('writes a draft by itself, and publishes it', async () => {
      const { id } = await admin.service.seed('stories', { title: 'On paper', status: 'published' });
      const page = await open(`stories/${id}`);
      await field(page, 'Title').fill('On ink');
      await page
        .getByRole('status')
        .filter({ hasText: /^Saved/ })
        .waitFor();
      expect(await read(`stories/${id}`)).toMatchObject({
        title: 'On paper',
        __draft: { changes: { title: 'On ink' } },
      });
      await page.getByText('Has changes that are not published').waitFor();
      await page.reload();
      expect(await field(page, 'Title').inputValue()).toBe('On ink');
      await field(page, 'Summary').fill('Black on white.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('On ink is published.').waitFor();
      expect(await read(`stories/${id}`)).toMatchObject({ title: 'On ink', summary: 'Black on white.', __draft: null });
      await button(page, 'Unpublish').click();
      await page.getByText('On ink is no longer published.').waitFor();
      expect((await read(`stories/${id}`)).status).toBe('draft');
      await button(page, 'Publish').click();
      await page.getByText('On ink is published.').nth(0).waitFor();
      await field(page, 'Title').fill('On glue');
      await page.getByText('Has changes that are not published').waitFor();
      await button(page, 'Discard changes').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await page.getByText('Has changes that are not published').waitFor({ state: 'hidden' });
      expect(await field(page, 'Title').inputValue()).toBe('On ink');
      expect((await read(`stories/${id}`)).__draft).toBeNull();
    });

    test('merges what another changed, and asks where both changed the same', async () => {
      const { id } = await note({ title: 'Paper', text: 'White' });
      const page = await open(`notes/${id}`);
      await field(page, 'Title').fill('Mine');
      const put = async (body: object): Promise<void> => {
        const { lock_version } = await read(`notes/${id}`);
        const reply = await admin.service.send(`PUT /api/v1/admin/cms/notes/${id}`, {
          as: 'edith',
          body: { ...body, lock_version },
        });
        expect(reply.status).toBe(200);
      };
      await put({ text: 'Black' });
      await button(page, 'Save').click();
      await page
        .getByRole('status')
        .filter({ hasText: /^Saved/ })
        .waitFor();
      expect(await read(`notes/${id}`)).toMatchObject({ title: 'Mine', text: 'Black' });
      expect(await field(page, 'Text').inputValue()).toBe('Black');

      await field(page, 'Title').fill('Mine again');
      await field(page, 'Text').fill('Grey');
      await put({ title: 'Theirs', text: 'Red' });
      await button(page, 'Save').click();
      const dialog = page.getByRole('dialog', { name: 'Conflict' });
      await dialog.getByRole('group', { name: 'Title' }).getByRole('button', { name: 'Keep mine' }).click();
      await dialog.getByRole('group', { name: 'Text' }).getByRole('button', { name: 'Keep theirs' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await state(page, 'clean').waitFor();
      expect(await read(`notes/${id}`)).toMatchObject({ title: 'Mine again', text: 'Red' });
    });

    test('is used without a mouse', async () => {
      const page = await admin.page({ as: 'ada', path: '/content/stories/new' });
      const press = (key: string): Promise<void> => page.keyboard.press(key);
      /** Goes on with Tab until a control has the focus, as somebody without a mouse does. */
      const tabTo = async (
        name: string | RegExp,
        role: 'button' | 'textbox' | 'combobox' = 'button',
      ): Promise<void> => {
        const wanted = page.getByRole(role, { name, exact: true });
        await wanted.first().waitFor();
        for (let steps = 0; steps < 80; steps++) {
          if ((await page.locator(':focus').and(wanted).count()) > 0) return;
          await press('Tab');
        }
        throw new Error(`${name} cannot be reached by Tab.`);
      };
      await page.getByRole('heading', { level: 1 }).waitFor();
      // Write and save.
      await tabTo('Title', 'textbox');
      await page.keyboard.type('Written by keyboard');
      await press('Control+s');
      await page
        .getByRole('status')
        .filter({ hasText: /^Saved/ })
        .waitFor();
      // The focus is where it was.
      await page.keyboard.type('!');
      await press('Control+Enter');
      await page.getByText('Written by keyboard! is published.').waitFor();
      // Another save, a revision, and the way back to it.
      await tabTo('Summary', 'textbox');
      await page.keyboard.type('Draft');
      await page.getByText('Has changes that are not published').waitFor();
      await tabTo('Revisions');
      await press('Enter');
      const revisions = page.getByRole('region', { name: 'Revisions', exact: true });
      await revisions.getByRole('button', { name: /^Revision 1/ }).waitFor();
      await press('Escape');
      await revisions.waitFor({ state: 'hidden' });
      // The focus returns to what opened the dialog.
      await page.getByRole('button', { name: 'Revisions' }).and(page.locator(':focus')).waitFor();
      await tabTo('Discard changes');
      await press('Enter');
      // The button that opened it has the same name.
      await page.getByRole('dialog').locator(':focus').waitFor();
      await tabTo('Discard changes');
      await press('Enter');
      await page.getByText('Has changes that are not published').waitFor({ state: 'hidden' });
      await tabTo('Unpublish');
      await press('Enter');
      await page.getByText('Written by keyboard! is no longer published.').waitFor();
      await tabTo('Schedule');
      await press('Enter');
      const schedule = page.getByRole('dialog', { name: 'Schedule' });
      await schedule.locator(':focus').waitFor();
      await press('Escape');
      await schedule.waitFor({ state: 'detached' });
      // A conflict.
      const id = page.url().split('/').at(-1);
      await tabTo('Title', 'textbox');
      await press('End');
      await page.keyboard.type('?');
      await admin.service.send(`PUT /api/v1/admin/cms/stories/${id}`, { as: 'edith', body: { title: 'Theirs' } });
      await press('Control+s');
      await page.getByRole('dialog', { name: 'Conflict' }).waitFor();
      await tabTo('Keep theirs');
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
      // Delete.
      await tabTo('Delete');
      await press('Enter');
      // The button that opened it has the same name.
      await page.getByRole('dialog').locator(':focus').waitFor();
      await tabTo('Delete');
      await press('Enter');
      await page.waitForURL(/content\/stories$/);
    }, 600_000);
  });

  describe('fields', () => {
    const body = (page: Page): Locator => page.getByRole('textbox', { name: 'Body', exact: true });
    const tool = (page: Page, name: string): Locator =>
      page
        .locator('[data-path="body"]')
        .getByRole('toolbar', { name: 'Formatting' })
        .getByRole('button', { name, exact: true });
    const field = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
    const picture = (colour: string): Promise<Buffer> =>
      sharp({ create: { width: 64, height: 48, channels: 3, background: colour } })
        .png()
        .toBuffer();

    async function uploaded(name: string, colour: string): Promise<void> {
      const { status, text } = await admin.service.send(`POST /api/v1/media?name=${name}`, {
        as: 'ada',
        headers: { 'Content-Type': 'image/png' },
        body: new Uint8Array(await picture(colour)),
      });
      if (status !== 201) throw new Error(text);
    }

    async function choose(page: Page, name: string, file: { readonly name: string; readonly colour: string }) {
      const chooser = page.waitForEvent('filechooser');
      await field(page, name).getByRole('button', { name: 'Upload' }).click();
      const { name: fileName, colour } = file;
      await (await chooser).setFiles({ name: fileName, mimeType: 'image/png', buffer: await picture(colour) });
    }

    const recordOf = async (id: string) =>
      (await admin.service.send(`GET /api/v1/admin/media/${id}`, { as: 'ada' })).json;

    test('formats by buttons and keys, and is stored as the editor shows it', async () => {
      const page = await openForm(admin);
      await body(page).click();
      await page.getByLabel('Text style').first().selectOption('Heading 2');
      await page.keyboard.type('Head');
      await page.keyboard.press('Enter');
      await tool(page, 'Bold').click();
      await page.keyboard.type('strong');
      await page.keyboard.press('Control+b');
      await page.keyboard.type(' & <i>no markup</i> ');
      await page.keyboard.press('Control+i');
      await page.keyboard.type('soft');
      await tool(page, 'Italic').and(page.locator('[aria-pressed="true"]')).waitFor();
      await page.keyboard.press('Enter');
      await tool(page, 'Bulleted list').click();
      await page.keyboard.type('item');
      expect((await saved(admin, page)).body).toBe(
        '<h2>Head</h2><p><strong>strong</strong> &amp; &lt;i&gt;no markup&lt;/i&gt; <em>soft</em></p><ul><li><p>item</p></li></ul>',
      );
    });

    test('the service searches, and the title is what is shown', async () => {
      const page = await openForm(admin);
      const author = page.getByRole('combobox', { name: 'Author', exact: true });
      const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('search') === 'ines fer');
      // The styles of rich text are options, too.
      const options = page.getByRole('listbox').getByRole('option');
      await author.click();
      await options.first().waitFor();
      expect(await options.count()).toBe(20);
      await author.fill('ines fer');
      await asked;
      await page.getByRole('option', { name: 'Ines Ferreira' }).waitFor();
      await page.getByRole('option', { name: 'Writer 1', exact: true }).waitFor({ state: 'detached' });
      expect(await options.count()).toBe(1);
      await author.press('Enter');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
      expect(await author.inputValue()).toBe('Ines Ferreira');
      const record = await saved(admin, page);
      expect(record.author).toBe(ids.get('Ines Ferreira'));

      await page.goto(`/admin/content/things/${record.id}`);
      await page.getByRole('link', { name: 'Open Ines Ferreira' }).waitFor();
      expect(await author.inputValue()).toBe('Ines Ferreira');
      expect(await page.getByRole('link', { name: 'Open Ines Ferreira' }).getAttribute('href')).toBe(
        `/admin/content/authors/${ids.get('Ines Ferreira')}`,
      );
    });

    test('uploaded, with the name as text, then its alternative text and focal point by keyboard', async () => {
      const name = 'harbour & {{1}}.png';
      const page = await openForm(admin);
      await choose(page, 'Cover', { name, colour: 'navy' });
      await field(page, 'Cover').getByText(name).waitFor();
      await field(page, 'Cover').getByText('64 × 48').waitFor();
      await field(page, 'Cover').getByText('No alternative text').waitFor();
      await field(page, 'Cover')
        .getByRole('button', { name: `Details of ${name}` })
        .press('Enter');
      const dialog = page.getByRole('dialog', { name: `Details of ${name}` });
      await dialog.getByLabel('Alternative text').fill('The harbour at night');
      await dialog.getByRole('button', { name: 'Focal point' }).focus();
      for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'ArrowRight', 'Shift+ArrowUp'])
        await page.keyboard.press(key);
      await dialog.getByText('71 % from the left, 40 % from the top').waitFor();
      await dialog.getByRole('button', { name: 'Save details' }).click();
      await dialog.waitFor({ state: 'detached' });
      await field(page, 'Cover').getByText('Alternative text: The harbour at night').waitFor();
      const { cover } = await saved(admin, page);
      expect(await recordOf(cover.id)).toMatchObject({ alt: 'The harbour at night', focal_x: 0.71, focal_y: 0.4 });
    });

    test('chosen from the library, which the service searches', async () => {
      for (const name of ['first.png', 'second.png', 'third.png']) await uploaded(name, 'green');
      const page = await openForm(admin);
      await field(page, 'Gallery').getByRole('button', { name: 'Choose from library' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose a file: gallery' });
      await dialog.getByRole('button', { name: 'first.png' }).click();
      const asked = page.waitForRequest((request) => /admin\/media\?.*search=second/.test(request.url()));
      await dialog.getByLabel('Search files').fill('second');
      await asked;
      await dialog.getByRole('button', { name: 'third.png' }).waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'second.png' }).click();
      await dialog.getByRole('button', { name: 'Add 2 files' }).click();
      await field(page, 'Gallery').getByRole('button', { name: 'Move second.png: drag' }).press('Alt+ArrowUp');
      const { gallery } = await saved(admin, page);
      expect(gallery.map((file: { readonly name: string }) => file.name)).toEqual(['second.png', 'first.png']);
    });
  });

  describe('comments', () => {
    const item = (page: Page, name: string) => page.getByRole('article', { name: `Comment by ${name}` });
    const status = async (id: string | undefined): Promise<string> =>
      (await admin.service.send(`GET /api/v1/admin/comments?id=${id}`, { as: 'ada' })).json.items[0]?.status;
    const open = (path: string): Promise<Page> => admin.page({ as: 'ada', path });
    /** A post with comments by these names. */
    async function post(names: readonly string[]) {
      const made = await admin.service.send('POST /api/v1/posts', {
        as: 'ada',
        body: { title: 'Margins', slug: 'margins', status: 'Published', content: '<p>White.</p>' },
      });
      const ids: Record<string, string> = {};
      for (const nickname of names) {
        const body = { content: `What ${nickname} says.`, nickname };
        const { json, text } = await admin.service.send('POST /api/v1/posts/margins/comments', { body });
        if (json?.id === undefined) throw new Error(text);
        ids[nickname] = json.id;
      }
      return { id: made.json.id, ids };
    }
    test('by buttons, several at once, and with the way back', async () => {
      const { id, ids } = await post(['Ann', 'Ben', 'Cid']);
      const page = await open(`/comments?post=${id}`);
      await page.getByRole('checkbox', { name: 'Select the comment by Ann' }).check();
      await page.getByRole('checkbox', { name: 'Select the comment by Cid' }).click({ modifiers: ['Shift'] });
      const bar = page.getByRole('toolbar', { name: '3 comments selected' });
      await bar.getByRole('button', { name: 'Spam' }).click();
      await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
      expect(await status(ids.Ben)).toBe('Spam');
      await page.getByRole('button', { name: 'Undo' }).click();
      await item(page, 'Ben').waitFor();
      expect(await status(ids.Ben)).toBe('Pending');
      await item(page, 'Ben').getByRole('button', { name: 'Approve' }).click();
      await item(page, 'Ben').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'All 3' }).click();
      // Where all are shown, a comment stays, with its new status.
      await item(page, 'Ben').getByText('Approved').waitFor();
      await item(page, 'Ben').getByRole('button', { name: 'Mark as pending' }).click();
      await item(page, 'Ben').getByText('Pending', { exact: true }).waitFor();
      expect(await status(ids.Ben)).toBe('Pending');
    });
  });
});
