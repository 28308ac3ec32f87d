import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInEveryLook } from './looks.ts';

const story = {
  singular: 'story',
  plural: 'stories',
  name: 'Story',
  protocols: ['assignable', 'statusable', { name: 'versionable', drafts: true }],
  fields: [{ name: 'title', field_type: 'text', required: true }],
};
const root = '/api/v1/admin/cms/stories';

describe.skipIf(skipsLooks)(`notifications and assignments${looksSkipReason}`, () => {
  let admin: Admin;
  let ahead = 0;
  beforeAll(async () => {
    admin = await Admin.open([story], { now: () => Date.now() + ahead });
    await admin.account('eve', 'editor');
    await admin.account('ada');
    await admin.account('olga', 'editor');
    for (const [as, name] of [
      ['eve', 'Eve Larsen'],
      ['ada', 'Ada Byron'],
    ] as const)
      await admin.service.send('PUT /api/v1/auth/me', { as, body: { display_name: name } });
    await admin.service.runJobs();
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const send = async (line: string, body?: object, as = 'eve') =>
    (await admin.service.send(line, { as, ...(body === undefined ? {} : { body }) })).json;
  /** Reads the log: a job that runs by itself rests for a moment between its runs. */
  const read = async (): Promise<void> => {
    ahead += 1_000;
    await admin.service.runJobs();
  };
  const give = async (to: string, more: object = {}): Promise<string> => {
    const body = { title: 'Why margins matter', assignee: admin.service.idOf(to), ...more };
    const { id } = await send(`POST ${root}`, body);
    await read();
    return id;
  };
  const readAll = (as: string) =>
    send('POST /api/v1/auth/me/notifications/read', { before: '2999-01-01T00:00:00Z' }, as);
  const bell = (page: Page) => page.locator('.sidebar').getByRole('button', { name: /^Notifications/ });
  const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

  test('the bell counts what is new, and its panel leads there by keys alone', async () => {
    await readAll('ada');
    const id = await give('ada');
    await send(`POST ${root}/${id}/notes`, { text: 'Is this right?', mentions: [admin.service.idOf('ada')] });
    await read();
    const page = await admin.page({ as: 'ada' });
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).first().waitFor();
    await bell(page).focus();
    await page.keyboard.press('Enter');
    await panel(page).getByText('Is this right?').waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await panel(page).getByRole('button', { name: 'Mark as read' }).first().press('Enter');
    await page.getByRole('button', { name: 'Notifications, one unread' }).first().waitFor();
    await panel(page).getByRole('link', { name: 'Eve Larsen assigned “Why margins matter” to you' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Why margins matter' }).waitFor();
    await page.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor();
    expect((await send('GET /api/v1/auth/me/notifications', undefined, 'ada')).unread).toBe(0);
  });

  test('a note leads to the notes of its record, and all are marked at once', async () => {
    await readAll('ada');
    const id = await give('eve', { title: 'On ink' });
    for (const text of ['First', 'Second'])
      await send(`POST ${root}/${id}/notes`, { text, mentions: [admin.service.idOf('ada')] });
    await read();
    const page = await admin.page({ as: 'ada' });
    await bell(page).click();
    await panel(page).getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor();
    await panel(page)
      .getByRole('link', { name: /mentioned you/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'On ink' }).waitFor();
    await page.locator('[data-notes]').getByText('Second').waitFor();
  });

  test('says where there is nothing, and where it cannot be loaded', async () => {
    const page = await admin.page({ as: 'olga' });
    await bell(page).click();
    await panel(page).getByText('Nothing new').waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await becomes(() => page.evaluate(() => document.activeElement?.classList.contains('bell') === true), true);
  });

  test('on a phone the bell is in the bar', async () => {
    await readAll('ada');
    await give('ada');
    const page = await admin.page({ as: 'ada', width: 360, height: 740 });
    await page.locator('.bar').getByRole('button', { name: 'Notifications, one unread' }).click();
    await panel(page).getByText('assigned').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

  test('the count follows the stream', async () => {
    await readAll('ada');
    const page = await admin.page({ as: 'ada', own: true, path: '/profile' });
    await page.clock.install();
    await page.reload();
    await page.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor();
    const opened = page.waitForResponse((response) => response.url().includes('/api/v1/events?'));
    await page.clock.fastForward(11_000);
    await opened;
    await give('ada');
    await becomes(async () => {
      await page.clock.runFor(100);
      return page.getByRole('button', { name: 'Notifications, one unread' }).first().isVisible();
    }, true);
  });

  test('a record is assigned beside its form, also while it has a draft', async () => {
    const { id } = await send(`POST ${root}`, { title: 'On paper', status: 'published' });
    const page = await admin.page({ as: 'eve', path: `/content/stories/${id}` });
    const section = page.getByRole('region', { name: 'Assignment' });
    await section.getByRole('button', { name: 'Assign to me' }).click();
    await becomes(async () => (await send(`GET ${root}/${id}`)).assignee, admin.service.idOf('eve'));
    await section.getByText('Assigned to Eve Larsen').waitFor();
    await section.getByRole('combobox', { name: 'Find somebody' }).pressSequentially('Ada');
    await page.getByRole('option', { name: 'Ada Byron' }).click();
    await becomes(async () => (await send(`GET ${root}/${id}`)).assignee, admin.service.idOf('ada'));
    await section.getByLabel('Due').fill('2031-01-15T09:00');
    // The keys of the control go through its parts first.
    await section.getByLabel('Due').blur();
    await becomes(async () => (await send(`GET ${root}/${id}`)).due_at !== null, true);
    const { __draft: draft } = await send(`GET ${root}/${id}`);
    expect(draft).toBeNull();
    await section.getByRole('button', { name: 'Assign to nobody' }).click();
    await becomes(async () => (await send(`GET ${root}/${id}`)).assignee, null);
  });

  test('lists and the home page show what is assigned to the person', async () => {
    await give('olga', { title: 'For Olga', due_at: '2001-01-15T09:00:00Z' });
    const page = await admin.page({ as: 'olga' });
    const own = page.getByRole('region', { name: 'Assigned to you' });
    await own.getByRole('link', { name: 'For Olga' }).waitFor();
    await own.getByText('Overdue').waitFor();
    await page.goto('/admin/content/stories');
    await page.getByRole('button', { name: 'Assigned to me' }).click();
    await page.getByRole('link', { name: 'For Olga' }).waitFor();
    await page.getByRole('link', { name: 'On paper' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Assigned to me' }).getAttribute('aria-pressed')).toBe('true');
  });
});
