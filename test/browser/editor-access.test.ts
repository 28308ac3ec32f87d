import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { noteType, storyType } from './editor-types.ts';
import { issuesInBothThemes } from './looks.ts';

/** Markup, a mark that turns the direction of text, and a long word. */
const hostile = `<img src=x onerror=alert(1)> \u202eabc ${'W'.repeat(80)}`;

describe.skipIf(skipsLooks)(`the editor, for everybody${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([storyType, noteType]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test.each([360, 1440])('has nothing against WCAG 2.2 AA in any state, in both themes, %d px', async (width) => {
    const { id } = await admin.service.seed('stories', { title: hostile, summary: 'White', status: 'published' });
    const path = `/api/v1/admin/cms/stories/${id}`;
    await admin.service.send(`PUT ${path}`, { as: 'edith', body: { summary: 'White and grey' } });
    const page = await admin.page({ as: 'ada', path: `/content/stories/${id}`, width, height: 800 });
    const found: string[] = [];
    const look = async (state: string): Promise<void> => {
      for (const issue of await issuesInBothThemes(page)) found.push(`${state}: ${issue}`);
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
    const revisions = page.getByRole(width < 1100 ? 'dialog' : 'region', { name: 'Revisions', exact: true });
    await revisions.locator('ins').first().waitFor();
    await look('revisions');
    await page.keyboard.press('Escape');
    await revisions.waitFor({ state: 'hidden' });
    await button(page, 'Delete').click();
    await page.getByRole('dialog', { name: 'Delete 1 record?' }).waitFor();
    await look('delete');
    await page.keyboard.press('Escape');
    expect(found).toEqual([]);
  });

  test('shows text of others as text', async () => {
    const { id } = await admin.service.seed('stories', { title: hostile, summary: hostile });
    const page = await admin.page({ as: 'ada', path: `/content/stories/${id}` });
    await button(page, 'Revisions').click();
    await page.getByRole('region', { name: 'Revisions', exact: true }).locator('ins').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});
