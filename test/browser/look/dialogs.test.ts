import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { expectTitles, note, openLists, tableOf } from '../list/lists.ts';

describe.skipIf(skipsLooks)(`dialogs${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openLists([note]);
    for (const name of ['Ink', 'Paper']) await admin.service.seed('notes', { name });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('a dialog stays at its place while what it shows grows and shrinks', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/notes' });
    await expectTitles(tableOf(page, 'Notes'), 'Paper', 'Ink');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog').first();
    await dialog.waitFor();
    const place = (): Promise<readonly [top: number, height: number]> =>
      dialog.evaluate((element) => [element.getBoundingClientRect().top, element.getBoundingClientRect().height]);
    const [top, height] = await place();
    // As where a part of it is loaded later.
    await dialog.evaluate((element) => {
      for (const part of element.querySelectorAll('section')) part.hidden = true;
    });
    const [laterTop, laterHeight] = await place();
    expect(laterHeight).toBeLessThan(height);
    expect(laterTop).toBe(top);
  });
});
