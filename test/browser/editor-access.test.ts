import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { noteType, storyType } from './editor-types.ts';

/** Markup, a mark that turns the direction of text, and a long word. */
const hostile = `<img src=x onerror=alert(1)> \u202eabc ${'W'.repeat(80)}`;

describe.skipIf(skipsLooks)(`the editor, for everybody${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([storyType, noteType]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      test(`has nothing against WCAG 2.2 AA in any state, ${theme}, ${width} px`, async () => {
        const { id } = await admin.service.seed('stories', { title: hostile, summary: 'White', status: 'published' });
        const path = `/api/v1/admin/cms/stories/${id}`;
        await admin.service.send(`PUT ${path}`, { as: 'edith', body: { summary: 'White and grey' } });
        const page = await admin.page({ as: 'ada', path: `/content/stories/${id}`, width, theme, height: 800 });
        const found: string[] = [];
        const look = async (state: string): Promise<void> => {
          for (const issue of await accessibilityIssues(page)) found.push(`${state}: ${issue}`);
        };
        const details = async (): Promise<void> => {
          if (width < 1100) await button(page, 'Details').click();
        };
        await page.getByLabel('Title', { exact: true }).waitFor();
        await look('open');
        await page.getByLabel('Title', { exact: true }).fill('');
        await button(page, 'Save').click();
        await page.getByRole('alert').getByRole('link', { name: 'Title' }).waitFor();
        await look('with errors');
        await page.getByLabel('Title', { exact: true }).fill('Mine');
        await admin.service.send(`PUT ${path}?draft=true`, { as: 'edith', body: { title: 'Theirs' } });
        await button(page, 'Save').click();
        await page.getByRole('dialog', { name: 'Conflict' }).waitFor();
        await look('conflict');
        await button(page, 'Keep mine').click();
        await page.locator('[data-state="clean"]').waitFor();
        await details();
        await look('details');
        await button(page, 'Revisions').click();
        await page.getByRole('dialog', { name: 'Revisions' }).locator('ins').first().waitFor();
        await look('revisions');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: 'Revisions' }).waitFor({ state: 'hidden' });
        await button(page, 'Delete').click();
        await page.getByRole('dialog', { name: 'Delete 1 record?' }).waitFor();
        await look('delete');
        await page.keyboard.press('Escape');
        await page.close();
        expect(found).toEqual([]);
        // Wider than the window, nothing would be reached without scrolling sideways.
      }, 600_000);
    }
  }

  test('is used without a mouse', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/stories/new' });
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    /** Goes on with Tab until a control has the focus, as somebody without a mouse does. */
    const tabTo = async (name: string | RegExp, role: 'button' | 'textbox' | 'combobox' = 'button'): Promise<void> => {
      const wanted = page.getByRole(role, { name, exact: true });
      await wanted.first().waitFor();
      for (let steps = 0; steps < 80; steps++) {
        if ((await page.locator(':focus').and(wanted).count()) > 0) return;
        await press('Tab');
      }
      throw new Error(`${name} cannot be reached by Tab.`);
    };
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Write and save.
    await tabTo('Title', 'textbox');
    await page.keyboard.type('Written by keyboard');
    await press('Control+s');
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved/ })
      .waitFor();
    // The focus is where it was.
    await page.keyboard.type('!');
    await press('Control+Enter');
    await page.getByText('Written by keyboard! is published.').waitFor();
    // Another save, a revision, and the way back to it.
    await tabTo('Summary', 'textbox');
    await page.keyboard.type('Draft');
    await page.getByText('Has changes that are not published').waitFor();
    await tabTo('Revisions');
    await press('Enter');
    const revisions = page.getByRole('dialog', { name: 'Revisions' });
    await revisions.getByRole('button', { name: /^Revision 1/ }).waitFor();
    await press('Escape');
    await revisions.waitFor({ state: 'hidden' });
    // The focus returns to what opened the dialog.
    expect(await page.locator(':focus').textContent()).toContain('Revisions');
    await tabTo('Discard changes');
    await press('Enter');
    // The button that opened it has the same name.
    await page.getByRole('dialog').locator(':focus').waitFor();
    await tabTo('Discard changes');
    await press('Enter');
    await page.getByText('Has changes that are not published').waitFor({ state: 'hidden' });
    await tabTo('Unpublish');
    await press('Enter');
    await page.getByText('Written by keyboard! is no longer published.').waitFor();
    await tabTo('Schedule');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Schedule' }).waitFor();
    await press('Escape');
    // A conflict.
    const id = page.url().split('/').at(-1);
    await tabTo('Title', 'textbox');
    await press('End');
    await page.keyboard.type('?');
    await admin.service.send(`PUT /api/v1/admin/cms/stories/${id}`, { as: 'edith', body: { title: 'Theirs' } });
    await press('Control+s');
    await page.getByRole('dialog', { name: 'Conflict' }).waitFor();
    await tabTo('Keep theirs');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
    // Delete.
    await tabTo('Delete');
    await press('Enter');
    // The button that opened it has the same name.
    await page.getByRole('dialog').locator(':focus').waitFor();
    await tabTo('Delete');
    await press('Enter');
    await page.waitForURL(/content\/stories$/);
  }, 600_000);

  test('shows text of others as text', async () => {
    const { id } = await admin.service.seed('stories', { title: hostile, summary: hostile });
    const page = await admin.page({ as: 'ada', path: `/content/stories/${id}` });
    await button(page, 'Revisions').click();
    await page.getByRole('dialog', { name: 'Revisions' }).locator('ins').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});
