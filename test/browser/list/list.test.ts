import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import type { Admin } from '../admin.ts';
import { chromiumPath, skipReason } from '../chromium.ts';
import { closeBy } from '../dialogs.ts';
import { issuesInBothThemes } from '../looks.ts';
import {
  addressOf,
  article,
  author,
  button,
  event,
  expectTitles,
  openLists,
  section,
  seedArticles,
  settings,
  step,
  tableOf,
  toastOf,
  topic,
} from './lists.ts';

describe.skipIf(chromiumPath === undefined)(`a list${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openLists([author, article, event, step, section, settings, topic]);
    await seedArticles(admin);
    await admin.service.seed('topics', { name: 'Ink' });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const open = (path: string, as = 'ada', more = {}): Promise<Page> =>
    admin.page({ as, path: `/content/${path}`, ...more });

  test('shows records by their titles, with what they relate to, and leads to their forms', async () => {
    const page = await open('articles');
    const table = tableOf(page);
    await expectTitles(table, 'Article 130', 'Article 129', 'Article 128');
    await table
      .getByRole('row', { name: /Article 129/ })
      .getByText('Ines Ferreira')
      .waitFor();
    await page.getByRole('link', { name: 'New Article' }).waitFor();
    await table.getByRole('link', { name: 'Article 129' }).click();
    await page.waitForURL(/\/admin\/content\/articles\/[0-9a-f-]{36}$/);
  });

  test('is where it was when somebody comes back to it, by the pointer and by keys', async () => {
    const page = await open('articles?sort=reads:asc', 'ada', { own: true });
    await expectTitles(tableOf(page), 'Article 001');
    const link = tableOf(page).getByRole('link', { name: 'Article 047' });
    for (const way of ['click', 'Enter']) {
      await link.scrollIntoViewIfNeeded();
      const scrolled = await page.evaluate(() => scrollY);
      expect(scrolled).toBeGreaterThan(100);
      if (way === 'click') await link.click();
      else {
        await link.focus();
        await page.keyboard.press('Enter');
      }
      await page.getByLabel('Title', { exact: true }).waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await page.goBack();
      await link.and(page.locator(':focus')).waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    }
    // Also after a while, when the list has to be loaded again.
    await page.clock.install();
    await link.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => scrollY);
    await link.click();
    await page.getByLabel('Title', { exact: true }).waitFor();
    await page.clock.fastForward('10:00');
    const loading = Promise.withResolvers<void>();
    const asked = page.waitForRequest((request) => /cms\/articles\?/.test(request.url()));
    admin.intercept = async (request) => {
      if (/cms\/articles\?/.test(request.url)) await loading.promise;
      return undefined;
    };
    await page.goBack();
    await asked;
    await page.getByRole('heading', { level: 1, name: 'Articles' }).and(page.locator(':focus')).waitFor();
    loading.resolve();
    admin.intercept = undefined;
    await link.and(page.locator(':focus')).waitFor();
    await page.waitForFunction((expected) => scrollY === expected, scrolled);
    // Another way to it begins at its top.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Authors' }).click();
    await tableOf(page, 'Authors').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Articles' }).click();
    await page.getByRole('heading', { level: 1, name: 'Articles' }).and(page.locator(':focus')).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test.each([1440, 800])(
    'keeps the names of its columns in view, and no row of the keyboard under them, %d px',
    async (width) => {
      const page = await open('articles?sort=reads:asc', 'ada', { width });
      const table = tableOf(page);
      await expectTitles(table, 'Article 001');
      /** Whether an element is what a pointer at its middle finds. The head follows the page in the next frame. */
      const isUncovered = (at: Locator): Promise<boolean> =>
        at.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const found = document.elementFromPoint(x + width / 2, y + height / 2);
          return found !== null && (element.contains(found) || found.contains(element));
        });
      const head = table.getByRole('columnheader', { name: 'Title' });
      const link = (title: string): Locator => table.getByRole('link', { name: title, exact: true });
      await link('Article 050').scrollIntoViewIfNeeded();
      await becomes(() => isUncovered(head), true);
      // Row by row upwards, until the list has to scroll.
      await link('Article 050').focus();
      for (let number = 49; number >= 20; number -= 1) {
        await page.keyboard.press('ArrowUp');
        const row = link(`Article ${String(number).padStart(3, '0')}`);
        await row.and(page.locator(':focus')).waitFor();
        await becomes(() => isUncovered(row), true);
      }
      await becomes(() => isUncovered(head), true);
    },
  );

  test('says what others made, and shows it when somebody asks', async () => {
    const page = await open('topics?sort=name:asc', 'ada', { own: true });
    await page.clock.install();
    await page.reload();
    const table = tableOf(page, 'Topics');
    await expectTitles(table, 'Ink');
    const made: string[] = [];
    for (const name of ['Binding', 'Glue']) {
      const { json } = await admin.service.send('POST /api/v1/admin/cms/topics', { as: 'eve', body: { name } });
      made.push(json.id);
    }
    const shows = button(page, '2 new: show them');
    // The clock of the page stands still in between.
    await page.clock.runFor(20_000);
    await shows.waitFor();
    await expectTitles(table, 'Ink');
    expect(await table.locator('tbody tr').count()).toBe(1);
    expect(await issuesInBothThemes(page)).toEqual([]);
    await shows.click();
    await expectTitles(table, 'Binding', 'Glue', 'Ink');
    await shows.waitFor({ state: 'detached' });
    for (const id of made) await admin.service.send(`DELETE /api/v1/admin/cms/topics/${id}`, { as: 'ada' });
  });

  test('counts by status, and shows one of them', async () => {
    const page = await open('articles');
    const counts = page.getByRole('navigation', { name: 'By status' });
    await counts.getByRole('button', { name: 'draft 65' }).click();
    await expectTitles(tableOf(page), 'Article 129', 'Article 127');
    expect(addressOf(page).get('filter')).toBe('status = "draft"');
    await counts.getByRole('button', { name: 'published 65' }).click();
    await expectTitles(tableOf(page), 'Article 130', 'Article 128');
    await counts.getByRole('button', { name: 'All 130' }).click();
    await expectTitles(tableOf(page), 'Article 130', 'Article 129');
  });

  test('shows scheduled records in the order of their times', async () => {
    const made: string[] = [];
    for (const [title, scheduled_at] of [
      ['Third', '2999-03-01T10:00:00.000Z'],
      ['First', '2999-01-01T10:00:00.000Z'],
      ['Second', '2999-02-01T10:00:00.000Z'],
    ])
      made.push((await admin.service.seed('events', { title, scheduled_at })).id);
    const page = await open('events', 'eve');
    const table = tableOf(page, 'Events');
    const statuses = page.getByRole('navigation', { name: 'By status' });
    await statuses.getByRole('button', { name: 'Scheduled 3' }).click();
    await expectTitles(table, 'First', 'Second', 'Third');
    await statuses.getByRole('button', { name: /^All/ }).click();
    await page.waitForFunction(() => !location.search.includes('sort'));
    for (const id of made) await admin.service.send(`DELETE /api/v1/admin/cms/events/${id}`, { as: 'ada' });
  });

  test('shows which records are scheduled, and when, and these alone', async () => {
    for (const [title, scheduled_at] of [
      ['Soon', '2999-01-01T10:00:00.000Z'],
      ['Some day', null],
    ]) {
      const made = await admin.service.send('POST /api/v1/admin/cms/events', {
        as: 'ada',
        body: { title, scheduled_at },
      });
      expect(made.status).toBe(201);
    }
    const page = await open('events?sort=title:desc', 'eve');
    const table = tableOf(page, 'Events');
    await expectTitles(table, 'Soon', 'Some day');
    const statusOf = (title: string): Promise<string> =>
      table.getByRole('row').filter({ hasText: title }).getByRole('cell').nth(2).innerText();
    expect((await statusOf('Soon')).replaceAll(/\s+/g, ' ')).toBe('Draft Scheduled for 1 Jan 2999, 10:00');
    expect(await statusOf('Some day')).toBe('Draft');
    const statuses = page.getByRole('navigation', { name: 'By status' });
    // An order that somebody has chosen stays.
    await statuses.getByRole('button', { name: 'Scheduled 1' }).click();
    expect(addressOf(page).get('sort')).toBe('title:desc');
    await table.getByRole('link', { name: 'Some day' }).waitFor({ state: 'detached' });
    expect(addressOf(page).get('filter')).toBe('scheduled_at != null');
    expect(await statuses.getByRole('button', { name: 'Scheduled 1' }).getAttribute('aria-pressed')).toBe('true');
    expect(await statuses.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('false');
    await statuses.getByRole('button', { name: 'draft 2' }).click();
    await table.getByRole('link', { name: 'Some day' }).waitFor();
    expect(addressOf(page).get('filter')).toBe('status = "draft"');
    // Publishing ends the schedule; taking it back brings the schedule back too.
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await button(page, 'Publish').click();
    await toastOf(page, '2 records published.');
    await button(page, 'Undo').click();
    await toastOf(page, 'Undone.');
    const { json } = await admin.service.send('GET /api/v1/admin/cms/events?sort=title:desc', { as: 'ada' });
    expect(json.items).toMatchObject([
      { title: 'Soon', status: 'draft', scheduled_at: '2999-01-01T10:00:00.000Z' },
      { title: 'Some day', status: 'draft', scheduled_at: null },
    ]);
  });

  test('reports a filter that does not work, with the way out', async () => {
    const page = await open(`articles?filter=${encodeURIComponent('titel = "a"')}`);
    await page.getByRole('alert').getByText('titel').waitFor();
    await button(page, 'Edit the filter').click();
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Field' });
    expect(await field.inputValue()).toBe('titel');
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByRole('button', { name: 'Clear filters' }).click();
    await expectTitles(tableOf(page), 'Article 130');
  });

  test('goes through its pages from both ends, by addresses', async () => {
    const page = await open('articles?sort=title:asc&size=20');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByText('1–20 of 130').waitFor();
    await pages.getByRole('button', { name: 'Next page' }).click();
    await expectTitles(tableOf(page), 'Article 021');
    await pages.getByRole('button', { name: 'Last page' }).click();
    await expectTitles(tableOf(page), 'Article 111');
    await pages.getByText('111–130 of 130').waitFor();
    expect(await pages.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await pages.getByRole('button', { name: 'Previous page' }).click();
    await expectTitles(tableOf(page), 'Article 091');
    await pages.getByText('91–110 of 130').waitFor();
    await page.reload();
    await expectTitles(tableOf(page), 'Article 091');
    await pages.getByRole('button', { name: 'Next page' }).click();
    await expectTitles(tableOf(page), 'Article 111');
    await page.goBack();
    await expectTitles(tableOf(page), 'Article 091');
    await pages.getByRole('button', { name: 'First page' }).click();
    await expectTitles(tableOf(page), 'Article 001');
    await tableOf(page).getByRole('link', { name: 'Article 001' }).focus();
    await page.keyboard.press('PageDown');
    await expectTitles(tableOf(page), 'Article 021');
  });

  test('keeps the columns that a person chooses', async () => {
    const page = await open('articles', 'eve');
    await tableOf(page).waitFor();
    await button(page, 'Columns').click();
    await page.getByRole('checkbox', { name: 'Created', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Updated', exact: true }).uncheck();
    await page.getByRole('button', { name: 'Move Created up' }).click();
    const headers = (on: Page) => tableOf(on).getByRole('columnheader').allTextContents();
    const kept = admin.service;
    const saved = async (): Promise<string> => (await kept.send('GET /api/v1/admin/preferences', { as: 'eve' })).text;
    while (!/"title","status","author","created_at","reads"/.test(await saved())) await Bun.sleep(20);
    const expected = (await headers(page)).map((text) => text.trim());
    expect(expected.slice(1)).toEqual(['Title', 'Status', 'Author', 'Created', 'Reads']);
    // In another browser.
    const other = await open('articles', 'eve');
    await tableOf(other).getByRole('columnheader', { name: 'Created', exact: true }).waitFor();
    expect((await headers(other)).map((text) => text.trim())).toEqual(expected);
    const colleague = await open('articles');
    await tableOf(colleague).getByRole('columnheader', { name: 'Updated', exact: true }).waitFor();
  });

  test('saves views, for oneself and for all', async () => {
    const page = await open(`articles?sort=reads:asc&filter=${encodeURIComponent('reads > 100')}`, 'eve');
    await expectTitles(tableOf(page), 'Article 101');
    await button(page, 'Views').click();
    await page.getByLabel('Name of the view').fill('Well read');
    await page.getByRole('checkbox', { name: 'Share with everyone who edits' }).check();
    await button(page, 'Save as a view').click();
    await toastOf(page, 'The view “Well read” is saved.');
    await button(page, 'Views').click();
    await page.getByLabel('Name of the view').fill('My own');
    await button(page, 'Save as a view').click();
    await toastOf(page, 'The view “My own” is saved.');
    // Another of the same name would look the same: the one that is there is saved.
    await page.getByRole('columnheader', { name: 'Reads' }).getByRole('button').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'reads:desc');
    await button(page, 'Views').click();
    await page.getByLabel('Name of the view').fill('my OWN');
    await button(page, 'Save changes to “My own”').last().click();
    await page.getByRole('dialog', { name: 'Views' }).waitFor({ state: 'detached' });
    const { json } = await admin.service.send('GET /api/v1/admin/views?type=articles', { as: 'eve' });
    const saved = json.items.map(({ name, shared, sort }: Record<string, unknown>) => [name, shared, sort]);
    expect(saved.toSorted()).toEqual([
      ['My own', false, 'reads:desc'],
      ['Well read', true, 'reads:asc'],
    ]);
    const other = await open('articles');
    await button(other, 'Views').click();
    const dialog = other.getByRole('dialog', { name: 'Views' });
    await dialog.getByRole('button', { name: 'Well read' }).first().click();
    await expectTitles(tableOf(other), 'Article 101', 'Article 102');
    expect([addressOf(other).get('filter'), addressOf(other).get('sort')]).toEqual(['reads > 100', 'reads:asc']);
    await button(other, 'Views').click();
    expect(await dialog.getByRole('button', { name: 'My own' }).count()).toBe(0);
    // Admins may change what others share; here it is removed for all.
    await dialog.getByRole('button', { name: 'Delete view Well read' }).click();
    await closeBy(other.getByRole('dialog', { name: 'Delete the view “Well read”?' }), 'Delete');
    await toastOf(other, 'The view “Well read” is deleted.');
  });

  test('an empty list has one way to the form by its name', async () => {
    const page = await open('steps');
    await page.getByRole('heading', { name: 'No Steps yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'New Step' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Create the first one' }).click();
    await page.waitForURL(/\/content\/steps\/new$/);
  });

  test('a filter begins with a field that people know', async () => {
    const page = await open('articles');
    await button(page, 'Filter').click();
    await button(page, 'Add condition').click();
    const field = page.getByRole('combobox', { name: 'Field' });
    expect(await field.locator('option:checked').textContent()).toBe('Title');
    await field.selectOption('ID');
    expect(await page.getByRole('combobox', { name: 'Operator' }).locator('option').allTextContents()).not.toContain(
      'is me',
    );
  });

  test('is walked by keyboard', async () => {
    const page = await open('articles?sort=reads:asc');
    await expectTitles(tableOf(page), 'Article 001');
    const focused = (): Promise<string> => page.evaluate("document.activeElement?.textContent?.trim() ?? ''");
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Article 001');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('Article 002');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('End');
    expect(await focused()).toBe('Article 050');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/content\/articles\/[0-9a-f-]{36}$/);
    await page.goBack();
    await expectTitles(tableOf(page), 'Article 001');
    await page.keyboard.press('n');
    await page.waitForURL(/\/admin\/content\/articles\/new$/);
  });

  test('reports what could not be loaded, and tries again', async () => {
    admin.intercept = ({ url }) =>
      url.includes('/admin/cms/articles?')
        ? Response.json({ detail: 'Out of order.', code: 'x' }, { status: 500 })
        : undefined;
    const page = await open('articles');
    await page.getByRole('alert').getByText('Out of order.').waitFor();
    admin.intercept = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectTitles(tableOf(page), 'Article 130');
    admin.intercept = ({ url }) =>
      url.includes('/admin/cms/articles?')
        ? Response.json({ detail: 'No.', code: 'insufficient_role' }, { status: 403 })
        : undefined;
    const other = await open('articles');
    await other.getByRole('heading', { name: 'You may not see these records' }).waitFor();
    admin.intercept = undefined;
    const none = await open('no-such-type');
    await none.getByText('There is no content type at this address.').waitFor();
  });

  test('of a single type is its form', async () => {
    await admin.service.send('PUT /api/v1/admin/cms/site-settings', { as: 'ada', body: { title: 'x' } });
    const page = await open('site-settings');
    await page.waitForURL(/\/content\/site-settings\/.+/);
  });

  test.each([360, 1440])('has no issue that axe finds in both themes, %d px', async (width) => {
    await admin.service.seed('sections', { title: 'One more' });
    // Rows are all alike.
    const page = await open('articles?sort=reads:asc&size=20', 'ada', { width });
    await expectTitles(tableOf(page), 'Article 001');
    expect(await issuesInBothThemes(page)).toEqual([]);
    // A narrow list offers to select all once a record is selected.
    await page.getByRole('checkbox', { name: 'Select Article 001' }).check();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    for (const name of ['Filter', 'Columns', 'Views']) {
      await button(page, name).click();
      const popover = page.getByRole('dialog', { name });
      await popover.waitFor();
      if (name === 'Filter') {
        await button(page, 'Add condition').click();
        await page.getByLabel('Operator').waitFor();
      }
      expect(await issuesInBothThemes(page, '[role="dialog"]')).toEqual([]);
      await page.keyboard.press('Escape');
      await popover.waitFor({ state: 'detached' });
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.goto('/admin/content/sections');
    await page.getByRole('treegrid').waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
  });
});
