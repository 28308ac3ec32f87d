import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

const ticket = {
  singular: 'ticket',
  plural: 'tickets',
  name: 'Ticket',
  fields: [
    { name: 'code', field_type: 'text', required: true, max_length: 40 },
    { name: 'title', field_type: 'text', required: true, max_length: 40 },
    { name: 'note', field_type: 'text', max_length: 200 },
    { name: 'open', field_type: 'boolean' },
  ],
  admin: { title_field: 'title', groups: [{ label: 'What', fields: ['title', 'note'] }] },
};

describe.skipIf(chromiumPath === undefined)(`the order and marks of fields${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([ticket]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('the title stands above all others, also above those of no group', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/tickets/new' });
    await page.getByLabel('Title', { exact: true }).waitFor();
    const paths = await page
      .locator('[data-path]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-path')));
    expect(paths).toEqual(['title', 'code', 'open', 'note']);
  });

  test('where most fields must be filled, the others are marked', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/tickets/new' });
    await page.getByLabel('Title', { exact: true }).waitFor();
    const marked = (mark: string) => page.locator('[data-path]', { has: page.getByText(mark, { exact: true }) });
    expect(await marked('required').count()).toBe(0);
    expect(await marked('optional').evaluateAll((all) => all.map((one) => one.getAttribute('data-path')))).toEqual([
      'note',
    ]);
    expect(await page.getByLabel('Code', { exact: true }).getAttribute('aria-required')).toBe('true');
  });

  test('near its longest length a text says how much is left, in steps', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/tickets/new' });
    const code = page.locator('[data-path="code"]');
    await page.getByLabel('Code', { exact: true }).fill('x'.repeat(20));
    expect(await code.getByText('of at most').count()).toBe(0);
    await page.getByLabel('Code', { exact: true }).fill('x'.repeat(33));
    await code.getByText('33 of at most 40 characters').waitFor();
    await code.getByRole('status').getByText('7 characters left').waitFor();
    await page.getByLabel('Note', { exact: true }).fill('x'.repeat(171));
    await page.locator('[data-path="note"]').getByRole('status').getByText('30 characters left').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('x'.repeat(42));
    await code.getByRole('status').getByText('2 characters too many').waitFor();
  });
});
