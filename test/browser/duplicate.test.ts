import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';

const text = (name: string) => ({ name, field_type: 'text', required: true });
const book = { singular: 'book', plural: 'books', name: 'Book', fields: [text('title')] };
const chapter = {
  ...{ singular: 'chapter', plural: 'chapters', name: 'Chapter' },
  fields: [
    text('title'),
    {
      ...{ name: 'book', field_type: 'relation' },
      relation: { relation_type: 'many_to_one', target: 'books', cascade: true },
    },
  ],
};

describe.skipIf(skipsLooks)(`a record with what belongs to it${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([book, chapter]);
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('is duplicated by one button, and the copy opens', async () => {
    const { id } = await admin.service.seed('books', { title: 'Paper' });
    for (const title of ['One', 'Two']) await admin.service.seed('chapters', { title, book: id });
    const page = await admin.page({ as: 'ada', path: `/content/books/${id}` });
    await page.getByRole('button', { name: 'Duplicate with what belongs to it' }).click();
    const dialog = page.getByRole('alertdialog', { name: /Duplicate “Paper”/ }).or(page.getByRole('dialog'));
    await dialog.getByText('Copied as well: Chapters.').waitFor();
    await dialog.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await page.getByText('Paper is copied, with 2 other records.').waitFor();
    await page.waitForURL((url) => /books\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(id));
    const copy = new URL(page.url()).pathname.split('/').at(-1);
    const { json } = await admin.service.send(`GET /api/v1/admin/cms/chapters?book=${copy}`, { as: 'ada' });
    expect(json.total).toBe(2);
    // Nothing belongs to a chapter.
    const chapterPage = await admin.page({ as: 'ada', path: `/content/chapters/${json.items[0].id}` });
    await chapterPage.getByRole('button', { name: 'Duplicate', exact: true }).waitFor();
    expect(await chapterPage.getByRole('button', { name: /belongs to it/ }).count()).toBe(0);
  });
});
