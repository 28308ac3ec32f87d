import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { noteType, storyType } from './editor-types.ts';
import { issuesInBothThemes } from './looks.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

const essayType = {
  ...{ name: 'Essay', singular: 'essay', plural: 'essays', protocols: ['timestampable', 'versionable'] },
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true },
    { name: 'body', field_type: 'richtext', label: 'Body' },
  ],
};

describe.skipIf(chromiumPath === undefined)(`the history of a record${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([storyType, noteType, essayType]);
    await admin.account('tom', 'editor');
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = async (line: string, body?: object) => {
    const { status, json, text } = await admin.service.send(line, { as: 'ada', ...(body && { body }) });
    if (status >= 300) throw new Error(text);
    return json;
  };
  const story = async (values: object): Promise<string> => (await send('POST /api/v1/admin/cms/stories', values)).id;
  const read = (id: string) => send(`GET /api/v1/admin/cms/stories/${id}`);
  const heads = async (id: string) =>
    (await send(`GET /api/v1/admin/cms/stories/${id}/revisions`)).items.map(
      ({ action, changed }: { readonly action: string; readonly changed: readonly string[] }) => [action, changed],
    );

  /** Types into a field and rests until it is saved. */
  async function writeAndRest(page: Page, id: string, name: string, text: string): Promise<void> {
    await field(page, name).fill(text);
    // The pause begins with the frame that shows the text.
    await page.clock.runFor(12_000);
    const key = name.toLowerCase();
    await becomes(async () => (await read(id))[key] === text, true);
  }

  test('what is saved by itself in a sitting is one revision, and Save keeps it', async () => {
    const id = await story({ title: 'One' });
    const page = await admin.page({ as: 'ada', path: `/content/stories/${id}`, own: true });
    await page.clock.install();
    await page.reload();
    await field(page, 'Title').waitFor();
    for (const text of ['The', 'The mill', 'The mill at Tomar']) await writeAndRest(page, id, 'Title', text);
    expect(await heads(id)).toEqual([
      ['autosave', ['title']],
      ['create', []],
    ]);
    // Nothing is unsaved, and there is something to keep.
    await button(page, 'Save').click();
    await becomes(async () => (await heads(id))[0][0], 'update');
    await page.locator('button[aria-disabled=true]', { hasText: 'Save' }).waitFor();
    await writeAndRest(page, id, 'Summary', 'Paper, since 1718');
    expect(await heads(id)).toEqual([
      ['autosave', ['summary']],
      ['update', ['title']],
      ['create', []],
    ]);
  });

  test('Save is off while there is nothing to save', async () => {
    const { id } = await send('POST /api/v1/admin/cms/notes', { title: 'Paper' });
    const page = await admin.page({ as: 'ada', path: `/content/notes/${id}` });
    const off = page.locator('button[aria-disabled=true]', { hasText: 'Save' });
    await off.waitFor();
    await page.getByText('No changes').waitFor();
    await field(page, 'Title').fill('Ink');
    await button(page, 'Save').click();
    await off.waitFor();
    expect((await send(`GET /api/v1/admin/cms/notes/${id}`)).title).toBe('Ink');
    // A new record can be saved as it is, and says what it lacks.
    await page.goto('/admin/content/notes/new');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByRole('link', { name: 'Title' }).waitFor();
  });

  test('a revision gets a name', async () => {
    const id = await story({ title: 'One' });
    await send(`PUT /api/v1/admin/cms/stories/${id}`, { title: 'Two' });
    const page = await admin.page({ as: 'ada', path: `/content/stories/${id}` });
    await button(page, 'Revisions').click();
    const history = page.getByRole('region', { name: 'Revisions', exact: true });
    await history.getByRole('button', { name: /^Revision 1/ }).click();
    await history.getByRole('region', { name: 'Revision 1' }).waitFor();
    await history.getByLabel('Name of this revision').fill('As it began');
    await history.getByRole('button', { name: 'Set the name' }).click();
    await history.getByRole('button', { name: /^As it began/ }).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    expect((await send(`GET /api/v1/admin/cms/stories/${id}/revisions/1`)).name).toBe('As it began');
  });

  test('shows texts as they look, by person and sitting, and puts one paragraph back', async () => {
    const paragraphs = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'].map(
      (word) => `<p>${word} is <strong>here</strong>.</p>`,
    );
    const body = paragraphs.join('');
    const { id } = await send('POST /api/v1/admin/cms/essays', { title: 'Paper', body });
    const cut = body.replace('Two is', 'Two was').replace('<p>Eight is <strong>here</strong>.</p>', '');
    await admin.service.send(`PUT /api/v1/admin/cms/essays/${id}`, { as: 'tom', body: { title: 'Cut', body: cut } });
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}` });
    await field(page, 'Body').waitFor();
    await button(page, 'Revisions').click();
    const history = page.getByRole('region', { name: 'Revisions', exact: true });
    const timeline = history.getByRole('list', { name: 'Revisions' });
    await timeline.getByText('tom@example.com', { exact: true }).waitFor();
    await timeline.getByText('You', { exact: true }).waitFor();
    // Formatting is shown, and nothing of it as text.
    await history
      .locator('del')
      .filter({ hasText: /^removed\s*is$/ })
      .waitFor();
    await history
      .locator('ins')
      .filter({ hasText: /^added\s*was$/ })
      .waitFor();
    await history.locator('del strong').filter({ hasText: 'here' }).waitFor();
    expect(await history.getByText('<strong>').count()).toBe(0);
    // What did not change is folded.
    expect(await history.getByText('Four is').count()).toBe(0);
    await button(page, '3 unchanged paragraphs').click();
    await history.getByText('Four is').waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    await history.getByRole('button', { name: /^Revision 1/ }).click();
    await history.getByLabel('Compare with').selectOption('current');
    await button(page, 'Put this paragraph back').last().click();
    await page.getByText('Body is in the form as it was.').waitFor();
    // The other paragraph and the title are what they were.
    await button(page, 'Put this paragraph back').waitFor();
    await button(page, 'Put back Title').click();
    await page.getByText('Title is in the form as it was.').waitFor();
    await page.keyboard.press('Escape');
    await history.waitFor({ state: 'detached' });
    expect(await field(page, 'Title').inputValue()).toBe('Paper');
    // An ordinary change: it can be undone, and the person saves it.
    expect(await send(`GET /api/v1/admin/cms/essays/${id}`)).toMatchObject({ title: 'Cut', body: cut });
    await field(page, 'Title').press('Control+z');
    await becomes(() => field(page, 'Title').inputValue(), 'Cut');
    await button(page, 'Save').click();
    await becomes(
      async () => (await send(`GET /api/v1/admin/cms/essays/${id}`)).body,
      body.replace('Two is', 'Two was'),
    );
    expect((await send(`GET /api/v1/admin/cms/essays/${id}`)).title).toBe('Cut');
  });

  test('stands beside the form, opened by a key, and shows a sitting as one; what is being written stays', async () => {
    const { id } = await send('POST /api/v1/admin/cms/essays', { title: 'One', body: '<p>Ink</p>' });
    const put = (as: string, body: object) => admin.service.send(`PUT /api/v1/admin/cms/essays/${id}`, { as, body });
    await put('tom', { title: 'Two' });
    await put('tom', { body: '<p>Paper</p>' });
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}` });
    await page.setViewportSize({ width: 1440, height: 900 });
    const body = field(page, 'Body');
    await body.click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and glue');
    await page.keyboard.press('Control+Shift+h');
    const history = page.getByRole('region', { name: 'Revisions', exact: true });
    // The last revision, in place of the form.
    await history.locator('ins').filter({ hasText: 'Paper' }).waitFor();
    expect(await history.locator('del').filter({ hasText: 'One' }).count()).toBe(0);
    expect(await body.isVisible()).toBe(false);
    await history.getByRole('button', { name: /^tom@example.com/ }).click();
    await history.getByRole('region', { name: 'Revisions 2 to 3' }).waitFor();
    for (const text of ['One', 'Ink']) await history.locator('del').filter({ hasText: text }).waitFor();
    await page.keyboard.press('Escape');
    await history.waitFor({ state: 'detached' });
    await becomes(() => body.evaluate((element) => element === document.activeElement), true);
    await page.keyboard.type('!');
    await becomes(() => body.textContent(), 'Paper and glue!');
    // Where there is no room beside the form, it lies over the page.
    await page.setViewportSize({ width: 360, height: 800 });
    await page.keyboard.press('Control+Shift+h');
    const over = page.getByRole('dialog', { name: 'Revisions' });
    await over.getByRole('button', { name: /^Revision 1/ }).click();
    await over.getByRole('region', { name: 'Revision 1' }).locator('ins').filter({ hasText: 'One' }).waitFor();
    await page.keyboard.press('Escape');
    await over.waitFor({ state: 'detached' });
    await becomes(() => body.textContent(), 'Paper and glue!');
  });

  test('shows no markup of others as markup', async () => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const { id } = await send('POST /api/v1/admin/cms/essays', {
      title: 'Paper',
      body: `<p>&lt;b&gt; and ${hostile}</p>`,
    });
    await send(`PUT /api/v1/admin/cms/essays/${id}`, { body: '<p><a href="https://example.com/">Ink</a></p>' });
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}` });
    await button(page, 'Revisions').click();
    const history = page.getByRole('region', { name: 'Revisions', exact: true });
    await history.locator('del').filter({ hasText: '<b> and ' }).waitFor();
    expect(await history.locator('img, script, a').count()).toBe(0);
  });

  test('every change of status can be undone, also from another page', async () => {
    const id = await story({ title: 'On paper', status: 'published' });
    const page = await admin.page({ as: 'ada', path: `/content/stories/${id}` });
    const status = (is: string) => becomes(async () => (await read(id)).status, is);
    await button(page, 'Unpublish').click();
    await page.getByText('On paper is no longer published.').first().waitFor();
    await button(page, 'Undo').click();
    await status('published');
    await page.getByText('On paper is published.').first().waitFor();
    await button(page, 'Undo').click();
    await status('draft');
    await page.getByText('On paper is no longer published.').first().waitFor();
    await button(page, 'Publish').click();
    await status('published');
    await page.getByText('On paper is published.').first().waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await button(page, 'Undo').click();
    await status('draft');
  });

  test('an unpublished draft is published as it was, and a draft again', async () => {
    const id = await story({ title: 'On paper', summary: 'Old', status: 'published' });
    await send(`PUT /api/v1/admin/cms/stories/${id}?draft=true`, { summary: 'New' });
    const page = await admin.page({ as: 'ada', path: `/content/stories/${id}` });
    await page.getByText('Has changes that are not published').waitFor();
    await button(page, 'Unpublish').click();
    await page.getByText('On paper is no longer published.').first().waitFor();
    expect(await read(id)).toMatchObject({ status: 'draft', summary: 'New', __draft: null });
    await button(page, 'Undo').click();
    await becomes(async () => {
      const { status, summary, __draft: draft } = await read(id);
      return [status, summary, draft?.changes];
    }, ['published', 'Old', { summary: 'New' }]);
  });
});
