import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { placeFiles, textBytes } from './media-library.ts';

const title = { name: 'title', field_type: 'text' };
const definitions = [
  { name: 'Article', singular: 'article', plural: 'articles', protocols: ['versionable'], fields: [title] },
  { name: 'Note', singular: 'note', plural: 'notes', fields: [title] },
];
const hostile = '<script>alert(1)</script> \u202etxt';

describe.skipIf(chromiumPath === undefined)(`the audit log, jobs, webhooks and settings${skipReason}`, () => {
  let admin: Admin;
  let receiver: ReturnType<typeof Bun.serve>;
  /** What the receiver answers next; 200 otherwise. */
  let answers: Response[] = [];
  const received: string[] = [];
  const ids: Record<string, string> = {};

  const send = async (line: string, body?: object, as = 'ada') => {
    const { status, json, text } = await admin.service.send(line, { as, ...(body === undefined ? {} : { body }) });
    if (status >= 300) throw new Error(`${line}: ${text}`);
    return json;
  };

  beforeAll(async () => {
    receiver = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        received.push(await request.text());
        return answers.shift() ?? new Response('thanks');
      },
    });
    admin = await Admin.open(definitions);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
    await admin.account('nora', 'admin', 'north');
    ids.article = (await send('POST /api/v1/admin/cms/articles', { title: 'One' })).id;
    await send(`PUT /api/v1/admin/cms/articles/${ids.article}`, { title: hostile }, 'edith');
    ids.note = (await send('POST /api/v1/admin/cms/notes', { title: 'First' }, 'edith')).id;
    // Makes the jobs that run by a schedule.
    await admin.service.runJobs();
    for (let count = 0; count < 60; count++)
      await send(`PUT /api/v1/admin/cms/notes/${ids.note}`, { title: `${count}` });
  });
  afterEach(() => admin?.endTest());
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await receiver?.stop(true);
  });

  const rows = (page: Page) => page.getByRole('table').getByRole('row');
  const withText = (page: Page, text: string) => rows(page).filter({ hasText: text });

  test('the audit log pages back, and each page has an address', async () => {
    const page = await admin.page({ as: 'ada', path: '/audit-log' });
    await withText(page, 'Note').first().waitFor();
    expect(await rows(page).count()).toBe(51);
    await page.getByRole('button', { name: 'Older' }).click();
    await withText(page, 'Article').first().waitFor();
    expect(page.url()).toContain('before=');
    await page.reload();
    await withText(page, 'Article').first().waitFor();
    await page.goBack();
    await withText(page, 'Article').first().waitFor({ state: 'detached' });
  });

  test('the audit log is filtered by who, action, type, record and time', async () => {
    const page = await admin.page({ as: 'ada', path: '/audit-log' });
    await withText(page, 'Note').first().waitFor();
    await page.getByLabel('Who').pressSequentially('edith');
    await page.getByRole('option', { name: 'edith@example.com' }).click();
    await page.waitForURL(/actor=/);
    await page.getByLabel('Action').selectOption('Created');
    await page.waitForURL(/action=create/);
    await withText(page, 'Updated').first().waitFor({ state: 'detached' });
    expect(await rows(page).count()).toBe(2);
    await page.getByLabel('Type', { exact: true }).selectOption('Articles');
    await page.getByText('No change matches').waitFor();
    await page.goto(`/admin/audit-log?record=${ids.article}`);
    await withText(page, 'Article').first().waitFor();
    expect(await rows(page).count()).toBe(3);
    await page.getByLabel('Until').fill('2020-01-01T00:00');
    await page.getByLabel('Until').blur();
    await page.getByText('No change matches').waitFor();
    expect(page.url()).toContain('until=2020-01-01T00%3A00%3A00.000Z');
  });

  test('the audit log names records and fields as people know them, and leads to where they are shown', async () => {
    const post = await admin.service.seed('posts', { title: 'Paper & thread', content: 'text' });
    await send(`PUT /api/v1/admin/posts/${post.id}`, { meta_title: 'Paper' });
    const files = await placeFiles(admin.service, 'ada', [{ name: 'plan.txt', bytes: textBytes('plan') }]);
    const page = await admin.page({ as: 'ada', path: `/audit-log?record=${post.id}` });
    await page.getByRole('link', { name: 'Paper & thread', exact: true }).first().waitFor();
    await withText(page, 'Updated').getByText('Meta title', { exact: true }).waitFor();
    await page.goto(`/admin/audit-log?record=${files['plan.txt']}`);
    await page.getByRole('link', { name: 'plan.txt', exact: true }).click();
    await page.getByRole('dialog', { name: 'plan.txt' }).waitFor();
    await page.goto('/admin/audit-log?type=account');
    await page.getByRole('link', { name: 'edith@example.com', exact: true }).first().waitFor();
    // One that is gone has no name.
    await send(`DELETE /api/v1/admin/posts/${post.id}`);
    await page.goto(`/admin/audit-log?record=${post.id}&action=delete`);
    await withText(page, `…${post.id.slice(-8)}`).waitFor();
  });

  test('the details of a change show before and after from the revisions, as text', async () => {
    const page = await admin.page({ as: 'ada', path: `/audit-log?record=${ids.article}` });
    await withText(page, 'Updated')
      .getByRole('button', { name: /^Details/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Before').waitFor();
    await dialog.getByText('One', { exact: true }).waitFor();
    await dialog.getByText(hostile).last().waitFor();
    expect(await dialog.getByText(hostile).count()).toBe(2);
    expect(page.url()).toContain('event=');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('event=');
    await page.goto(`/admin/audit-log?record=${ids.note}&action=create`);
    await page.getByRole('button', { name: /^Details/ }).click();
    await page.getByText('keeps no revisions').waitFor();
    await page.getByRole('link', { name: 'Open the record' }).waitFor();
  });

  test('the audit log is exported with its filters', async () => {
    const page = await admin.page({ as: 'ada', path: `/audit-log?record=${ids.note}` });
    await withText(page, 'Note').first().waitFor();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('audit-log.ndjson');
    const lines = (await Bun.file(await download.path()).text()).trim().split('\n');
    expect(lines).toHaveLength(61);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ record: ids.note, action: 'create' });
  });

  test('jobs are listed by state; those with a schedule run now, and cannot be cancelled', async () => {
    const page = await admin.page({ as: 'ada', path: '/jobs' });
    await withText(page, 'Removal of old jobs').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel job: Removal of old jobs' }).count()).toBe(0);
    await page.getByLabel('State').selectOption('Failed');
    await page.getByText('No job matches').waitFor();
    await page.getByLabel('State').selectOption('Waiting');
    // When it runs next, and not when it ran last.
    const { items } = await send('GET /api/v1/admin/jobs?kind=jobs.prune');
    const next = new Date(items[0].run_at).toISOString();
    await withText(page, 'Removal of old jobs').locator(`time[datetime="${next}"]`).waitFor();
    await page.getByRole('button', { name: 'Run now: Removal of old jobs' }).click();
    await page.getByRole('status').filter({ hasText: 'The job runs now.' }).waitFor();
    await page.getByRole('button', { name: 'Details of Removal of old jobs' }).click();
    await page.getByRole('dialog', { name: 'Job: Removal of old jobs' }).getByText('jobs.prune').waitFor();
    expect(page.url()).toContain('job=');
  });

  test('a job that has ended shows when, and not when it was to run', async () => {
    // Nobody waits for what an export is, and it ends by itself.
    const { id } = await send('POST /api/v1/admin/exports', { type: 'posts' });
    await admin.service.runJobs();
    await becomes(async () => (await send(`GET /api/v1/admin/exports/${id}`)).state, 'done');
    const { items } = await send('GET /api/v1/admin/jobs?state=done&kind=transfer.export');
    const [job] = items;
    expect([job.finished_at !== null, job.finished_at === job.run_at]).toEqual([true, false]);
    const page = await admin.page({ as: 'ada', path: '/jobs?state=done' });
    await page
      .locator(`tr time[datetime="${new Date(job.finished_at).toISOString()}"]`)
      .first()
      .waitFor();
    expect(await page.locator(`tr time[datetime="${new Date(job.run_at).toISOString()}"]`).count()).toBe(0);
  });

  test('a webhook is created with its secret, tested, and a failed delivery is sent again', async () => {
    const page = await admin.page({ as: 'ada', path: '/webhooks' });
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill('not an address');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Address').fill(receiver.url.href);
    await page.getByLabel('Description').fill(hostile.slice(0, 25));
    await page.getByRole('checkbox', { name: 'Articles' }).check();
    await page.getByRole('checkbox', { name: 'Updated' }).check();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'The secret of the webhook' });
    expect(await dialog.getByRole('group', { name: 'Secret' }).textContent()).toStartWith('whsec_');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('heading', { level: 1, name: hostile.slice(0, 25) })
      .and(page.locator(':focus'))
      .waitFor();
    const { items } = await send('GET /api/v1/admin/webhooks');
    expect(items).toMatchObject([{ url: receiver.url.href, types: ['articles'], actions: ['update'] }]);

    answers = [new Response('no <b>thanks</b>', { status: 400 })];
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('A test message is on its way.').waitFor();
    await admin.service.runJobs();
    const delivery = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1);
    await delivery.getByText('Failed').waitFor();
    await delivery.getByText(/: 400\./).waitFor();
    await delivery.getByText('no <b>thanks</b>').waitFor();
    await delivery.getByRole('button', { name: /^Send again/ }).press('Enter');
    await page.getByText('The message is sent again.').waitFor();
    // The button is gone, and the focus is not.
    await page.getByRole('main').locator(':focus').waitFor();
    await admin.service.runJobs();
    await delivery.getByText('Delivered').waitFor();
    expect(received.filter((text) => text.includes('webhook.test'))).toHaveLength(2);

    await page.getByRole('switch', { name: 'Enabled' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });

  test('what was asked for before a change does not stand for what there is after it', async () => {
    const webhook = await send('POST /api/v1/admin/webhooks', { url: receiver.url.href });
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    admin.intercept = async (request) => {
      if (!request.url.includes('/deliveries')) return undefined;
      admin.intercept = undefined;
      const early = await admin.service.app.fetch(request);
      asked.resolve();
      await answer.promise;
      return early;
    };
    const page = await admin.page({ as: 'ada', path: `/webhooks/${webhook.id}` });
    await asked.promise;
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('A test message is on its way.').waitFor();
    answer.resolve();
    await page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1).waitFor();
    await admin.service.runJobs();
    await send(`DELETE /api/v1/admin/webhooks/${webhook.id}`);
  });

  test('an admin of a tenant reaches the pages of the tenant alone', async () => {
    const page = await admin.page({ as: 'nora' });
    const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    const shown = links.map((link) => link.trim());
    expect(shown).toContain('Users');
    expect(shown).not.toContain('Webhooks');
    expect(shown).not.toContain('Settings');
    for (const path of ['webhooks', 'settings', 'types', 'types/page', 'types/new']) {
      await page.goto(`/admin/${path}`);
      await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
    }
  });
});
