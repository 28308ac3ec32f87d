import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesAt } from './looks.ts';

const long = 'A name of two hundred characters '.repeat(7).slice(0, 200);

describe.skipIf(skipsLooks)(`the pages of people and the site${looksSkipReason}`, () => {
  let admin: Admin;
  let paths: readonly string[];
  beforeAll(async () => {
    admin = await Admin.open([
      {
        singular: 'note',
        plural: 'notes',
        protocols: ['versionable'],
        fields: [{ name: 'title', field_type: 'text' }],
      },
    ]);
    await admin.account('ada', 'admin');
    const max = await admin.account('max', 'member', 'north');
    const send = async (line: string, body: object) => (await admin.service.send(line, { as: 'ada', body })).json;
    await send(`PUT /api/v1/admin/users/${max}`, { display_name: long.slice(0, 100) });
    await send('POST /api/v1/admin/api-tokens', { name: long, role: 'member' });
    const { id } = await send('POST /api/v1/admin/webhooks', { url: 'http://127.0.0.1:9/', description: long });
    await send(`POST /api/v1/admin/webhooks/${id}/test`, {});
    const note = await send('POST /api/v1/admin/cms/notes', { title: long });
    await send(`PUT /api/v1/admin/cms/notes/${note.id}`, { title: 'Short' });
    await admin.service.runJobs();
    paths = [
      ...['/users', '/users/new', `/users/${max}`, '/api-tokens', '/profile', '/audit-log', '/jobs', '/webhooks'],
      ...['/webhooks/new', `/webhooks/${id}`, '/settings', '/settings?tab=settings', '/settings?tab=transfer'],
      ...['/settings?tab=mail', '/users/new?invite=yes'],
    ];
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test.each([
    ['people', /^\/(users|api-tokens|profile)/],
    ['webhooks and settings', /^\/(webhooks|settings)/],
    ['the audit log and jobs', /^\/(audit-log|jobs)/],
  ])(
    '%s: nothing against WCAG 2.2 AA in both themes, at 1440 and 360 px, and no page scrolls sideways',
    async (_, own) => {
      const page = await admin.page({ as: 'ada' });
      const issues: string[] = [];
      for (const path of paths.filter((each) => own.test(each))) issues.push(...(await issuesAt(page, path)));
      expect(issues).toEqual([]);
    },
  );

  test('dialogs and what opens', async () => {
    const page = await admin.page({ as: 'ada', path: '/api-tokens', width: 360 });
    await page.getByRole('button', { name: 'New API token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('x');
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('group', { name: 'Token' }).waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.goto('/admin/audit-log?type=note');
    await page
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    await page.getByText('After', { exact: true }).waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
});
