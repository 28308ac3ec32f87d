import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesAt } from './looks.ts';

const long = 'A name of two hundred characters '.repeat(7).slice(0, 200);
const note = { singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text' }] };
const recipe = {
  ...{ singular: 'recipe', plural: 'recipes', name: long.slice(0, 100) },
  fields: [
    { name: 'title', field_type: 'text', label: long, required: true },
    { name: 'body', field_type: 'blocks', blocks: [{ name: 'text', fields: [{ name: 'text', field_type: 'text' }] }] },
  ],
};
const paths = [
  ...['/types', '/types/note', '/types/new', '/types/recipe', '/types/recipe?tab=behaviour'],
  ...['/types/recipe?tab=access', '/types/recipe?tab=display', '/types/recipe?tab=json', '/types/recipe?tab=api'],
];

describe.skipIf(skipsLooks)(`the pages of content types${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([note]);
    await admin.account('ada', 'admin');
    await admin.service.send('POST /api/v1/admin/content-types', { as: 'ada', body: recipe });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('meet WCAG 2.2 AA in both themes, at 1440 and 360 px, and do not scroll sideways', async () => {
    const page = await admin.page({ as: 'ada' });
    const issues: string[] = [];
    for (const path of paths) issues.push(...(await issuesAt(page, path)));
    expect(issues).toEqual([]);
  });

  test('so does a field that is opened', async () => {
    const page = await admin.page({ as: 'ada', path: '/types/recipe', width: 360 });
    await page.getByRole('button', { name: /^Edit/ }).first().click();
    await page.getByRole('button', { name: 'Edit body' }).click();
    await page.getByLabel('Block name').fill('Not a name');
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
});
