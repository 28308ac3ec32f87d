import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { issuesInBothThemes } from '../looks.ts';

// A board: columns that load by themselves, and moves that the definition leaves to others.

const story = {
  ...{ name: 'Story', singular: 'story', plural: 'stories' },
  protocols: [
    {
      ...{ name: 'statusable', values: ['draft', 'review', 'published'] },
      transitions: { draft: ['review'], review: [{ to: 'published', roles: ['editor', 'chief'] }, 'draft'] },
    },
  ],
  fields: [{ name: 'title', field_type: 'text', required: true }],
};
const film = {
  ...{ name: 'Film', singular: 'film', plural: 'films' },
  protocols: [{ name: 'statusable', values: ['draft', 'published'] }],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'kind', field_type: 'enum', enum_values: ['short', 'long'] },
  ],
};
const writer = {
  name: 'writer',
  label: 'Writer',
  types: { story: { list: true, get: true, update: true }, film: { list: 'kind = "short"', get: 'kind = "short"' } },
};
const chief = { name: 'chief', label: 'Chief', types: { story: { list: true, get: true, update: true } } };

describe.skipIf(skipsLooks)(`a board${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([story, film], { roles: [writer, chief] });
    await admin.account('ada', 'admin');
    await admin.account('wim', 'writer');
    const value = { columns: [], size: 20, layout: 'board' };
    for (const as of ['ada', 'wim'])
      for (const plural of ['stories', 'films'])
        await admin.service.send(`PUT /api/v1/admin/preferences/list:${plural}`, { as, body: { value } });
    await admin.service.seed('stories', { title: 'Ink', status: 'draft' });
    await admin.service.seed('stories', { title: 'Lead', status: 'review' });
    for (let number = 1; number <= 60; number += 1)
      await admin.service.seed('films', {
        ...{ title: `Film ${String(number).padStart(2, '0')}`, kind: number % 3 === 0 ? 'short' : 'long' },
        status: number <= 30 ? 'published' : 'draft',
      });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const column = (page: Page, name: string) => page.getByRole('list', { name, exact: true });
  const titles = (page: Page, name: string): Promise<string[]> =>
    column(page, name).locator('[data-row]').allInnerTexts();
  const statusOf = async (title: string): Promise<string> => {
    const filter = encodeURIComponent(`title = "${title}"`);
    return (await admin.service.send(`GET /api/v1/admin/cms/stories?filter=${filter}`, { as: 'ada' })).json.items[0]
      .status;
  };

  test('each column loads by itself, with more of its own, and says how many there are', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/films' });
    await becomes(
      async () => [(await titles(page, 'Draft')).length, (await titles(page, 'Published')).length],
      [25, 25],
    );
    expect((await titles(page, 'Published'))[0]).toBe('Film 30');
    for (const name of ['Draft', 'Published']) await page.getByRole('heading', { name: `${name} 30` }).waitFor();
    await page.getByRole('button', { name: 'Show more: Published' }).click();
    await becomes(
      async () => [(await titles(page, 'Draft')).length, (await titles(page, 'Published')).length],
      [25, 30],
    );
    await page.getByRole('button', { name: 'Show more: Published' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show more: Draft' }).waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
  });

  test('columns and counts follow the filter, and one that is asked for stands alone', async () => {
    const filter = encodeURIComponent('kind = "short" && status = "draft"');
    const page = await admin.page({ as: 'ada', path: `/content/films?filter=${filter}` });
    await page.getByRole('heading', { name: 'Draft 10' }).waitFor();
    await becomes(async () => (await titles(page, 'Draft')).length, 10);
    expect(await column(page, 'Published').count()).toBe(0);
  });

  test('counts are those of what the role may see', async () => {
    const page = await admin.page({ as: 'wim', path: '/content/films' });
    for (const name of ['Draft', 'Published']) await page.getByRole('heading', { name: `${name} 10` }).waitFor();
    await becomes(async () => (await titles(page, 'Draft')).length, 10);
    // Nor does a role that changes nothing get a menu for it.
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0);
  });

  test('a move that is left to others names their roles, by keys, by the pointer and in the menu, and the card stays', async () => {
    const page = await admin.page({ as: 'wim', path: '/content/stories' });
    const lead = column(page, 'Review').getByRole('link', { name: 'Lead' });
    const words = page.getByText('only the role Editor or Chief moves it from “Review” to “Published”');
    await lead.focus();
    await page.keyboard.press('Alt+ArrowRight');
    await words.waitFor();
    await lead.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await lead.hover();
    await page.mouse.down();
    const target = await page.getByRole('heading', { name: 'Published 0' }).boundingBox();
    await page.mouse.move(target?.x ?? 0, target?.y ?? 0, { steps: 5 });
    await page.mouse.move((target?.x ?? 0) + 5, (target?.y ?? 0) + 5);
    await page.getByText(/^Only for Editor, Chief,? or Admin/).waitFor();
    await page.mouse.up();
    await words.waitFor();
    await page.getByRole('button', { name: 'Move Lead' }).click();
    await page.getByRole('menu').getByText('Move to', { exact: true }).waitFor();
    const item = page.getByRole('menuitem', { name: /^Published/ });
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    expect(await item.innerText()).toMatch(/Only for Editor, Chief,? or Admin/);
    expect(await statusOf('Lead')).toBe('review');
    // What may be moved is.
    await page.getByRole('menuitem', { name: 'Draft' }).click();
    await column(page, 'Draft').getByRole('link', { name: 'Lead' }).and(page.locator(':focus')).waitFor();
    expect(await statusOf('Lead')).toBe('draft');
    await admin.service.send(
      `PUT /api/v1/admin/cms/stories/${await column(page, 'Draft').locator('li', { hasText: 'Lead' }).getAttribute('data-card')}`,
      { as: 'ada', body: { status: 'review' } },
    );
  });

  test('where no transition leads, the ways that there are are named', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/stories' });
    await page.getByRole('button', { name: 'Move Ink' }).click();
    const item = page.getByRole('menuitem', { name: /^Published/ });
    expect(await item.innerText()).toContain('Not from where it is');
    await page.keyboard.press('Escape');
    await column(page, 'Draft')
      .getByRole('link', { name: 'Ink' })
      .dragTo(page.getByRole('heading', { name: 'Published 0' }));
    await page.getByText('what is “Draft” does not become “Published” at once, but Review').waitFor();
    expect(await statusOf('Ink')).toBe('draft');
  });

  test('what the service refuses is said, and the card is where it was', async () => {
    const page = await admin.page({ as: 'wim', path: '/content/stories' });
    const ink = column(page, 'Draft').getByRole('link', { name: 'Ink' });
    await ink.waitFor();
    admin.intercept = (request) =>
      request.url.endsWith('/stories/batch')
        ? Response.json({ status: 403, code: 'rule_refused', detail: 'Not this one.' }, { status: 403 })
        : undefined;
    await ink.focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
    await ink.waitFor();
    expect(await statusOf('Ink')).toBe('draft');
  });

  test('on a phone, a card is moved by its menu', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/stories', width: 390, height: 800, hasTouch: true });
    await page.getByRole('button', { name: 'Move Ink' }).tap();
    await page.getByRole('menuitem', { name: 'Review' }).tap();
    await column(page, 'Review').getByRole('link', { name: 'Ink' }).waitFor();
    await page.getByText('Ink is now “Review”.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await column(page, 'Draft').getByRole('link', { name: 'Ink' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});
