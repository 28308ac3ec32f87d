import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { issuesInEveryLook } from '../looks.ts';
import { go, openMagazine } from './magazine.ts';

/** Holds pages of the admin to WCAG 2.2 AA and to their policy, in both themes, wide and narrow. */
export const testPages = (paths: readonly string[]): void =>
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
  });
