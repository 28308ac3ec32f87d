import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type Admin, accessibilityIssues } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { openMagazine } from './magazine.ts';

describe.skipIf(skipsLooks)(`what opens over the pages of the admin${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openMagazine();
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

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
