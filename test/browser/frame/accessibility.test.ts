import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type Admin, accessibilityIssues } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { issuesInEveryLook } from '../looks.ts';
import { go, openMagazine } from './magazine.ts';

const paths = [
  '/',
  '/content/articles',
  '/content/articles/new',
  '/media',
  '/comments',
  '/types',
  '/types/article',
  '/users',
  '/api-tokens',
  '/webhooks',
  '/audit-log',
  '/jobs',
  '/settings',
  '/profile',
  '/nowhere',
];

describe.skipIf(skipsLooks)(`the pages of the admin${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openMagazine();
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test.each(paths)(
    '%s meets WCAG 2.2 AA and the policy in both themes, wide and narrow, and fits 2560 px',
    async (path) => {
      const page = await admin.page({ as: 'ada', width: 2560, height: 1440 });
      const found: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) found.push(`${response.status()} ${response.url()}`);
      });
      await go(page, path);
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('too wide at 2560 px');
      // Lines of text do not become long.
      const long = await page.evaluate(() =>
        [...document.querySelectorAll('main p')]
          .filter((text) => text.getBoundingClientRect().width > 1600 && (text.textContent ?? '').length > 200)
          .map((text) => text.textContent ?? ''),
      );
      found.push(...long);
      found.push(...(await issuesInEveryLook(page)));
      expect(found).toEqual([]);
    },
  );

  describe.each(['light', 'dark'] as const)('%s', (theme) => {
    test('signing in, the palette, the help, the menus', async () => {
      const page = await admin.page({ theme });
      expect(await accessibilityIssues(page)).toEqual([]);
      const own = await admin.page({ as: 'ada', theme });
      await own.keyboard.press('Control+k');
      await own.getByRole('combobox', { name: 'Command palette' }).fill('margins');
      await own.getByRole('option', { name: /Why margins matter/ }).waitFor();
      expect(await accessibilityIssues(own)).toEqual([]);
      await own.keyboard.press('Escape');
      await own.getByRole('dialog').waitFor({ state: 'detached' });
      await own.keyboard.press('?');
      await own.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(await accessibilityIssues(own)).toEqual([]);
      await own.keyboard.press('Escape');
      await own.getByRole('dialog').waitFor({ state: 'detached' });
      await own.getByRole('button', { name: /^Account of/ }).click();
      await own.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await accessibilityIssues(own)).toEqual([]);
    });
  });
});
