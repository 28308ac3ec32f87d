import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page, Response } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { issuesInBothThemes } from '../looks.ts';

// Lists mark what others have changed since somebody was here last.

const story = {
  ...{ name: 'Story', singular: 'story', plural: 'stories', protocols: ['timestampable', 'ownable'] },
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'kind', field_type: 'enum', enum_values: ['news', 'essay'] },
  ],
  admin: { list_columns: ['title', 'kind'] },
};
/** A type whose records do not say who has changed them. */
const topic = {
  ...{ name: 'Topic', singular: 'topic', plural: 'topics', protocols: ['timestampable'] },
  fields: [{ name: 'name', field_type: 'text', required: true }],
  admin: { list_columns: ['name'] },
};
/** Sees news alone. */
const desk = {
  ...{ name: 'desk', label: 'News desk' },
  types: { story: { list: 'kind = "news"', get: 'kind = "news"', update: true } },
};
const root = '/api/v1/admin/cms';

describe.skipIf(skipsLooks)(`since somebody was here${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([story, topic], { roles: [desk] });
    await admin.account('ada', 'admin');
    await admin.account('eve', 'editor');
    await admin.account('dan', 'desk');
  });
  afterEach(async () => {
    await admin?.endTest();
    for (const plural of ['stories', 'topics']) {
      const { items } = (await admin.service.send(`GET ${root}/${plural}?page_size=100`, { as: 'ada' })).json;
      for (const { id } of items) await admin.service.send(`DELETE ${root}/${plural}/${id}`, { as: 'ada' });
      for (const as of ['ada', 'dan'])
        await admin.service.send(`DELETE /api/v1/admin/preferences/visit:${plural}`, { as });
    }
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const write = async (as: string, line: string, body: object): Promise<string> => {
    const [method, path] = line.split(' ');
    const reply = await admin.service.send(`${method} ${root}/${path}`, { as, body });
    expect(reply.status).toBeLessThan(300);
    return reply.json.id;
  };
  const rows = (page: Page): Promise<string[]> => page.locator('tbody [data-row]').allInnerTexts();
  const note = (page: Page) => page.getByText(/changed since your last visit/);
  const kept = async (as: string, plural = 'stories'): Promise<Record<string, unknown> | undefined> => {
    const { items } = (await admin.service.send('GET /api/v1/admin/preferences', { as })).json;
    return items.find(({ name }: { name: string }) => name === `visit:${plural}`)?.value;
  };

  /** Shows a list for the first time, leaves it, and comes back an hour after `meanwhile`. */
  async function comeBack(as: string, plural: string, meanwhile: () => Promise<unknown>): Promise<Page> {
    const page = await admin.page({ as, own: true, path: '/profile' });
    await page.clock.install();
    await page.goto(`${admin.url}/admin/content/${plural}`);
    await page.locator('tbody [data-row]').first().waitFor();
    await becomes(async () => (await kept(as, plural)) !== undefined, true);
    expect(await page.locator('.since-mark').count()).toBe(0);
    const left = page.waitForResponse((response) => response.url().endsWith(`/preferences/visit%3A${plural}`));
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await left;
    await meanwhile();
    await page.clock.fastForward(3_600_000);
    await page.goBack();
    await page.locator('tbody [data-row]').first().waitFor();
    return page;
  }

  test('what others have made and changed is marked in words and counted, and is shown alone by a button', async () => {
    const [ink, lead] = [
      await write('ada', 'POST stories', { title: 'Ink' }),
      await write('ada', 'POST stories', { title: 'Lead' }),
    ];
    await write('ada', 'POST stories', { title: 'Paper' });
    const page = await comeBack('ada', 'stories', async () => {
      await write('eve', `PUT stories/${lead}`, { kind: 'news' });
      await write('eve', 'POST stories', { title: 'Margins' });
      await write('ada', `PUT stories/${ink}`, { kind: 'essay' });
    });
    await becomes(() => rows(page), ['New Margins', 'Paper', 'Changed Lead', 'Ink']);
    // By its name, as it is read out.
    await page.getByRole('link', { name: 'Changed Lead', exact: true }).waitFor();
    await page.getByText('2 records have changed since your last visit').waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show them' }).click();
    await becomes(() => rows(page), ['New Margins', 'Changed Lead']);
    await page.getByRole('button', { name: 'Show all' }).click();
    await becomes(async () => (await rows(page)).length, 4);
  });

  test('a mark goes when its record is opened, and all of them at once, also for another browser', async () => {
    const [ink, lead] = [
      await write('ada', 'POST stories', { title: 'Ink' }),
      await write('ada', 'POST stories', { title: 'Lead' }),
    ];
    const page = await comeBack('ada', 'stories', async () => {
      await write('eve', `PUT stories/${ink}`, { kind: 'news' });
      await write('eve', `PUT stories/${lead}`, { kind: 'news' });
    });
    await becomes(() => rows(page), ['Changed Lead', 'Changed Ink']);
    await page.getByRole('link', { name: 'Changed Ink' }).click();
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    await becomes(async () => Object.keys(Object((await kept('ada'))?.seen)), [ink]);
    await page.goBack();
    await becomes(() => rows(page), ['Changed Lead', 'Ink']);
    // Changed again, it is marked again.
    await write('eve', `PUT stories/${ink}`, { kind: 'essay' });
    await page.reload();
    await becomes(() => rows(page), ['Changed Lead', 'Changed Ink']);
    await page.getByRole('button', { name: 'Mark all as seen' }).click();
    await becomes(() => rows(page), ['Lead', 'Ink']);
    await note(page).waitFor({ state: 'detached' });
    await becomes(async () => Object.keys(Object((await kept('ada'))?.seen)), []);
    const other = await admin.page({ as: 'ada', path: '/content/stories' });
    await becomes(() => rows(other), ['Lead', 'Ink']);
  });

  test('who opens a record and comes back is on the same visit, which is written when the list is left', async () => {
    await write('ada', 'POST stories', { title: 'Ink' });
    const page = await admin.page({ as: 'ada', own: true, path: '/profile' });
    let writes = 0;
    const isWrite = (response: Response) =>
      response.request().method() === 'PUT' && response.url().endsWith('/preferences/visit%3Astories');
    page.on('response', (response) => {
      if (isWrite(response)) writes += 1;
    });
    await page.goto(`${admin.url}/admin/content/stories`);
    const ink = page.getByRole('link', { name: 'Ink', exact: true });
    // A first visit is written twice: the first answer says what time it is for the service.
    await becomes(async () => writes, 2);
    const begun = (await kept('ada'))?.last;
    for (let times = 1; times <= 3; times += 1) {
      const left = page.waitForResponse(isWrite);
      await ink.click();
      await left;
      await page.goBack();
      await ink.waitFor();
    }
    expect(writes).toBe(5);
    const { since, last } = Object(await kept('ada'));
    expect([since, last > since]).toEqual([begun, true]);
  });

  test('what somebody may not see is not counted', async () => {
    const [ink, lead] = [
      await write('ada', 'POST stories', { title: 'Ink', kind: 'news' }),
      await write('ada', 'POST stories', { title: 'Lead', kind: 'essay' }),
    ];
    const page = await comeBack('dan', 'stories', async () => {
      await write('eve', `PUT stories/${ink}`, { title: 'Ink and water' });
      await write('eve', `PUT stories/${lead}`, { title: 'Lead and tin' });
    });
    await becomes(() => rows(page), ['Changed Ink and water']);
    await page.getByText('One record has changed since your last visit').waitFor();
  });

  test('without a name of who has changed it, what was changed in this tab is not marked', async () => {
    const ink = await write('ada', 'POST topics', { name: 'Ink' });
    await write('ada', 'POST topics', { name: 'Lead' });
    const page = await comeBack('ada', 'topics', () => write('eve', `PUT topics/${ink}`, { name: 'Ink and water' }));
    await becomes(() => rows(page), ['Lead', 'Changed Ink and water']);
    await page.getByRole('link', { name: 'Lead', exact: true }).focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name' }).fill('Lead and tin');
    await page.keyboard.press('Enter');
    await becomes(() => rows(page), ['Lead and tin', 'Changed Ink and water']);
  });

  test('that a visit cannot be kept interrupts nobody', async () => {
    await write('ada', 'POST stories', { title: 'Ink' });
    let isOver = false;
    admin.intercept = ({ url, method }) => {
      const { pathname } = new URL(url);
      if (method === 'PUT' && pathname.includes('/preferences/visit')) isOver = true;
      const isRefused = isOver && (pathname.includes('/preferences/visit') || pathname.endsWith('/auth/refresh'));
      return isRefused ? Response.json({ code: 'invalid_token', title: 'x' }, { status: 401 }) : undefined;
    };
    const page = await admin.page({ as: 'ada', path: '/content/stories', own: true });
    await page.getByRole('status').filter({ hasText: 'Your session has ended.' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    admin.intercept = undefined;
  });

  test('on a phone the marks stand on the cards, and nothing is wider than the page', async () => {
    const ink = await write('ada', 'POST stories', { title: 'Ink' });
    const page = await comeBack('ada', 'stories', () => write('eve', `PUT stories/${ink}`, { kind: 'news' }));
    await page.setViewportSize({ width: 360, height: 740 });
    await becomes(() => rows(page), ['Changed Ink']);
    await page.getByRole('button', { name: 'Mark all as seen' }).waitFor();
    // One line, so that the records stay high.
    expect((await page.locator('.since').boundingBox())?.height).toBeLessThanOrEqual(48);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});
