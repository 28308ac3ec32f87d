import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { issuesInBothThemes } from './looks.ts';

// The page beside a form as it will stand at a time, and the way to the page of readers after publishing.

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const published = { access: 'public', filter: 'status = "published"' };

describe.skipIf(chromiumPath === undefined)(`the preview at a time${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open(
      [
        {
          ...{ name: 'Story', singular: 'story', plural: 'stories' },
          protocols: [{ name: 'statusable', by_language: true, schedule: 'published' }],
          fields: [
            { name: 'title', field_type: 'text', label: 'Title', localized: true },
            { name: 'slug', field_type: 'uid', target_field: 'title', localized: true },
          ],
          admin: { page_url: 'https://site.example/{language}/{slug}' },
          api: { list: published, get: published },
        },
        {
          ...{ name: 'Offer', singular: 'offer', plural: 'offers' },
          fields: [{ name: 'name', field_type: 'text', label: 'Name' }],
          api: { list: { access: 'public' }, get: { access: 'public' } },
        },
      ],
      {
        languages: 'en,de',
        roles: [{ name: 'writer', base: 'editor', types: { offer: { list: 'id = null', get: true } } }],
      },
    );
    await admin.account('edith', 'editor');
    await admin.account('will', 'writer');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const own = (page: Page) => page.frameLocator('section[aria-label="Preview"] iframe');
  async function chooseTime(page: Page, time: string): Promise<void> {
    const panel = page.getByRole('region', { name: 'Preview' });
    await panel.getByRole('button', { name: 'As of' }).focus();
    await page.keyboard.press('Enter');
    await field(page, 'Date and time').fill(time);
    await button(page, 'Show').press('Enter');
  }

  test.each([
    ['wide', 1440],
    ['narrow', 390],
  ] as const)('shows what is scheduled until then, on a %s page', async (_, width) => {
    const { id } = await admin.service.seed('stories', {
      ...{ title: 'Of the spring', scheduled_at: '2100-03-01T10:00:00.000Z' },
    });
    const page = await admin.page({ as: 'edith', path: `/content/stories/${id}`, width });
    // On phones, it is among the details.
    if (width < 760) await button(page, 'Details').click();
    await button(page, 'Preview').click();
    await own(page).getByRole('heading', { name: 'Of the spring' }).waitFor();
    // On phones, it is below the form.
    await becomes(async () => ((await page.locator('iframe').boundingBox())?.y ?? 900) < 450, true);
    await chooseTime(page, '2100-02-01T10:00');
    await page.getByText('As it will stand on 1 Feb 2100').waitFor();
    await own(page).getByText('This preview has ended, or shows nothing that is there.').waitFor();
    await chooseTime(page, '2100-04-01T10:00');
    await page.getByText('As it will stand on 1 Apr 2100').waitFor();
    await own(page).getByRole('heading', { name: 'Of the spring' }).waitFor();
    expect(await button(page, 'Share').count()).toBe(0);
    expect(await issuesInBothThemes(page)).toEqual([]);
    await button(page, 'Back to now').click();
    await own(page).getByRole('heading', { name: 'Of the spring' }).waitFor();
    await page.getByText('As it will stand on').waitFor({ state: 'hidden' });
  });

  test('is none for a role that does not read all of the site', async () => {
    const { id } = await admin.service.seed('stories', { title: 'Narrow' });
    const page = await admin.page({ as: 'will', path: `/content/stories/${id}` });
    await button(page, 'Preview').click();
    await own(page).getByRole('heading', { name: 'Narrow' }).waitFor();
    await chooseTime(page, '2100-04-01T10:00');
    await page.getByText('Your role does not read all that the site will show then.').waitFor();
    await button(page, 'Back to now').click();
    await own(page).getByRole('heading', { name: 'Narrow' }).waitFor();
  });

  test('leads to the page of readers after publishing, in each language', async () => {
    const { id } = await admin.service.seed('stories', { title: 'Paper' });
    const line = `PUT /api/v1/admin/cms/stories/${id}?language=de`;
    await admin.service.send(line, { as: 'edith', body: { title: 'Papier', slug: 'papier' } });
    for (const [language, address] of [
      ['en', 'https://site.example/en/paper'],
      ['de', 'https://site.example/de/papier'],
    ]) {
      const page = await admin.page({ as: 'edith', path: `/content/stories/${id}?language=${language}` });
      await button(page, 'Publish').click();
      const messages = page.getByRole('region', { name: 'Notifications' });
      const link = messages.getByRole('link', { name: 'View on site' });
      await link.waitFor();
      expect(await link.getAttribute('href')).toBe(address ?? '');
    }
  });
});
