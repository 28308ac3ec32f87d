import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInEveryLook } from './looks.ts';
import { picture, placeFiles, until } from './media-library.ts';

describe.skipIf(skipsLooks)(`alternative texts of pictures${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open();
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterEach(async () => {
    const { items } = (await admin.service.send('GET /api/v1/admin/media?page_size=100', { as: 'ada' })).json;
    for (const { id } of items) await admin.service.send(`DELETE /api/v1/admin/media/${id}`, { as: 'ada' });
    await admin.endTest();
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const open = (path = '/media') => admin.page({ as: 'edith', path });
  const panel = (page: Page) => page.getByRole('region', { name: 'Alternative texts' });
  const field = (page: Page, name: string) => panel(page).getByLabel(`Alternative text of “${name}”`);
  /** Nobody clicks: the field of a picture has the focus when it is shown. */
  const isAt = async (page: Page, name: string): Promise<void> => {
    await field(page, name).waitFor();
    await until(page, "document.activeElement?.tagName === 'TEXTAREA'");
  };
  const alts = async (): Promise<Readonly<Record<string, string | null>>> => {
    const { items } = (await admin.service.send('GET /api/v1/admin/media?page_size=100&sort=name:asc', { as: 'ada' }))
      .json;
    return Object.fromEntries(
      items.map(({ name, alt }: { readonly name: string; readonly alt: string | null }) => [name, alt]),
    );
  };
  const pictures = (names: readonly string[]) =>
    Promise.all(
      names.map(async (name, at) => ({
        name,
        mimeType: 'image/jpeg',
        buffer: Buffer.from(await picture(60, 40, at * 17)),
      })),
    );
  const upload = async (page: Page, names: readonly string[]): Promise<void> =>
    page.getByLabel('Choose files to upload').setInputFiles(await pictures(names));

  test('twenty pictures get their texts by typing and Enter alone, in the order in which they were chosen', async () => {
    const page = await open();
    const names = Array.from({ length: 20 }, (_, at) => `walk-${String(at + 1).padStart(2, '0')}.jpg`);
    await upload(page, names);
    for (const [at, name] of names.entries()) {
      await isAt(page, name);
      await panel(page)
        .getByRole('status')
        .filter({ hasText: `Picture ${at + 1} of 20: ${name}` })
        .waitFor();
      await page.keyboard.type(`Where ${name} was taken`);
      await page.keyboard.press('Enter');
    }
    await page.getByText('All 20 pictures have alternative texts.').waitFor();
    await panel(page).waitFor({ state: 'detached' });
    expect(await alts()).toEqual(Object.fromEntries(names.map((name) => [name, `Where ${name} was taken`])));
    // The focus goes on at the first of them.
    await until(page, "document.activeElement?.textContent?.includes('walk-01.jpg')");
  });

  test('back, decorative, skipped, and closed with Escape: what was typed is saved', async () => {
    const page = await open();
    await upload(page, ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']);
    await isAt(page, 'a.jpg');
    await page.keyboard.type('A harbou');
    await page.keyboard.press('Enter');
    await isAt(page, 'b.jpg');
    await page.keyboard.press('Shift+Enter');
    await isAt(page, 'a.jpg');
    await page.keyboard.type('r');
    await page.keyboard.press('Enter');
    await isAt(page, 'b.jpg');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    // From the box, too.
    await page.keyboard.press('Enter');
    await isAt(page, 'c.jpg');
    await page.keyboard.press('Enter');
    await isAt(page, 'd.jpg');
    await page.keyboard.type('A tram');
    await page.keyboard.press('Escape');
    await page.getByText('3 with an alternative text, 1 without.').waitFor();
    await panel(page).waitFor({ state: 'detached' });
    expect(await alts()).toEqual({ 'a.jpg': 'A harbour', 'b.jpg': '', 'c.jpg': null, 'd.jpg': 'A tram' });
  });

  test('a text that could not be saved stays, and is sent again', async () => {
    const page = await open();
    await upload(page, ['one.jpg', 'two.jpg']);
    await isAt(page, 'one.jpg');
    admin.intercept = (request) =>
      request.method === 'PUT'
        ? Response.json({ code: 'internal', detail: 'It went wrong.', status: 500 }, { status: 500 })
        : undefined;
    await page.keyboard.type('A quay');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('button', { name: 'one.jpg: not saved' }).waitFor();
    await isAt(page, 'two.jpg');
    // Leaving is held up, and leads to the picture that it is about.
    await page.keyboard.press('Escape');
    await isAt(page, 'one.jpg');
    expect(await field(page, 'one.jpg').inputValue()).toBe('A quay');
    await panel(page).getByText('It went wrong.').waitFor();
    admin.intercept = undefined;
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    expect(await alts()).toEqual({ 'one.jpg': 'A quay', 'two.jpg': null });
  });

  test('what somebody else wrote meanwhile is not overwritten; what else they changed is no obstacle', async () => {
    const ids = await placeFiles(admin.service, 'ada', [
      { name: 'mine.jpg', bytes: await picture(60, 40, 10) },
      { name: 'theirs.jpg', bytes: await picture(60, 40, 90) },
    ]);
    const page = await open('/media?alt=missing&order=name');
    await page.getByRole('button', { name: 'Write alternative texts' }).click();
    await isAt(page, 'mine.jpg');
    await page.keyboard.type('Mine');
    const change = (name: string, body: object) =>
      admin.service.send(`PUT /api/v1/admin/media/${ids[name]}`, { as: 'ada', body });
    await change('mine.jpg', { caption: 'A caption' });
    await page.keyboard.press('Enter');
    await isAt(page, 'theirs.jpg');
    await page.keyboard.type('Mine as well');
    await change('theirs.jpg', { alt: 'Theirs' });
    await page.keyboard.press('Escape');
    await panel(page).getByText('Somebody else has written “Theirs” meanwhile. Save again to replace it.').waitFor();
    expect(await field(page, 'theirs.jpg').inputValue()).toBe('Mine as well');
    expect(await alts()).toEqual({ 'mine.jpg': 'Mine', 'theirs.jpg': 'Theirs' });
    await panel(page).getByRole('button', { name: 'Discard changes' }).click();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    expect(await alts()).toEqual({ 'mine.jpg': 'Mine', 'theirs.jpg': 'Theirs' });
  });

  test('pictures without a text have a mark and a filter, decorative ones have none', async () => {
    await placeFiles(admin.service, 'ada', [
      { name: 'missing.jpg', bytes: await picture(60, 40, 10) },
      { name: 'written.jpg', bytes: await picture(60, 40, 50), set: { alt: 'A quay' } },
      { name: 'decorative.jpg', bytes: await picture(60, 40, 90), set: { alt: '' } },
      { name: 'notes.txt', bytes: new TextEncoder().encode('notes') },
    ]);
    const page = await open();
    const files = page.getByRole('list', { name: 'Files' });
    const marked = files.getByRole('listitem').filter({ hasText: 'No alt text' });
    await files.getByText('written.jpg').waitFor();
    expect(await marked.getByRole('button').allTextContents()).toEqual([expect.stringContaining('missing.jpg')]);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Alternative text' }).selectOption('Missing');
    await page.getByRole('status').filter({ hasText: '1 file' }).waitFor();
    expect(new URL(page.url()).search).toBe('?alt=missing');
    await page.getByRole('combobox', { name: 'Alternative text' }).selectOption('Decorative');
    await becomes(() => files.getByRole('listitem').locator('.name').allTextContents(), ['decorative.jpg']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('status').filter({ hasText: '4 files' }).waitFor();

    // The same for those that are selected.
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Write alternative texts' }).click();
    await isAt(page, 'missing.jpg');
    expect(await panel(page).getByRole('listitem').count()).toBe(3);
    expect(await issuesInEveryLook(page)).toEqual([]);
  });
});
