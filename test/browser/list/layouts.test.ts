import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page, Response } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { issuesInBothThemes } from '../looks.ts';
import { picture, placeFiles } from '../media-library.ts';
import { article, author, button, expectTitles, openLists, tableOf } from './lists.ts';

/** A type with names of its own for its statuses, whose records say who made them. */
const film = {
  ...{ name: 'Film', singular: 'film', plural: 'films' },
  protocols: ['ownable', { name: 'statusable', values: ['draft', 'published'], value_labels: { draft: 'In the lab' } }],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'still', field_type: 'media' },
  ],
  admin: { list_columns: ['title', 'status', 'created_by'] },
};

describe.skipIf(skipsLooks)(`the layouts of a list${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openLists([author, article, film]);
    for (const [title, status] of [
      ['Ink', 'published'],
      ['Lead', 'draft'],
      ['Paper', 'published'],
    ] as const)
      await admin.service.seed('articles', { title, status });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  /** Chooses what the list looks like, and waits until the service has it. */
  async function choose(page: Page, name: 'Layout' | 'Density', label: string): Promise<void> {
    await button(page, 'Columns').click();
    const isKept = (response: Response) => response.url().includes('/preferences/list') && response.ok();
    const kept = page.waitForResponse((response) => response.request().method() === 'PUT' && isKept(response));
    await page.getByRole('combobox', { name }).selectOption({ label });
    await kept;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Columns' }).waitFor({ state: 'detached' });
  }

  test('all records under the filter are exported with the columns that are shown', async () => {
    const page = await admin.page({
      as: 'ada',
      path: `/content/articles?filter=${encodeURIComponent('status = "published"')}&columns=title,status`,
    });
    await expectTitles(tableOf(page), 'Paper', 'Ink');
    await button(page, 'Columns').click();
    const download = page.waitForEvent('download');
    await button(page, 'Export CSV').click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('articles.csv');
    const [head, ...rows] = (await Bun.file(await saved.path()).text()).trim().split('\r\n');
    expect(head).toBe('id,title,status');
    expect(rows.map((row) => row.replace(/^[^,]*,/, ''))).toEqual(['Paper,published', 'Ink,published']);
  });

  test('rows stand close or far, as the person has chosen, also after coming back', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/articles' });
    await expectTitles(tableOf(page), 'Paper', 'Lead', 'Ink');
    const height = async (): Promise<number> => (await page.locator('tbody tr').first().boundingBox())?.height ?? 0;
    const heights: number[] = [];
    for (const label of ['Compact', 'Normal', 'Roomy']) {
      await choose(page, 'Density', label);
      heights.push(await height());
    }
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    expect(new Set(heights).size).toBe(3);
    await page.reload();
    await expectTitles(tableOf(page), 'Paper', 'Lead', 'Ink');
    await becomes(height, heights[2]);
    await choose(page, 'Density', 'Normal');
  });

  test('a title has weight, and what is beside it is grey', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/articles' });
    await expectTitles(tableOf(page), 'Paper', 'Lead', 'Ink');
    const looks = await page
      .locator('tbody tr')
      .first()
      .evaluate((row) => {
        const title = getComputedStyle(row.querySelector('[data-row]') as Element);
        const time = getComputedStyle(row.querySelector('time') as Element);
        return { weight: title.fontWeight, sameColour: title.color === time.color };
      });
    expect(looks).toEqual({ weight: '600', sameColour: false });
  });

  test('a board and cards call statuses and accounts as the table does', async () => {
    const body = { title: 'The cutter' };
    await admin.service.send('POST /api/v1/admin/cms/films', { as: 'eve', body });
    const page = await admin.page({ as: 'ada', path: '/content/films' });
    await tableOf(page, 'Films')
      .getByRole('row', { name: /In the lab.*eve/ })
      .waitFor();
    await choose(page, 'Layout', 'Board');
    const column = page.getByRole('list', { name: 'In the lab', exact: true });
    await column
      .getByRole('listitem')
      .filter({ hasText: /The cutter.*eve/s })
      .waitFor();
    await choose(page, 'Layout', 'Cards');
    await page
      .getByRole('list', { name: 'Films' })
      .getByRole('listitem')
      .filter({ hasText: /In the lab.*eve/s })
      .waitFor();
    await choose(page, 'Layout', 'Table');
  });

  test('a card of a board gets another status by dragging and by keys, which can be taken back', async () => {
    for (let number = 1; number <= 30; number += 1)
      await admin.service.seed('films', { title: `Film ${number}`, status: 'published' });
    const page = await admin.page({ as: 'ada', path: '/content/films?size=20' });
    await expectTitles(tableOf(page, 'Films'), 'Film 30');
    await choose(page, 'Layout', 'Board');
    const column = (name: string) => page.getByRole('list', { name, exact: true });
    const card = (name: string, title: string) => column(name).getByRole('link', { name: title, exact: true });
    await card('Published', 'Film 30').waitFor();
    // A card that is drawn anew while it is dragged is dropped.
    await page.waitForLoadState('networkidle');
    await card('Published', 'Film 30').dragTo(page.getByRole('heading', { name: /^In the lab/ }));
    await card('In the lab', 'Film 30').waitFor();
    await page.getByText('Film 30 is now “In the lab”.').waitFor();
    await button(page, 'Undo').click();
    await card('Published', 'Film 30').waitFor();
    await card('Published', 'Film 29').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await card('In the lab', 'Film 29').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('Alt+ArrowRight');
    await card('Published', 'Film 29').and(page.locator(':focus')).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    await choose(page, 'Layout', 'Table');
  });

  test('the first picture of a record stands in its row and on its card', async () => {
    const { 'still.jpg': still } = await placeFiles(admin.service, 'ada', [
      { name: 'still.jpg', bytes: await picture(60, 40, 10) },
    ]);
    await admin.service.send('POST /api/v1/admin/cms/films', { as: 'ada', body: { title: 'With a still', still } });
    const page = await admin.page({ as: 'ada', path: '/content/films' });
    const table = tableOf(page, 'Films');
    await expectTitles(table, 'With a still');
    const [first, second] = [table.locator('tbody tr').nth(0), table.locator('tbody tr').nth(1)];
    expect(await first.locator('img').getAttribute('src')).toContain(`/media/${still}/thumb/`);
    expect(await second.locator('img').count()).toBe(0);
    // The titles stand below each other.
    expect(await second.locator('a .picture').count()).toBe(1);
    await choose(page, 'Layout', 'Cards');
    const shown = page.getByRole('listitem').filter({ hasText: 'With a still' }).locator('img');
    expect(await shown.getAttribute('src')).toContain(`/media/${still}/thumb/`);
    await choose(page, 'Layout', 'Table');
    // No room is kept for pictures where no record that is shown has one.
    await page.goto('/admin/content/films?filter=still%20%3D%20null');
    await expectTitles(table, 'Film 30');
    expect(await table.locator('a .picture').count()).toBe(0);
  });

  test('a board has a column for each status, and is walked and selected in by keyboard', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/articles' });
    await expectTitles(tableOf(page), 'Paper', 'Lead', 'Ink');
    await choose(page, 'Layout', 'Board');
    const column = (name: string) => page.getByRole('list', { name, exact: true });
    await column('Published').getByRole('link', { name: 'Paper' }).waitFor();
    expect(await column('Published').getByRole('link').allTextContents()).toEqual(['Paper', 'Ink']);
    expect(await column('Draft').getByRole('link').allTextContents()).toEqual(['Lead']);
    await column('Draft').getByRole('link', { name: 'Lead' }).focus();
    await page.keyboard.press('ArrowDown');
    await column('Published').getByRole('link', { name: 'Paper' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await choose(page, 'Layout', 'Cards');
    const cards = page.getByRole('list', { name: 'Articles' }).getByRole('link');
    await becomes(() => cards.allTextContents(), ['Paper', 'Lead', 'Ink']);
    await choose(page, 'Layout', 'Table');
    await expectTitles(tableOf(page), 'Paper', 'Lead', 'Ink');
  });
});
