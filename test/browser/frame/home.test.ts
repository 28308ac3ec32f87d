import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { event, openLists } from '../list/lists.ts';

const day = 24 * 60 * 60 * 1000;

describe.skipIf(skipsLooks)(`the home page as a desk${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openLists([event]);
    const due = (days: number): string => new Date(Date.now() + days * day).toISOString();
    for (const [title, days] of [
      ['Later this week', 5],
      ['In two days', 2],
      ['Next month', 30],
    ] as const)
      await admin.service.seed('events', { title, status: 'draft', scheduled_at: due(days) });
    const post = { title: 'On paper', content: '<p>Paper</p>', status: 'Published' };
    const { json } = await admin.service.send('POST /api/v1/posts', { as: 'ada', body: post });
    const comment = { content: 'Which mill is that?', nickname: 'Ruth' };
    await admin.service.send(`POST /api/v1/posts/${json.slug}/comments`, { body: comment });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('lists what is due within a week, the next first, and the newest comments', async () => {
    const page = await admin.page({ as: 'ada' });
    const week = page.getByRole('region', { name: 'Scheduled this week' });
    await week.getByRole('link', { name: 'In two days' }).waitFor();
    expect(await week.getByRole('link').allTextContents()).toEqual(['In two days', 'Later this week']);
    const comments = page.getByRole('region', { name: 'Newest comments' });
    await comments.getByRole('listitem').filter({ hasText: 'Ruth' }).getByText('Which mill is that?').waitFor();
  });

  test('all of a row leads to what it names', async () => {
    const page = await admin.page({ as: 'ada' });
    const row = page.getByRole('region', { name: 'Scheduled this week' }).getByRole('listitem').first();
    await row.getByRole('link', { name: 'In two days' }).waitFor();
    const { width = 0, height = 0 } = (await row.boundingBox()) ?? {};
    // Beside its words.
    await row.click({ position: { x: width - 2, y: height - 2 } });
    await page.waitForURL('**/admin/content/events/*');
  });
});
