import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';

describe.skipIf(skipsLooks)(`a place without anything in it${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([]);
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('says what it is for, what to do, and where programs find it', async () => {
    const page = await admin.page({ as: 'ada' });
    for (const [path, title, role, action, address] of [
      ['/media', 'No files yet', 'button', 'Add the first files', '/api/v1/media'],
      ['/comments', 'No comments yet', 'link', 'Open the posts', '/api/v1/posts/{slug}/comments'],
      ['/types', 'No content types of your own yet', 'link', 'Create the first type', '/api/v1/admin/content-types'],
      ['/roles', 'No roles of your own yet', 'link', 'Create the first role', '/api/v1/admin/roles'],
      ['/webhooks', 'No webhooks yet', 'link', 'Add the first webhook', '/api/v1/admin/webhooks'],
      ['/api-tokens', 'No API tokens yet', 'button', 'Create the first token', '/api/v1/admin/api-tokens'],
    ] as const) {
      await page.goto(`/admin${path}`);
      const main = page.getByRole('main');
      await main.getByRole('heading', { name: title }).waitFor();
      await main.getByRole(role, { name: action }).waitFor();
      await main.getByText(address, { exact: true }).waitFor();
    }
    await page.goto('/admin/settings?tab=transfer');
    await page.getByText('No imports yet. Choose a WordPress export').waitFor();
    await page.goto('/admin/content/posts');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByText('Save the filter, the order and the columns under a name').waitFor();
  });

  test('fields of forms with a few of them are no wider than a line of text', async () => {
    const page = await admin.page({ as: 'ada' });
    const wide: string[] = [];
    for (const path of ['/users/new', '/webhooks/new', '/profile', '/roles/new', '/settings?tab=transfer']) {
      await page.goto(`/admin${path}`);
      await page.getByRole('main').getByRole('textbox').or(page.locator('main select')).first().waitFor();
      wide.push(...(await page.evaluate<string[]>(wideFields)).map((text) => `${path}: ${text}`));
    }
    expect(wide).toEqual([]);
  });
});

/** In the page: fields for a line of text that are wider than one. */
const wideFields = `[...document.querySelectorAll('main :is(input, select)')].flatMap((field) => {
  const { width } = field.getBoundingClientRect();
  return width > 700 ? [Math.round(width) + ' px ' + field.outerHTML.slice(0, 80)] : [];
})`;
