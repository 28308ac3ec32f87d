import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { issuesInBothThemes } from '../looks.ts';

// Quick filters, cells that are changed in the list, views in an order, and the list as of a time.

const story = {
  singular: 'story',
  plural: 'stories',
  name: 'Story',
  protocols: ['ownable', { name: 'statusable', values: ['draft', 'published'], schedule: 'published' }],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'kind', field_type: 'enum', enum_values: ['news', 'essay'] },
    { name: 'featured', field_type: 'boolean', default: false },
    { name: 'pages', field_type: 'integer' },
    { name: 'day', field_type: 'date' },
    { name: 'born', field_type: 'text', immutable: true },
  ],
  admin: { list_columns: ['title', 'kind', 'featured', 'pages', 'day', 'born'] },
};
const reader = { name: 'reader', label: 'Reader', types: { story: { list: true, get: true } } };
const path = '/content/stories';

describe.skipIf(skipsLooks)(`what lists do${looksSkipReason}`, () => {
  let admin: Admin;
  let id: string;
  beforeAll(async () => {
    admin = await Admin.open([story], { roles: [reader] });
    await admin.account('ada', 'admin');
    await admin.account('rita', 'reader');
    id = (await admin.service.seed('stories', { title: 'Margins', kind: 'news', pages: 4, born: 'x' })).id;
    await admin.service.seed('stories', { title: 'Paper', kind: 'essay', featured: true });
    await admin.service.seed('stories', { title: 'Tomorrow', scheduled_at: '2100-01-01T00:00:00Z' });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const titles = (page: Page): Promise<string[]> => page.locator('td.linked').allInnerTexts();
  const cell = (page: Page, title: string, label: string) =>
    page.getByRole('row', { name: title }).locator(`td[data-label="${label}"]`);
  const stored = async (): Promise<Record<string, unknown>> =>
    (await admin.service.send(`GET /api/v1/admin/cms/stories/${id}`, { as: 'ada' })).json;

  test('quick filters are set and taken back by one click, beside others and in the address', async () => {
    const page = await admin.page({ as: 'ada', path });
    const quick = page.getByRole('group', { name: 'Quick filters' });
    await quick.getByRole('button', { name: 'Featured' }).click();
    await becomes(() => titles(page), ['Paper']);
    expect(new URL(page.url()).searchParams.get('filter')).toBe('featured = true');
    await quick.getByRole('button', { name: 'News' }).click();
    await page
      .getByText('No records match')
      .or(page.getByRole('button', { name: /clear/i }))
      .first()
      .waitFor();
    await quick.getByRole('button', { name: 'Featured' }).click();
    await becomes(() => titles(page), ['Margins']);
    expect(new URL(page.url()).searchParams.get('filter')).toBe('kind = "news"');
    await page.goBack();
    expect(await quick.getByRole('button', { name: 'Featured' }).getAttribute('aria-pressed')).toBe('true');
    const issues = await issuesInBothThemes(page);
    expect(issues).toEqual([]);
  });

  test('a cell is changed by a double click or F2, Tab goes on, Escape gives up, and Undo takes back', async () => {
    const page = await admin.page({ as: 'ada', path });
    await cell(page, 'Margins', 'Pages').dblclick();
    const box = page.getByRole('textbox', { name: 'Pages of Margins' });
    await box.fill('12');
    await page.keyboard.press('Tab');
    await page.locator('input[aria-label="Day of Margins"]').waitFor();
    await becomes(async () => (await stored()).pages, 12);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await becomes(async () => (await stored()).pages, 4);
    // By keys alone.
    await page.getByRole('link', { name: 'Margins' }).focus();
    await page.keyboard.press('F2');
    const title = page.getByRole('textbox', { name: 'Title of Margins' });
    await title.fill('Wide margins');
    await page.keyboard.press('Escape');
    expect((await stored()).title).toBe('Margins');
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Title of Margins' }).fill('Wide margins');
    await page.keyboard.press('Enter');
    await becomes(async () => (await stored()).title, 'Wide margins');
    await becomes(() => page.evaluate(() => document.activeElement?.textContent?.trim() ?? ''), 'Wide margins');
    await cell(page, 'Wide margins', 'Kind').dblclick();
    await page.getByRole('combobox', { name: 'Kind of Wide margins' }).selectOption('essay');
    await page.keyboard.press('Enter');
    await becomes(async () => (await stored()).kind, 'essay');
    // What is set once stays.
    await cell(page, 'Wide margins', 'Born').dblclick();
    expect(await page.locator('.editor').count()).toBe(0);
  });

  test('what somebody else has changed is named, and replaced only if wanted', async () => {
    const page = await admin.page({ as: 'ada', path });
    await cell(page, 'Wide margins', 'Pages').dblclick();
    await admin.service.send(`PUT /api/v1/admin/cms/stories/${id}`, { as: 'ada', body: { pages: 77 } });
    await page.getByRole('textbox', { name: 'Pages of Wide margins' }).fill('5');
    await page.keyboard.press('Enter');
    await page.getByText('Somebody has changed this to “77” meanwhile.').waitFor();
    expect((await stored()).pages).toBe(77);
    await page.getByRole('button', { name: 'Set mine' }).click();
    await becomes(async () => (await stored()).pages, 5);
  });

  test('who may not write changes no cell', async () => {
    const page = await admin.page({ as: 'rita', path });
    await cell(page, 'Wide margins', 'Pages').dblclick();
    await page.getByRole('link', { name: 'Wide margins' }).focus();
    await page.keyboard.press('F2');
    expect(await page.locator('.editor').count()).toBe(0);
  });

  test('saved views keep the order that a person gives them', async () => {
    for (const name of ['A view', 'B view', 'C view'])
      await admin.service.send('POST /api/v1/admin/views', { as: 'ada', body: { type: 'stories', name } });
    const page = await admin.page({ as: 'ada', path });
    await page.getByRole('button', { name: 'Views' }).click();
    const views = page.getByRole('region', { name: 'Your views' }).or(page.locator('section:has(h3)')).first();
    const names = () => views.locator('.name').allInnerTexts();
    await becomes(names, ['A view', 'B view', 'C view']);
    await views.getByRole('button', { name: 'C view', exact: true }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await becomes(names, ['A view', 'C view', 'B view']);
    await becomes(async () => {
      const { json } = await admin.service.send('GET /api/v1/admin/preferences', { as: 'ada' });
      return json.items.find(({ name }: { name: string }) => name === 'list:stories')?.value.views.length;
    }, 3);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.getByRole('button', { name: 'Views' }).click();
    await becomes(names, ['A view', 'C view', 'B view']);
  });

  test('a list is shown as of a time, marked as such', async () => {
    const page = await admin.page({ as: 'ada', path });
    await page.getByRole('button', { name: 'As of' }).click();
    await page.getByLabel('Date and time').fill('2100-02-01T09:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText(/As it will stand on/).waitFor();
    const row = page.getByRole('row', { name: 'Tomorrow' });
    await row.waitFor();
    await page.getByRole('button', { name: /Published/ }).click();
    await becomes(() => titles(page), ['Tomorrow']);
    expect(new URL(page.url()).searchParams.get('as_of')).toMatch(/^2100-02-01/);
    await page.getByRole('button', { name: 'Back to now' }).first().click();
    await becomes(() => titles(page), []);
  });
});
