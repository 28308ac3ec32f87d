import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInEveryLook } from './looks.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  name: 'Article',
  protocols: ['assignable', { name: 'statusable', values: ['draft', 'published'], schedule: 'published' }],
  fields: [{ name: 'title', field_type: 'text', required: true }],
};

describe.skipIf(skipsLooks)(`the calendar${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([article]);
    await admin.account('eve', 'editor');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const seed = async (title: string, more: object): Promise<string> =>
    (await admin.service.seed('articles', { title, ...more })).id;
  const timeOf = async (id: string, name = 'scheduled_at'): Promise<string> =>
    (await admin.service.send(`GET /api/v1/admin/cms/articles/${id}`, { as: 'eve' })).json[name];
  const dayOf = async (id: string) => (await timeOf(id)).slice(0, 10);
  const open = (query: string, more: object = {}) =>
    admin.page({ as: 'eve', path: `/calendar?${query}`, width: 1440, height: 1000, ...more });
  const day = (page: Page, date: string) => page.locator(`[data-date="${date}"]`);
  const focused = (page: Page) =>
    page.evaluate<string>(
      `document.activeElement.dataset.date ?? document.activeElement.textContent.replaceAll(/\\s+/g, ' ').trim()`,
    );

  test('shows a month and a week with what is planned, and leads to it', async () => {
    const id = await seed('Spring', { scheduled_at: '2091-03-10T12:00:00Z' });
    await seed('Due soon', { due_at: '2091-03-11T12:00:00Z' });
    for (let index = 0; index < 5; index += 1)
      await seed(`Busy ${index}`, { scheduled_at: `2091-03-12T1${index}:00:00Z` });
    const page = await open('date=2091-03-05');
    await page.getByRole('heading', { name: 'March 2091' }).waitFor();
    await day(page, '2091-03-10').getByText('Spring').waitFor();
    await page
      .getByRole('gridcell', { name: /11.*1 entry/ })
      .getByText('Due soon')
      .waitFor();
    expect(await issuesInEveryLook(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.getByRole('button', { name: /^2 more on/ }).click();
    await day(page, '2091-03-12').getByText('Busy 4').waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Previous week' }).click();
    await day(page, '2091-03-10').getByText('Spring').waitFor();
    await page.getByRole('button', { name: 'Previous week' }).click();
    await page.getByText('Nothing is planned here').waitFor();
    await page.getByRole('button', { name: 'Next week' }).click();
    await page.getByRole('button', { name: 'Month' }).click();
    await day(page, '2091-03-10')
      .getByRole('link', { name: /Spring/ })
      .click();
    await page.waitForURL(new RegExp(`/content/articles/${id}`));
  });

  test('narrows to a type or to releases, and goes to today', async () => {
    await seed('Only one', { scheduled_at: '2091-05-10T12:00:00Z' });
    await admin.service.send('POST /api/v1/admin/releases', {
      as: 'eve',
      body: { name: 'May issue', scheduled_at: '2091-05-11T12:00:00Z' },
    });
    const page = await open('date=2091-05-05');
    await page.getByText('May issue').waitFor();
    await page.getByLabel('Show').selectOption({ label: 'Articles' });
    await page.getByText('May issue').waitFor({ state: 'detached' });
    await page.getByText('Only one').waitFor();
    await page.getByLabel('Show').selectOption({ label: 'Releases' });
    await page.getByText('Only one').waitFor({ state: 'detached' });
    await page.getByText('May issue').waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.locator('[role=gridcell][aria-current=date]').waitFor();
  });

  test('an entry is dragged to another day, at the same time of day, and brought back', async () => {
    const id = await seed('Dragged', { scheduled_at: '2091-06-10T12:34:00Z' });
    const page = await open('date=2091-06-05');
    await day(page, '2091-06-10').getByText('Dragged').dragTo(day(page, '2091-06-17'));
    await day(page, '2091-06-17').getByText('Dragged').waitFor();
    await becomes(() => timeOf(id), '2091-06-17T12:34:00.000Z');
    await page.getByRole('button', { name: 'Undo' }).click();
    await becomes(() => timeOf(id), '2091-06-10T12:34:00.000Z');
    await day(page, '2091-06-10').getByText('Dragged').waitFor();
  });

  test('by keys: days are walked through, an entry is picked up, carried to another month and put down', async () => {
    const id = await seed('Carried', { scheduled_at: '2091-07-30T12:00:00Z' });
    const page = await open('date=2091-07-30');
    await day(page, '2091-07-30').getByText('Carried').waitFor();
    await day(page, '2091-07-30').focus();
    await page.keyboard.press('ArrowLeft');
    await becomes(() => focused(page), '2091-07-29');
    await page.keyboard.press('ArrowRight');
    await becomes(() => focused(page), '2091-07-30');
    await page.keyboard.press('Enter');
    await becomes(async () => (await focused(page)).includes('Carried'), true);
    await page.keyboard.press('Space');
    await page.getByText(/^Picked up “Carried”/).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await becomes(() => focused(page), '2091-08-06');
    await page.getByRole('heading', { name: 'August 2091' }).waitFor();
    // Escape leaves it where it was.
    await page.keyboard.press('Escape');
    await becomes(async () => (await focused(page)).includes('Carried'), true);
    expect(await dayOf(id)).toBe('2091-07-30');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await becomes(() => focused(page), '2091-07-31');
    await page.keyboard.press('Enter');
    await becomes(() => dayOf(id), '2091-07-31');
    await becomes(async () => (await focused(page)).includes('Carried'), true);
  });

  test('what somebody else has moved meanwhile stays where they have put it', async () => {
    const id = await seed('Contended', { scheduled_at: '2091-09-10T12:00:00Z' });
    const page = await open('date=2091-09-05');
    await day(page, '2091-09-10').getByText('Contended').waitFor();
    await admin.service.send(`PUT /api/v1/admin/cms/articles/${id}`, {
      as: 'eve',
      body: { scheduled_at: '2091-09-20T12:00:00Z' },
    });
    await day(page, '2091-09-10').getByText('Contended').dragTo(day(page, '2091-09-12'));
    await page.getByText(/Somebody else has moved “Contended”/).waitFor();
    await day(page, '2091-09-20').getByText('Contended').waitFor();
    expect(await dayOf(id)).toBe('2091-09-20');
  });

  test('on a phone it is a list by day, and an entry is moved by a dialog', async () => {
    const id = await seed('On the phone', { scheduled_at: '2091-10-10T12:00:00Z' });
    const page = await open('date=2091-10-05', { width: 390, height: 800 });
    await page.getByRole('heading', { level: 2, name: /10 October 2091|October 10, 2091/ }).waitFor();
    await page.getByRole('button', { name: 'Move “On the phone”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move to another time' });
    await dialog.getByLabel('Date and time').fill('2091-10-12T08:15');
    expect(await accessibilityIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await becomes(() => dayOf(id), '2091-10-12');
  });
});
