import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { openForm, saved, thingType } from './form-page.ts';

describe.skipIf(skipsLooks)(`writing rich text${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([
      thingType([
        { name: 'body', field_type: 'richtext', label: 'Body' },
        { name: 'language', field_type: 'text', max_length: 10, label: 'Language' },
      ]),
    ]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const body = (page: Page): Locator => page.getByRole('textbox', { name: 'Body', exact: true });
  const tool = (page: Page, name: string): Locator =>
    page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true });

  describe('find and replace', () => {
    const text = '<p>One <strong>o</strong>ne two</p><p>one.</p>';

    test('counts, goes through what is found, and leaves it selected', async () => {
      const { id } = await admin.service.seed('things', { title: 'Find', body: text });
      const page = await openForm(admin, id);
      await body(page).click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Control+f');
      await page.keyboard.type('one');
      const bar = page.getByRole('search', { name: 'Find' });
      await bar.getByText('1 of 3').waitFor();
      expect(await body(page).locator('.found').allInnerTexts()).toEqual(['One', 'o', 'ne', 'one']);
      await page.keyboard.press('Enter');
      await bar.getByText('2 of 3').waitFor();
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.press('Shift+Enter');
      await bar.getByText('3 of 3').waitFor();
      await page.keyboard.press('Escape');
      await bar.waitFor({ state: 'detached' });
      await page.keyboard.type('1');
      expect((await saved(admin, page)).body).toBe(text.replace('<p>one.', '<p>1.'));
    });

    test('replaces one and all, and takes all back at once', async () => {
      const { id } = await admin.service.seed('things', { title: 'Replace', body: text });
      const page = await openForm(admin, id);
      await body(page).click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Control+f');
      const bar = page.getByRole('search', { name: 'Find' });
      await page.keyboard.type('one');
      await bar.getByLabel('Replace with').fill('a $1');
      await bar.getByRole('button', { name: 'Replace this one' }).click();
      await bar.getByText('1 of 2').waitFor();
      expect((await saved(admin, page)).body).toBe('<p>a $1 <strong>o</strong>ne two</p><p>one.</p>');
      await bar.getByLabel('Match case').check();
      await bar.getByLabel('Find', { exact: true }).fill('ONE');
      await bar.getByText('Not found').waitFor();
      await bar.getByLabel('Find', { exact: true }).fill('one');
      await bar.getByRole('button', { name: 'Replace all' }).click();
      await bar.getByText('2 replaced').waitFor();
      expect((await saved(admin, page)).body).toBe('<p>a $1 <strong>a $1</strong> two</p><p>a $1.</p>');
      await tool(page, 'Undo').click();
      expect((await saved(admin, page)).body).toBe('<p>a $1 <strong>o</strong>ne two</p><p>one.</p>');
    });
  });

  describe('quotes and dashes', () => {
    test.each([
      ['en', '“He said ‘no’” — it’s “so”…'],
      ['de', '„He said ‚no‘“ – it’s „so“…'],
      ['de-CH', '«He said ‹no›» – it’s «so»…'],
      ['ja', `"He said 'no'" -- it's "so"...`],
    ])('are written as in %s', async (language, expected) => {
      const { id } = await admin.service.seed('things', { title: 'Quotes', language });
      const page = await openForm(admin, id);
      await body(page).click();
      await page.keyboard.type(`"He said 'no'" -- it's "so"...`);
      expect(await body(page).getAttribute('lang')).toBe(language);
      expect((await saved(admin, page)).body.replaceAll('&quot;', '"')).toBe(`<p>${expected}</p>`);
    });

    test('stay as typed in code, after Backspace, and when they are switched off', async () => {
      const page = await openForm(admin);
      expect(await body(page).getAttribute('spellcheck')).toBe('true');
      await body(page).click();
      await page.keyboard.type('a "');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      await page.keyboard.type('``` "b"');
      await tool(page, 'Typographic quotes and dashes').click();
      await body(page).getByText('a "').click();
      await page.keyboard.press('End');
      await page.keyboard.type(' "c"');
      const stored = (await saved(admin, page)).body.replaceAll('&quot;', '"');
      // The browser keeps the choice.
      await tool(page, 'Typographic quotes and dashes').click();
      expect(stored).toBe('<p>a " "c"</p><pre><code>"b"</code></pre>');
    });
  });
});
