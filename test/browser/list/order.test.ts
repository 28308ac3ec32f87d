import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import type { Admin } from '../admin.ts';
import { chromiumPath, skipReason } from '../chromium.ts';
import { issuesInBothThemes } from '../looks.ts';
import { expectTitles, openLists, section, step, tableOf } from './lists.ts';

/** The rows of a tree: their levels and titles, all of one moment. */
const shapeOf = (tree: Locator): Promise<readonly string[]> =>
  tree
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => `${row.getAttribute('aria-level')} ${row.querySelector('a')?.textContent?.trim()}`),
    );

describe.skipIf(chromiumPath === undefined)(`a list in an order by hand${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openLists([step, section]);
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const open = (path: string, as = 'ada', more = {}): Promise<Page> =>
    admin.page({ as, path: `/content/${path}`, ...more });

  test('is put into an order by hand', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four']) await admin.service.seed('steps', { title });
    const page = await open('steps');
    const table = tableOf(page, 'Steps');
    await expectTitles(table, 'One', 'Two', 'Three', 'Four');
    await table.getByRole('link', { name: 'One' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('One is now number 2.').waitFor();
    await expectTitles(table, 'Two', 'One', 'Three', 'Four');
    await table.getByRole('link', { name: 'One' }).and(page.locator(':focus')).waitFor();
    await table.getByRole('row', { name: /Four/ }).dragTo(table.getByRole('row', { name: /Two/ }));
    await page.getByText('Four is now number 1.').waitFor();
    await page.reload();
    await expectTitles(table, 'Four', 'Two', 'One', 'Three');
    const order = (await admin.service.send('GET /api/v1/admin/cms/steps', { as: 'ada' })).json.items;
    expect(order.map(({ title }: { title: string }) => title)).toEqual(['Four', 'Two', 'One', 'Three']);
  });

  test('of pages is a tree, in the order of WordPress and by hand', async () => {
    const make = (title: string, more = {}) =>
      admin.service.send('POST /api/v1/pages', { as: 'ada', body: { title, ...more } });
    // As an import writes them: most share one place, and the title decides.
    const { json: about } = await make('About us', { status: 'published' });
    for (const title of ['Team', 'Contact', 'History']) await make(title, { parent_id: about.id });
    await make('Imprint', { sort_order: 5 });
    await make('Awards');
    const page = await open('pages', 'eve');
    const tree = page.getByRole('treegrid', { name: 'Pages' });
    const row = (name: string): Locator => tree.getByRole('row', { name: new RegExp(`^Select ${name} `) });
    const shape = () => shapeOf(tree);
    await row('About us').focus();
    await page.keyboard.press('ArrowRight');
    await becomes(shape, ['1 About us', '2 Contact', '2 History', '2 Team', '1 Awards', '1 Imprint']);
    await tree.getByRole('columnheader', { name: 'Order' }).waitFor({ state: 'detached' });
    await row('Team').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByText('Team is now number 2.').waitFor();
    await becomes(shape, ['1 About us', '2 Contact', '2 Team', '2 History', '1 Awards', '1 Imprint']);
    await row('Awards').dragTo(row('About us'));
    await page.getByText('Awards is now under About us.').waitFor();
    await becomes(shape, ['1 About us', '2 Contact', '2 Team', '2 History', '2 Awards', '1 Imprint']);
    await row('Contact').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByText('Contact is now at the top level.').waitFor();
    await becomes(shape, ['1 About us', '2 Team', '2 History', '2 Awards', '1 Contact', '1 Imprint']);
    const { json } = await admin.service.send('GET /api/v1/admin/pages', { as: 'eve' });
    const under = json.items.map((item: { title: string; parent_id: string | null }) => [
      item.title,
      item.parent_id === null ? null : about.id === item.parent_id,
    ]);
    expect(Object.fromEntries(under)).toEqual({
      ...{ 'About us': null, Contact: null, Imprint: null },
      ...{ Team: true, History: true, Awards: true },
    });
    // Asked for another order, it is a list.
    await page.goto('/admin/content/pages?sort=title:desc');
    await expectTitles(tableOf(page, 'Pages'), 'Team', 'Imprint', 'History');
    expect(await issuesInBothThemes(page)).toEqual([]);
  });

  test('of a tree is a tree, whose records are moved by keyboard and by dragging', async () => {
    const parent = await admin.service.seed('sections', { title: 'Printing' });
    for (const title of ['Ink', 'Type']) await admin.service.seed('sections', { title, parent_id: parent.id });
    await admin.service.seed('sections', { title: 'Paper' });
    const page = await open('sections');
    const tree = page.getByRole('treegrid', { name: 'Sections' });
    const row = (name: string): Locator => tree.getByRole('row', { name: new RegExp(`^Select ${name} `) });
    const shape = () => shapeOf(tree);
    await row('Printing').focus();
    await page.keyboard.press('ArrowRight');
    await row('Ink').waitFor();
    await becomes(shape, ['1 Printing', '2 Ink', '2 Type', '1 Paper']);
    expect(await row('Printing').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('Ink is now number 2.').waitFor();
    await becomes(shape, ['1 Printing', '2 Type', '2 Ink', '1 Paper']);
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByText('Ink is now at the top level.').waitFor();
    await becomes(shape, ['1 Printing', '2 Type', '1 Ink', '1 Paper']);
    await row('Paper').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByText('Paper is now under Ink.').waitFor();
    await becomes(shape, ['1 Printing', '2 Type', '1 Ink', '2 Paper']);
    await row('Type').dragTo(row('Ink'));
    await page.getByText('Type is now under Ink.').waitFor();
    await becomes(shape, ['1 Printing', '1 Ink', '2 Paper', '2 Type']);
    await row('Ink').focus();
    await page.keyboard.press('ArrowLeft');
    await row('Paper').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/content\/sections\/[0-9a-f-]{36}$/);
  });

  test('of a tree follows a key that is faster than the service', async () => {
    const parent = await admin.service.seed('sections', { title: 'Tools' });
    for (const title of ['Awl', 'Bone', 'Cord', 'Dye'])
      await admin.service.seed('sections', { title, parent_id: parent.id });
    const page = await open('sections');
    const tree = page.getByRole('treegrid', { name: 'Sections' });
    const row = (name: string): Locator => tree.getByRole('row', { name: new RegExp(`^Select ${name} `) });
    await row('Tools').focus();
    await page.keyboard.press('ArrowRight');
    await row('Dye').focus();
    const held = Promise.withResolvers<undefined>();
    admin.intercept = (request) => (request.method === 'PUT' ? held.promise : undefined);
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Alt+ArrowUp');
    held.resolve(undefined);
    await page.getByText('Dye is now number 1.').waitFor();
    admin.intercept = undefined;
  });

  test('of a tree keeps the names of its columns in view', async () => {
    const parent = await admin.service.seed('sections', { title: 'Shelf' });
    for (let number = 1; number <= 40; number += 1)
      await admin.service.seed('sections', { title: `Book ${number}`, parent_id: parent.id });
    const page = await open('sections');
    const tree = page.getByRole('treegrid', { name: 'Sections' });
    await tree.getByRole('button', { name: 'Expand Shelf' }).click();
    await tree.getByRole('row', { name: /^Select Book 40 / }).focus();
    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(100);
    for (let times = 0; times < 25; times += 1) await page.keyboard.press('ArrowUp');
    const row = tree.getByRole('row', { name: /^Select Book 15 / }).and(page.locator(':focus'));
    await row.waitFor();
    expect(await page.evaluate(() => scrollY)).toBeLessThan(scrolled);
    const head = await tree.locator('thead').boundingBox();
    expect(Math.round(head?.y ?? -1)).toBe(0);
    const place = await row.boundingBox();
    expect(place?.y).toBeGreaterThanOrEqual(head?.height ?? Number.POSITIVE_INFINITY);
  });
});
