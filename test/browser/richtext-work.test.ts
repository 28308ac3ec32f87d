import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  fields: [
    { name: 'title', field_type: 'text', max_length: 200 },
    { name: 'body', field_type: 'richtext' },
  ],
};

/** Of 90 words. */
const paragraph = `<p>${'White is part of the page, and margins matter. '.repeat(10)}</p>`;
const paragraphs = 223;

interface Work {
  /** The characters of each text of HTML that was made. */
  readonly html: readonly number[];
  /** How many of them were made before the frame that shows the key. */
  readonly beforeFrame: number;
  /** How often elements were measured before that frame. */
  readonly measured: number;
}

/** Counts what the page does for keys. */
const countWork = `
  window.work = { html: [], beforeFrame: 0, measured: 0 };
  let isInKey = false;
  addEventListener('keydown', () => {
    isInKey = true;
    requestAnimationFrame(() => (isInKey = false));
  }, true);
  const { get, set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  Object.defineProperty(Element.prototype, 'innerHTML', {
    configurable: true,
    set,
    get() {
      const html = get.call(this);
      work.html.push(html.length);
      if (isInKey) work.beforeFrame += 1;
      return html;
    },
  });
  const measure = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function () {
    if (isInKey) work.measured += 1;
    return measure.call(this);
  };`;

/** Bounds what is done for a key by how much it is, and not by how long it takes. */
describe.skipIf(skipsLooks)(`a key in a text of 20,000 words${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([article]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  async function opened(): Promise<{ readonly page: Page; readonly stored: () => Promise<string> }> {
    const { id } = await admin.service.seed('articles', { title: 'Long', body: paragraph.repeat(paragraphs) });
    const page = await admin.page({ as: 'ada', path: `/content/articles/${id}`, own: true });
    await page
      .locator('.rich-text > p')
      .nth(paragraphs - 1)
      .waitFor();
    await page.evaluate(countWork);
    const stored = async () =>
      (await admin.service.send(`GET /api/v1/admin/cms/articles/${id}`, { as: 'ada' })).json.body;
    return { page, stored };
  }

  test('makes the HTML of its block alone, after the frame that shows it, and measures few elements', async () => {
    const { page, stored } = await opened();
    await page.locator('.rich-text > p').nth(2).click();
    await page.keyboard.press('Home');
    for (const key of 'written') {
      await page.keyboard.press(key);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    }
    const { beforeFrame, measured } = await page.evaluate<Work>('work');
    expect(beforeFrame).toBe(0);
    expect(measured).toBeLessThanOrEqual(4 * 'written'.length);
    await page.keyboard.press('Control+s');
    await becomes(async () => (await stored()).includes('written'), true);
    const work = await page.evaluate<Work>('work');
    // The first report makes all blocks, one by one.
    const perKey = work.html.slice(paragraphs);
    expect(work.html.length).toBeGreaterThan(0);
    expect(Math.max(...work.html)).toBeLessThan(2 * paragraph.length);
    expect(perKey.length).toBeLessThanOrEqual(2 * 'written'.length);
  });

  test('is seen where the cursor leaves the window', async () => {
    const { page } = await opened();
    await page.locator('.rich-text > p').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('At the end');
    const isSeen = () =>
      page
        .locator('.rich-text > p')
        .last()
        .evaluate((last) => {
          const { bottom } = last.getBoundingClientRect();
          return last.textContent?.endsWith('At the end') && bottom > 0 && bottom <= innerHeight - 60;
        });
    await becomes(isSeen, true);
    await page.evaluate('scrollTo(0, 0)');
    await page.keyboard.type('!');
    const isBack = () =>
      page
        .locator('.rich-text > p')
        .last()
        .evaluate((last) => last.textContent?.endsWith('!') && last.getBoundingClientRect().bottom <= innerHeight);
    await becomes(isBack, true);
    for (let line = 0; line < 12; line += 1) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(`Line ${line}`);
      const { bottom, height } = await page
        .locator('.rich-text > p')
        .last()
        .evaluate((last) => ({ bottom: last.getBoundingClientRect().bottom, height: innerHeight }));
      expect(bottom).toBeLessThanOrEqual(height - 60);
    }
  });
});
