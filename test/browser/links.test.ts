import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { issuesInBothThemes } from './looks.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const articleType = {
  ...{ singular: 'article', plural: 'articles', name: 'Article', protocols: ['statusable'] },
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true },
    { name: 'slug', field_type: 'uid', target_field: 'title' },
    { name: 'body', field_type: 'richtext', label: 'Body' },
  ],
  api: { get: { filter: 'status = "published"' } },
};

describe.skipIf(chromiumPath === undefined)(`links to records${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([articleType]);
    await admin.account('edith', 'editor');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const article = async (title: string, body = ''): Promise<string> =>
    (await admin.service.seed('articles', { title, body, status: 'published' })).id;
  const linkTo = (id: string) => `<p><a href="/articles/x" data-record="articles/${id}">there</a></p>`;
  const status = async (id: string): Promise<string> =>
    (await admin.service.send(`GET /api/v1/admin/cms/articles/${id}`, { as: 'edith' })).json.status;

  test('a record that others link to is unpublished after a question that names them', async () => {
    const id = await article('On margins');
    for (const title of ['First to link', 'Second to link']) await article(title, linkTo(id));
    const page = await admin.page({ as: 'edith', path: `/content/articles/${id}` });
    await button(page, 'Unpublish').click();
    const dialog = page.getByRole('dialog', { name: 'Unpublish “On margins”?' });
    await dialog.getByText('2 records link here:').waitFor();
    await dialog.getByRole('link', { name: 'First to link (Article)' }).waitFor();
    await dialog.getByRole('link', { name: 'Second to link (Article)' }).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await status(id)).toBe('published');
    await button(page, 'Unpublish').click();
    await dialog.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByText('On margins is no longer published.').first().waitFor();
    expect(await status(id)).toBe('draft');
  });

  test('without links there is no question, and a deletion names them', async () => {
    const id = await article('Alone');
    const page = await admin.page({ as: 'edith', path: `/content/articles/${id}` });
    await button(page, 'Unpublish').click();
    await page.getByText('Alone is no longer published.').first().waitFor();
    expect(await status(id)).toBe('draft');

    await article('Links to it', linkTo(id));
    await button(page, 'Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 record?' });
    await dialog.getByText('One record links here:').waitFor();
    await dialog.getByRole('link', { name: 'Links to it (Article)' }).waitFor();
  });

  test('several that others link to are unpublished after a question too, and others at once', async () => {
    const [left, right] = [await article('Left of two'), await article('Right of two')];
    // One of them links to the other, which goes as well.
    await article('Links to the left', linkTo(left));
    await article('Between', linkTo(right));
    const page = await admin.page({ as: 'edith', path: `/content/articles?search=${encodeURIComponent('of two')}` });
    const unpublish = async () => {
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      const bar = page.getByRole('region', { name: 'Actions on the selection' });
      await bar.getByRole('button', { name: 'Unpublish' }).click();
    };
    await unpublish();
    const dialog = page.getByRole('dialog', { name: 'Unpublish 2 records?' });
    await dialog.getByText('2 records link here:').waitFor();
    await dialog.getByRole('link', { name: 'Links to the left (Article)' }).waitFor();
    await dialog.getByRole('link', { name: 'Between (Article)' }).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await status(left)).toBe('published');
    await page
      .getByRole('region', { name: 'Actions on the selection' })
      .getByRole('button', { name: 'Unpublish' })
      .click();
    await dialog.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByText('2 records unpublished.').first().waitFor();
    expect([await status(left), await status(right)]).toEqual(['draft', 'draft']);
    // Those that nothing links to are unpublished without a question, which could be taken back.
    const lonely = await article('Lonely');
    await page.goto(`/admin/content/articles?search=lonely`);
    await unpublish();
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).waitFor();
    expect(await status(lonely)).toBe('draft');
  });

  test('dead ones are listed, with the way to their records', async () => {
    const id = await article(
      'Broken',
      `${linkTo('01a1fc65-8957-735c-8289-9fdca63e2d00')}<p><a href="/articles/nowhere">x</a></p>`,
    );
    const page = await admin.page({ as: 'edith', path: '/links' });
    const rows = page.getByRole('table', { name: 'Dead links' }).getByRole('row').filter({ hasText: 'Broken' });
    await rows.filter({ hasText: '/articles/nowhere' }).getByText('There is no such record').waitFor();
    expect(await rows.count()).toBe(2);
    expect(await issuesInBothThemes(page)).toEqual([]);
    await rows.first().getByRole('link', { name: 'Broken' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Body' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/admin/content/articles/${id}`);
  });
});
