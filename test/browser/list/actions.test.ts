import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Admin } from '../admin.ts';
import { chromiumPath, skipReason } from '../chromium.ts';
import { closeBy } from '../dialogs.ts';
import {
  article,
  author,
  button,
  expectTitles,
  note,
  openLists,
  seedArticles,
  tableOf,
  toastOf,
  topic,
} from './lists.ts';

const hostile = ['<b>bold</b><img src=x onerror=alert(1)>', '\u202eمقال طويل', 'long '.repeat(40).trim()];

describe.skipIf(chromiumPath === undefined)(`what is done with the records of a list${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openLists([author, article, topic, note]);
    await seedArticles(admin);
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const open = (path: string, as = 'ada', more = {}): Promise<Page> =>
    admin.page({ as, path: `/content/${path}`, ...more });

  test('changes all that match, and takes it back', async () => {
    const page = await open(`articles?filter=${encodeURIComponent('reads <= 60')}`);
    await expectTitles(tableOf(page), 'Article 060');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await button(page, 'Select all 60 that match').click();
    await page.getByText('All 60 that match are selected').waitFor();
    await page
      .getByRole('region', { name: 'Actions on the selection' })
      .getByRole('button', { name: 'Delete' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Delete 60 records?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await toastOf(page, '60 records deleted.');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await button(page, 'Undo').click();
    await toastOf(page, 'Undone.');
    await expectTitles(tableOf(page), 'Article 060');
    const { json } = await admin.service.send('GET /api/v1/admin/cms/articles?page_size=1', { as: 'ada' });
    expect(json.total).toBe(130);
  });

  test('keeps the focus in the list when the selection goes, and its actions in reach of the pointer', async () => {
    for (const name of ['Ink', 'Lead', 'Paper', 'Press', 'Type']) await admin.service.seed('notes', { name });
    // So low that the bar stands over the list.
    const page = await open('notes', 'ada', { height: 420 });
    const table = tableOf(page, 'Notes');
    await expectTitles(table, 'Type', 'Press', 'Paper');
    const focused = (name: string) =>
      table.getByRole('link', { name, exact: true }).and(page.locator(':focus')).waitFor();
    await table.getByRole('checkbox', { name: 'Select Press' }).focus();
    await page.keyboard.press('Space');
    await button(page, 'Clear selection').press('Enter');
    await focused('Press');
    await page.keyboard.press('Space');
    await button(page, 'Delete').press('Enter');
    await page.getByRole('dialog', { name: 'Delete 1 record?' }).getByRole('button', { name: 'Delete' }).press('Enter');
    await toastOf(page, '1 record deleted.');
    await focused('Paper');
    await page.keyboard.press('Space');
    // The bar is loaded when it is first needed.
    await page.waitForFunction(() => {
      const [bar, toasts] = ['Actions on the selection', 'Notifications'].map((name) =>
        document.querySelector(`[aria-label="${name}"]`)?.getBoundingClientRect(),
      );
      return bar !== undefined && toasts !== undefined && toasts.bottom <= bar.top;
    });
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Dismiss' }).press('Enter');
    expect(await page.evaluate(`document.activeElement.matches('button, a, h1')`)).toBe(true);
  });

  test('takes a message with a way back away after its time, also after the way back of another', async () => {
    for (const title of ['Ink', 'Lead']) await admin.service.seed('articles', { title, reads: 2_000 });
    const page = await open(`articles?filter=${encodeURIComponent('reads = 2000')}`, 'ada', { own: true });
    await page.clock.install();
    await page.reload();
    await expectTitles(tableOf(page), 'Lead', 'Ink');
    const publish = async (): Promise<void> => {
      await page.getByRole('checkbox', { name: 'Select Ink' }).check();
      await button(page, 'Publish').click();
      await toastOf(page, '1 record published.');
    };
    await publish();
    await button(page, 'Undo').press('Enter');
    await toastOf(page, 'Undone.');
    await publish();
    const message = page.getByText('1 record published.');
    // The clock of the page stands still in between.
    await page.clock.runFor(20_000);
    await message.waitFor();
    await page.clock.runFor(2_000);
    await message.waitFor({ state: 'detached' });
    expect(await page.getByText('Undone.').count()).toBe(0);
    const { json } = await admin.service.send('GET /api/v1/admin/cms/articles?filter=reads=2000', { as: 'ada' });
    for (const { id } of json.items) {
      await admin.service.send(`DELETE /api/v1/admin/cms/articles/${id}`, { as: 'ada' });
      await admin.service.send(`DELETE /api/v1/admin/cms/articles/${id}/purge`, { as: 'ada' });
    }
  });

  test('sets a field of several records', async () => {
    const page = await open('articles?sort=reads:asc');
    const table = tableOf(page);
    await table.getByRole('checkbox', { name: 'Select Article 005' }).check();
    await table.getByRole('checkbox', { name: 'Select Article 007' }).check();
    await button(page, 'Set a field').click();
    const dialog = page.getByRole('dialog', { name: 'Set a field of 2 records' });
    await dialog.getByLabel('Field').selectOption('Author');
    await dialog.getByRole('combobox', { name: 'Value' }).fill('Ines');
    await page.getByRole('option', { name: 'Ines Ferreira' }).click();
    await dialog.getByRole('button', { name: 'Set' }).click();
    await toastOf(page, '2 records changed.');
    await table
      .getByRole('row', { name: /Article 005/ })
      .getByText('Ines Ferreira')
      .waitFor();
    await button(page, 'Undo').click();
    await toastOf(page, 'Undone.');
    await table
      .getByRole('row', { name: /Article 005/ })
      .getByLabel('is empty')
      .waitFor();
  });

  test('shows deleted records, restores them and removes them for good', async () => {
    for (const title of ['Gone one', 'Gone two']) {
      const { id } = await admin.service.seed('articles', { title, reads: 1_000 });
      await admin.service.send(`DELETE /api/v1/admin/cms/articles/${id}`, { as: 'ada' });
    }
    const page = await open('articles?sort=title:asc');
    await button(page, 'Deleted').click();
    const table = page.getByRole('table', { name: 'Articles' });
    await table.getByRole('checkbox', { name: 'Select Gone one' }).check();
    await button(page, 'Restore').click();
    await toastOf(page, '1 record restored.');
    await table.getByRole('checkbox', { name: 'Select Gone two' }).check();
    await button(page, 'Delete permanently').click();
    await page.getByRole('dialog', { name: 'Delete 1 record permanently?' }).getByRole('button').last().click();
    await toastOf(page, '1 record deleted permanently.');
    await page.getByRole('heading', { name: 'Nothing is deleted' }).waitFor();
    await button(page, 'Back to all').click();
    await expectTitles(tableOf(page), 'Article 001');
    const { json } = await admin.service.send('GET /api/v1/admin/cms/articles?search=gone', { as: 'ada' });
    expect(json.items.map(({ title }: { title: string }) => title)).toEqual(['Gone one']);
    await admin.service.send(`DELETE /api/v1/admin/cms/articles/${json.items[0].id}`, { as: 'ada' });
    await admin.service.send(`DELETE /api/v1/admin/cms/articles/${json.items[0].id}/purge`, { as: 'ada' });
  });

  test('asks before records are deleted that cannot be restored', async () => {
    for (const name of hostile) await admin.service.seed('topics', { name });
    const page = await open('topics', 'eve');
    const table = tableOf(page, 'Topics');
    for (const name of hostile) await table.getByRole('link', { name, exact: true }).waitFor();
    expect(await table.locator('img').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await button(page, 'Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete 3 records?' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await closeBy(dialog, 'Cancel');
    expect(await table.locator('tbody tr').count()).toBe(3);
    await button(page, 'Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No Topics yet' }).waitFor();
    await page.getByText('/api/v1/cms/topics').waitFor();
    expect(await page.getByRole('link', { name: 'New Topic' }).count()).toBe(1);
  });
});
