import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { article, author, button, expectTitles, openLists, section, seedArticles, tableOf } from './lists.ts';

describe.skipIf(skipsLooks)(`a list on a phone${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    const featured = { name: 'featured', field_type: 'boolean' };
    admin = await openLists([author, { ...article, fields: [...article.fields, featured] }, section]);
    await seedArticles(admin);
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const phone = { width: 360, height: 780, hasTouch: true };

  test('has its first record within the first third of the window, below its counts', async () => {
    const words = { en: 'Quick filters', de: 'Schnellfilter', fr: 'Filtres rapides' };
    for (const [language, name] of Object.entries(words)) {
      const page = await admin.page({ as: 'ada', path: '/content/articles', language, ...phone });
      await expectTitles(tableOf(page), 'Article 130');
      await page.locator('nav.tabs .count').first().waitFor();
      const first = await page.locator('tbody tr').first().boundingBox();
      expect(first?.y).toBeLessThanOrEqual(phone.height / 3);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
      // In one line with the counts, and in reach.
      const quick = page.getByRole('group', { name });
      await quick.getByRole('button').last().scrollIntoViewIfNeeded();
      expect((await quick.boundingBox())?.y).toBeLessThan((first?.y ?? 0) - 44);
    }
  });

  test('has the first record of a tree as high, and no words about keys', async () => {
    await admin.service.seed('sections', { title: 'Weaving' });
    const page = await admin.page({ as: 'ada', path: '/content/sections', ...phone });
    const row = page.locator('tbody tr').first();
    await row.getByText('Weaving').first().waitFor();
    expect((await row.boundingBox())?.y).toBeLessThanOrEqual(phone.height / 3);
    expect(await page.locator('#tree-help').isVisible()).toBe(false);
  });

  test('shows of a record what it has', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/articles', ...phone });
    await expectTitles(tableOf(page), 'Article 130');
    const values = await page.locator('tbody td[data-label]:visible').allInnerTexts();
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter((text) => text.trim() === '–' || text.trim() === '')).toEqual([]);
  });

  test('keeps all its tools, by name and within reach of a finger', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/articles', ...phone });
    await expectTitles(tableOf(page), 'Article 130');
    for (const name of ['Filter', 'Columns', 'Views']) {
      const box = await button(page, name).boundingBox();
      expect(box?.width).toBeGreaterThanOrEqual(40);
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('title:asc');
    await expectTitles(tableOf(page), 'Article 001');
    await button(page, 'Columns').click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
  });

  test('has room for the words in its search', async () => {
    for (const language of ['en', 'de', 'fr']) {
      const page = await admin.page({ as: 'ada', path: '/content/articles', language, ...phone });
      await expectTitles(tableOf(page), 'Article 130');
      const room = await page.getByRole('searchbox').evaluate((box) => {
        const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(box);
        const context = document.createElement('canvas').getContext('2d');
        if (context === null) return 0;
        context.font = font;
        const words = context.measureText(box.getAttribute('placeholder') ?? '').width;
        return box.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd) - words;
      });
      expect(room).toBeGreaterThan(0);
    }
  });

  test('offers to select all once a record is selected', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/articles', ...phone });
    await expectTitles(tableOf(page), 'Article 130');
    await page.getByRole('checkbox', { name: 'Select Article 130' }).check();
    // It takes the place of the first record, of a size that a finger meets.
    const all = page.getByRole('checkbox', { name: 'Select all' });
    await page.getByText('1 selected').waitFor();
    const place = await page.locator('thead').boundingBox();
    expect(place?.height).toBeGreaterThanOrEqual(40);
    await all.check();
    await page.getByText('50 selected').waitFor();
  });
});
