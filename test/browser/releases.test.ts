import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { becomes } from '../support/database/database.ts';
import { Admin, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesAt } from './looks.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  name: 'Article',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'published', 'archived'], default: 'draft' },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'summary', field_type: 'text' },
    { name: 'handle', field_type: 'text', unique: true },
  ],
};
const root = '/api/v1/admin/releases';

describe.skipIf(skipsLooks)(`releases in the admin${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([article]);
    await admin.account('eve', 'editor');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = async (line: string, body?: object) =>
    (await admin.service.send(line, { as: 'eve', ...(body === undefined ? {} : { body }) })).json;
  const seed = (title: string, more: object = {}) =>
    admin.service.seed('articles', { title, status: 'published', ...more });
  const titleOf = async (id: string): Promise<string> => (await send(`GET /api/v1/admin/cms/articles/${id}`)).title;

  test('the changes of a form wait in a release, are published with it, and taken back', async () => {
    const { id } = await seed('Why margins matter');
    const page = await admin.page({ as: 'eve', path: `/content/articles/${id}` });
    await page.getByLabel(/^title$/i).fill('Why margins still matter');
    await page.getByRole('button', { name: 'Add to release' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to release' });
    await dialog.getByText('With one changed field of this form.').waitFor();
    await dialog.getByLabel('Release', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('Spring issue');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Show release' }).click();
    await page.getByRole('heading', { level: 1, name: 'Spring issue' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Why margins matter' });
    await row.getByText('Title').waitFor();
    expect(await titleOf(id)).toBe('Why margins matter');
    await page.getByRole('button', { name: 'Publish release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish release' }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    await becomes(() => titleOf(id), 'Why margins still matter');
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('heading', { level: 1, name: 'Revert: Spring issue' }).waitFor();
    await page.getByRole('button', { name: 'Publish release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish release' }).click();
    await becomes(() => titleOf(id), 'Why margins matter');
  });

  test('a problem leads to its field, and what is settled is none any more', async () => {
    const { id } = await seed('On paper');
    await seed('Taken', { handle: 'paper' });
    const release = (await send(`POST ${root}`, { name: 'Autumn issue' })).id;
    await send(`PUT ${root}/${release}/items/article/${id}`, { action: 'publish', changes: { handle: 'paper' } });
    const page = await admin.page({ as: 'eve', path: `/releases/${release}` });
    await page.getByRole('button', { name: 'Check' }).click();
    const problem = page.getByRole('alert').getByRole('link', { name: 'On paper · Handle' });
    await problem.waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await problem.click();
    const handle = page.getByLabel(/^handle$/i);
    await handle.waitFor();
    await becomes(() => handle.evaluate((input) => input === document.activeElement), true);
    await page.goBack();
    await page.getByRole('button', { name: 'Take “On paper” out of the release' }).click();
    await page.getByText('Nothing in it yet').waitFor();
    expect((await send(`GET ${root}/${release}`)).items).toEqual([]);
  });

  test('by keyboard alone: a release is made, scheduled and open again', async () => {
    const { id } = await seed('Ink');
    const page = await admin.page({ as: 'eve', path: '/releases' });
    const begin = page.getByRole('button', { name: 'New release' }).first();
    await begin.waitFor();
    await begin.focus();
    await page.keyboard.press('Enter');
    const name = page.getByRole('dialog').getByLabel('Name');
    await becomes(() => name.evaluate((input) => input === document.activeElement), true);
    await page.keyboard.type('Winter issue');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Winter issue' }).waitFor();
    const release = page.url().split('/').at(-1) ?? '';
    await send(`PUT ${root}/${release}/items/article/${id}`, { action: 'unpublish' });
    await page.reload();
    const schedule = page.getByRole('button', { name: 'Schedule', exact: true });
    await schedule.waitFor();
    await schedule.focus();
    await page.keyboard.press('Enter');
    const time = page.getByLabel(/^Date and time/);
    await time.fill('2099-07-01T09:00');
    await page.keyboard.press('Enter');
    const cancel = page.getByRole('button', { name: 'Cancel schedule' });
    await cancel.waitFor();
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(await send(`GET ${root}/${release}`)).toMatchObject({ status: 'scheduled', time_zone: zone });
    await cancel.focus();
    await page.keyboard.press('Enter');
    await schedule.waitFor();
    expect((await send(`GET ${root}/${release}`)).status).toBe('open');
  });

  test('pages meet WCAG 2.2 AA in both themes, wide and narrow, and scroll to no side', async () => {
    const { id } = await seed('A title that is long enough to need more than one line in a narrow window of a phone');
    const release = (await send(`POST ${root}`, { name: 'A release with a long name '.repeat(4) })).id;
    await send(`PUT ${root}/${release}/items/article/${id}`, { action: 'publish', changes: { summary: 'x' } });
    await send(`POST ${root}/${release}/items/article`, { summary: 'Without a title' });
    const page = await admin.page({ as: 'eve' });
    const found = [...(await issuesAt(page, '/releases')), ...(await issuesAt(page, `/releases/${release}`))];
    expect(found).toEqual([]);
  });
});
