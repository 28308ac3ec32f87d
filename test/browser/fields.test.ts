import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { openForm, save, saved, stored, thingType } from './form-page.ts';

const hostile = '<img src=x onerror="alert(1)"> & </textarea><script>alert(2)</script> \u202Egnp.exe {{1}}';

interface Case {
  readonly field: Readonly<Record<string, unknown>> & { readonly name: string };
  /** What is typed, or done. */
  readonly fill: (page: Page) => Promise<void>;
  /** What the service then has. */
  readonly value: unknown;
  /** What the control shows after a reload. */
  readonly shown?: string;
}

const typed = (label: string, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).fill(text);

/** What the form calls a field: its label, or its name as words. */
function labelOf({ name, label }: Case['field']): string {
  if (typeof label === 'string') return label;
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

const cases: readonly Case[] = [
  {
    field: { name: 'line', field_type: 'text', max_length: 200 },
    fill: typed('Line', hostile),
    value: hostile,
    shown: hostile,
  },
  {
    field: { name: 'lines', field_type: 'text', label: 'Several lines' },
    fill: typed('Several lines', `one\n\n${hostile}`),
    value: `one\n\n${hostile}`,
    shown: `one\n\n${hostile}`,
  },
  {
    field: { name: 'contact', field_type: 'email' },
    fill: typed('Contact', 'a@example.com'),
    value: 'a@example.com',
    shown: 'a@example.com',
  },
  { field: { name: 'count', field_type: 'integer' }, fill: typed('Count', '-0042'), value: -42, shown: '-42' },
  {
    field: { name: 'big', field_type: 'bigint' },
    fill: typed('Big', '9223372036854775807'),
    value: '9223372036854775807',
    shown: '9223372036854775807',
  },
  { field: { name: 'ratio', field_type: 'float' }, fill: typed('Ratio', '1.50e-3'), value: 0.0015, shown: '0.0015' },
  {
    field: { name: 'price', field_type: 'decimal' },
    fill: typed('Price', '00123456789012345678901234567890.10'),
    value: '123456789012345678901234567890.1',
    shown: '123456789012345678901234567890.1',
  },
  {
    field: { name: 'featured', field_type: 'boolean' },
    fill: (page) => page.getByLabel('featured').check(),
    value: true,
  },
  {
    field: { name: 'day', field_type: 'date' },
    fill: typed('Day', '2026-02-28'),
    value: '2026-02-28',
    shown: '2026-02-28',
  },
  {
    // The browser is in Lisbon, where it is summer.
    field: { name: 'starts_at', field_type: 'datetime' },
    fill: typed('Starts at', '2026-07-01T11:30'),
    value: '2026-07-01T10:30:00.000Z',
    shown: '2026-07-01T11:30',
  },
  { field: { name: 'opens', field_type: 'time' }, fill: typed('Opens', '08:15'), value: '08:15:00', shown: '08:15:00' },
  {
    field: { name: 'language', field_type: 'enum', enum_values: ['en', 'fr', 'pt'] },
    fill: async (page) => void (await page.getByLabel('language').selectOption('fr')),
    value: 'fr',
    shown: 'fr',
  },
  {
    field: { name: 'settings', field_type: 'json' },
    fill: typed('Settings', '{"a": [1, null, "</script>"]}'),
    value: { a: [1, null, '</script>'] },
    shown: '{\n  "a": [\n    1,\n    null,\n    "</script>"\n  ]\n}',
  },
  {
    field: { name: 'address', field_type: 'uid' },
    fill: typed('Address', 'on-paper'),
    value: 'on-paper',
    shown: 'on-paper',
  },
  {
    field: { name: 'notes', field_type: 'richtext', format: 'markdown' },
    fill: typed('Notes', '# Head\n\n<b onclick="x">raw</b> **strong**'),
    value: '# Head\n\n<b onclick="x">raw</b> **strong**',
  },
  {
    field: { name: 'seo', field_type: 'group', fields: [{ name: 'heading', field_type: 'text', max_length: 70 }] },
    fill: (page) => page.getByRole('group', { name: 'seo' }).getByLabel('heading').fill('Inside'),
    value: { heading: 'Inside' },
  },
  {
    field: { name: 'colours', field_type: 'list', item: { field_type: 'text', max_length: 20 } },
    async fill(page) {
      for (const [index, colour] of ['red', 'blue'].entries()) {
        await page.getByRole('button', { name: 'Add to colours' }).click();
        await page.getByLabel(`Colours ${index + 1}`, { exact: true }).fill(colour);
      }
    },
    value: ['red', 'blue'],
  },
];

describe.skipIf(chromiumPath === undefined)(`fields in a form${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    const fields = [...cases.map(({ field }) => field), { name: 'secret', field_type: 'password' }];
    admin = await Admin.open([
      thingType(
        fields.map((field) => field),
        { protocols: ['metaable'] },
      ),
    ]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('what is typed is what is stored, and what is shown again', async () => {
    const page = await openForm(admin);
    await page.getByLabel('Title', { exact: true }).fill(hostile);
    for (const { fill } of cases) await fill(page);
    await page.getByLabel('Secret', { exact: true }).fill('correct horse');
    await page.getByLabel('Custom fields', { exact: true }).fill('{"x": 1}');
    const record = await saved(admin, page);
    expect(record.title).toBe(hostile);
    expect(record.__meta).toEqual({ x: 1 });
    for (const { field, value } of cases) expect([field.name, record[field.name]]).toEqual([field.name, value]);

    await page.goto(`/admin/content/things/${record.id}`);
    await page.getByLabel('Title', { exact: true }).waitFor();
    for (const { field, shown } of cases) {
      if (shown === undefined) continue;
      const label = labelOf(field);
      expect([label, await page.getByLabel(label, { exact: true }).inputValue()]).toEqual([label, shown]);
    }
    expect(await page.getByLabel('featured').isChecked()).toBe(true);
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toBe('');
    expect(await page.getByRole('textbox', { name: 'notes' }).innerText()).toContain('<b onclick="x">raw</b>');
    expect(await page.getByLabel('Colours 2', { exact: true }).inputValue()).toBe('blue');
  });

  test('emptied fields have no value', async () => {
    const page = await openForm(admin);
    for (const { fill } of cases) await fill(page);
    await page.getByLabel('Address', { exact: true }).fill('to-be-emptied');
    const { id } = await saved(admin, page);
    for (const { field, shown } of cases) {
      if (shown === undefined || field.field_type === 'uid') continue;
      const control = page.getByLabel(labelOf(field), { exact: true });
      if (field.field_type === 'enum') await control.selectOption('');
      else await control.fill('');
    }
    await saved(admin, page);
    const record = await stored(admin, id);
    for (const { field, shown } of cases) {
      if (shown === undefined || field.field_type === 'uid') continue;
      expect([field.name, record[field.name]]).toEqual([field.name, null]);
    }
  });

  test('text that is no value says why, stays, and is not sent', async () => {
    const page = await openForm(admin);
    await page.getByLabel('Count', { exact: true }).fill('12a');
    await page.getByLabel('Settings', { exact: true }).fill('{\n  "a": 1,\n}');
    await page.getByLabel('Settings', { exact: true }).blur();
    await page.getByText('Line 3, column 1: this character cannot stand here').first().waitFor();
    expect(await page.getByLabel('Count', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Count', { exact: true }).inputValue()).toBe('12a');
    await page.getByRole('button', { name: 'Go to the error' }).click();
    expect(await page.evaluate(`document.activeElement.value.slice(document.activeElement.selectionStart)`)).toBe('}');
    await page.getByLabel('Count', { exact: true }).fill('12');
    await page.getByLabel('Settings', { exact: true }).fill('{"a": 1}');
    const record = await saved(admin, page);
    expect([record.count, record.settings]).toEqual([12, { a: 1 }]);
  });

  test('an instant is shown in a zone that is named and can be chosen, and stays the same instant', async () => {
    const page = await openForm(admin);
    await page.getByLabel('Starts at', { exact: true }).fill('2026-07-01T11:30');
    await page.getByText('UTC+01:00; in UTC 2026-07-01 10:30').waitFor();
    await page.getByRole('button', { name: 'Starts at: time zone Europe/Lisbon. Change' }).click();
    await page.getByLabel('Time zone of Starts at').selectOption('America/New_York');
    expect(await page.getByLabel('Starts at', { exact: true }).inputValue()).toBe('2026-07-01T06:30');
    expect((await saved(admin, page)).starts_at).toBe('2026-07-01T10:30:00.000Z');
  });

  test('a slug is suggested by what it is made of, and looked up', async () => {
    await admin.service.seed('things', { title: 'First', address: 'taken-slug' });
    const page = await openForm(admin);
    await page.getByLabel('Address', { exact: true }).fill('taken-slug');
    await page.getByText('Another record has this slug.').waitFor();
    expect((await save(page)).status).toBe(422);
    await page.getByLabel('Address', { exact: true }).fill('free-slug');
    await page.getByText('No other record has this slug.').waitFor();
    expect((await saved(admin, page)).address).toBe('free-slug');
  });
});
