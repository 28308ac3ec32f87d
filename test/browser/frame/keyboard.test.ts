import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { Keys } from '../keys.ts';
import { openMagazine } from './magazine.ts';

describe.skipIf(skipsLooks)(`the frame by keyboard${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openMagazine();
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('the first stop skips to the content', async () => {
    const page = await admin.page({ as: 'ada' });
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to content' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#main:focus').waitFor();
  });

  test('every link and button of the frame is reached, and shows the focus', async () => {
    const page = await admin.page({ as: 'ada' });
    const seen: string[] = [];
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press('Tab');
      const [name, outline] = await page.evaluate<[string, string]>(`(() => {
        const own = document.activeElement;
        return [own.getAttribute('aria-label') ?? own.textContent.trim(), getComputedStyle(own).outlineStyle];
      })()`);
      seen.push(name);
      expect([name, outline]).toEqual([name, 'solid']);
      if (name.startsWith('Account of')) break;
    }
    for (const name of ['Collapse sidebar', 'Search or go toCtrl K', 'Home', 'Articles', 'Media', 'Users', 'Settings'])
      expect(seen).toContain(name);
  });

  test('the list of keys is found in the menu of the account and in the palette', async () => {
    const page = await admin.page({ as: 'ada' });
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const hasFocus = () =>
      help
        .locator(':focus')
        .or(help.and(page.locator(':focus')))
        .first()
        .waitFor();
    await page.getByRole('button', { name: /^Account of/ }).press('Enter');
    await page.getByRole('menuitem', { name: /^Keyboard shortcuts/ }).press('Enter');
    await hasFocus();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command palette' }).fill('keyboard');
    await page.keyboard.press('Enter');
    await hasFocus();
  });

  test('a page that is opened has the focus on its heading, is announced, and back works', async () => {
    const page = await admin.page({ as: 'ada' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).focus();
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1, name: 'Users' });
    await heading.waitFor();
    await page.locator('[aria-live="polite"]', { hasText: 'Users' }).first().waitFor({ state: 'attached' });
    await heading.and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('link', { name: 'Users', exact: true }).getAttribute('aria-current')).toBe('page');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await page.title()).toBe('Home · Recto');
  });

  test('a part that cannot be loaded is reported, and the page goes on', async () => {
    // The part is in no cache.
    const page = await admin.page({ as: 'ada', own: true });
    admin.intercept = (request) =>
      /\/admin\/assets\/Palette/.test(request.url) ? new Response('Gone', { status: 404 }) : undefined;
    await page.keyboard.press('Control+k');
    const message = page.getByText('A part of this page could not be loaded.');
    await message.waitFor();
    admin.intercept = undefined;
    const reloaded = page.waitForEvent('framenavigated');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await reloaded;
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await message.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
    expect(admin.takeProblems().filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
  });

  test('the palette goes to a page, finds content of all types, and returns the focus', async () => {
    const page = await admin.page({ as: 'ada' });
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Media' });
    await link.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await link.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('webh');
    await page.getByRole('option', { name: /Webhooks/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('import');
    await page.getByRole('option', { name: /Import and export/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Import', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('paper');
    const found = page.getByRole('option', { name: /^On paper/ });
    await found.waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/content\/articles\/[\w-]+$/);
  });

  test('Enter right after the last letter waits for the content, and opens none that the text does not find', async () => {
    const page = await admin.page({ as: 'ada' });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Command palette' });
    await field.fill('paper');
    await page.getByRole('option', { name: /^On paper/, selected: true }).waitFor();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    admin.intercept = async (request) => {
      if (!/search=margins/.test(request.url)) return undefined;
      asked.resolve();
      await answer.promise;
      return undefined;
    };
    await field.fill('margins');
    await field.press('Enter');
    await asked.promise;
    expect(await field.isVisible()).toBe(true);
    answer.resolve();
    await page.getByRole('heading', { level: 1, name: 'Why margins matter' }).waitFor();
    admin.intercept = undefined;
  });

  test('the palette shows the words that it found, and what it shows stays in its place', async () => {
    for (const [title, text] of [
      ['Zinnober', 'Red from the mountain of Almadén.'],
      ['Almanac', 'A calendar.'],
    ])
      await admin.service.send('POST /api/v1/pages', {
        as: 'ada',
        body: { title, content: `<p>${'More words before. '.repeat(10)}</p><p>${text}</p>` },
      });
    const page = await admin.page({ as: 'ada' });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Command palette' });
    await field.fill('almad');
    const zinnober = page.getByRole('option', { name: /^Zinnober/ });
    await zinnober.waitFor();
    expect(await zinnober.locator('mark').allTextContents()).toEqual(['Almad']);
    expect(await zinnober.locator('.excerpt').textContent()).toContain('Red from the mountain of Almadén.');
    // Less is typed: more is found, below what is there.
    const place = await zinnober.boundingBox();
    await field.fill('alma');
    const almanac = page.getByRole('option', { name: /^Almanac/ });
    await almanac.waitFor();
    expect(await almanac.locator('mark').allTextContents()).toEqual(['Alma']);
    expect(await zinnober.boundingBox()).toEqual(place);
    expect(await zinnober.getAttribute('aria-selected')).toBe('true');
  });

  test('letters go to pages, and can be switched off', async () => {
    const page = await admin.page({ as: 'ada' });
    const keys = new Keys(page);
    await keys.pair('g', 'a');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single letters are shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.pair('g', 'h');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/audit-log');
  });
});
