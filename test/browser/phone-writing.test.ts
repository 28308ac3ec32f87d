import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

// Writing on a phone: what lies over the text is two rows at most.

const essay = {
  singular: 'essay',
  plural: 'essays',
  name: 'Essay',
  admin: { preview_url: '/essays/{id}' },
  protocols: ['timestampable', { name: 'versionable', drafts: true }, { name: 'statusable', schedule: 'published' }],
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 200 },
    { name: 'body', field_type: 'richtext' },
  ],
};
/** Fields below a text that is short, in which the row of tools lies over them. */
const letter = {
  singular: 'letter',
  plural: 'letters',
  name: 'Letter',
  protocols: ['versionable'],
  fields: [
    { name: 'body', field_type: 'richtext' },
    ...Array.from({ length: 12 }, (_, number) => ({ name: `line_${number}`, field_type: 'text', max_length: 100 })),
  ],
};
const phone = { width: 360, height: 780, hasTouch: true };

describe.skipIf(chromiumPath === undefined)(`writing on a phone${skipReason}`, () => {
  let admin: Admin;
  let id: string;
  beforeAll(async () => {
    admin = await Admin.open([essay, letter]);
    await admin.account('ada');
    const body = '<p>Words that fill the page.</p>'.repeat(40);
    id = (await admin.service.seed('essays', { title: 'On paper', body })).id;
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const open = async (language = 'en'): Promise<Page> => {
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}`, ...phone, language });
    await text(page).getByText('Words').first().waitFor();
    return page;
  };
  const text = (page: Page): Locator => page.locator('[data-path="body"] .rich-text');
  const tools = (page: Page): Locator => page.locator('[data-path="body"] [data-tools]');
  const boxOf = async (locator: Locator) => {
    const box = await locator.boundingBox();
    if (box === null) throw new Error('It is not shown.');
    return box;
  };

  test.each(['en', 'de'])('the bar of the record is one line: %s', async (language) => {
    const page = await open(language);
    const bar = page.locator('header[data-bottom-bar]');
    const buttons = await bar.locator('a:visible, button:visible').all();
    expect(buttons).toHaveLength(4);
    const middles: number[] = [];
    for (const button of buttons) {
      const { x, y, width, height } = await boxOf(button);
      expect([x >= 0, x + width <= phone.width, width >= 36]).toEqual([true, true, true]);
      middles.push(Math.round(y + height / 2));
    }
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);
    const { y, height } = await boxOf(bar);
    expect([y + height, height <= 62]).toEqual([phone.height, true]);
    // Icons have names, and the state of saving stays readable.
    for (const name of language === 'en' ? ['Save', 'Publish', 'Details'] : ['Speichern', 'Veröffentlichen', 'Details'])
      expect(await bar.getByRole('button', { name, exact: true }).count()).toBe(1);
    expect((await boxOf(bar.getByRole('status'))).width).toBeGreaterThan(50);
    await bar.getByRole('button', { name: 'Details' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: language === 'en' ? 'Preview' : 'Vorschau' })
      .click();
    await page.locator('iframe').waitFor();
  });

  test('the tools are one row above it while somebody writes, or above the keyboard', async () => {
    const page = await open();
    expect(await tools(page).isVisible()).toBe(false);
    const before = await boxOf(text(page));
    await text(page).getByText('Words').first().click();
    await tools(page).waitFor();
    // Nothing moves under the finger.
    expect((await boxOf(text(page))).y).toBe(before.y);
    const row = await boxOf(tools(page));
    const bar = await boxOf(page.locator('header[data-bottom-bar]'));
    expect([row.y + row.height <= bar.y, row.y > bar.y - 70, row.x >= 0, row.x + row.width <= phone.width]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    // No browser of the tests has a keyboard on the screen: it shows itself by what is seen of the page.
    await page.evaluate(`
      Object.defineProperty(visualViewport, 'height', { configurable: true, get: () => 480 });
      visualViewport.dispatchEvent(new Event('resize'));
    `);
    const bottom = async (): Promise<number> => {
      const { y, height } = await boxOf(page.locator('[data-writing-tools]'));
      return y + height;
    };
    await becomes(bottom, 480);
    await page.evaluate(`delete visualViewport.height; visualViewport.dispatchEvent(new Event('resize'));`);
    await becomes(bottom, 720);
    // What a tool opens stays, and the row goes with the focus.
    await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'More tools' }).click();
    await page.getByRole('menu').waitFor();
    expect(await tools(page).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('[data-path="title"] input, [data-path="title"] textarea').first().focus();
    await tools(page).waitFor({ state: 'hidden' });
  });

  test('the tools lie over the fields below the text', async () => {
    const letter = await admin.service.seed('letters', { body: '<p>Short.</p>' });
    const page = await admin.page({ as: 'ada', path: `/content/letters/${letter.id}`, ...phone });
    await text(page).getByText('Short.').click();
    await tools(page).waitFor();
    const { x, y, width, height } = await boxOf(tools(page));
    const lies = await page.evaluate(
      ([left, top, right, bottom]) => {
        const found = new Set<string>();
        for (let across = left + 4; across < right; across += 8)
          for (let down = top + 4; down < bottom; down += 8) {
            const element = document.elementFromPoint(across, down);
            if (element?.closest('[data-tools]') === null) found.add(element.outerHTML.slice(0, 80));
          }
        return [...found];
      },
      [x, y, x + width, y + height] as const,
    );
    expect(lies).toEqual([]);
  });

  test('the button that sets the name of a revision stands beside its field', async () => {
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}` });
    await page.getByRole('button', { name: 'Revisions' }).click();
    const history = page.getByRole('region', { name: 'Revisions', exact: true });
    await history.getByRole('button', { name: /^Revision 1/ }).click();
    const button = await boxOf(history.getByRole('button', { name: 'Set the name' }));
    const input = await boxOf(history.getByRole('textbox', { name: 'Name' }));
    expect(Math.abs(button.y + button.height / 2 - (input.y + input.height / 2))).toBeLessThanOrEqual(1);
  });
});
