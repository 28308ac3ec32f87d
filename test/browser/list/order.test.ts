import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { becomes } from '../../support/database/database.ts';
import type { Admin } from '../admin.ts';
import { chromiumPath, skipReason } from '../chromium.ts';
import { expectTitles, openLists, section, step, tableOf } from './lists.ts';

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

  test('of a tree is a tree, whose records are moved by keyboard and by dragging', async () => {
    const parent = await admin.service.seed('sections', { title: 'Printing' });
    for (const title of ['Ink', 'Type']) await admin.service.seed('sections', { title, parent_id: parent.id });
    await admin.service.seed('sections', { title: 'Paper' });
    const page = await open('sections');
    const tree = page.getByRole('treegrid', { name: 'Sections' });
    const row = (name: string): Locator => tree.getByRole('row', { name: new RegExp(`^Select ${name} `) });
    const shape = async (): Promise<readonly string[]> =>
      (await tree.locator('tbody tr').all()).reduce<Promise<readonly string[]>>(
        async (found, each) => [
          ...(await found),
          `${await each.getAttribute('aria-level')} ${(await each.locator('a').textContent())?.trim()}`,
        ],
        Promise.resolve([]),
      );
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
});
