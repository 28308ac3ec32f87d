import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { authorType, thingType } from '../form-page.ts';
import { Keys } from '../keys.ts';
import { Desk, isClean } from './keyboard-tasks.ts';

const text = { field_type: 'text', max_length: 100 };
const thing = thingType([
  { name: 'line', ...text },
  { name: 'lines', field_type: 'text' },
  { name: 'contact', field_type: 'email' },
  { name: 'count', field_type: 'integer' },
  { name: 'price', field_type: 'decimal' },
  { name: 'featured', field_type: 'boolean' },
  { name: 'day', field_type: 'date' },
  { name: 'starts_at', field_type: 'datetime' },
  { name: 'opens', field_type: 'time' },
  { name: 'language', field_type: 'enum', enum_values: ['en', 'fr', 'pt'] },
  { name: 'settings', field_type: 'json' },
  { name: 'address', field_type: 'uid' },
  { name: 'notes', field_type: 'richtext', format: 'markdown' },
  { name: 'body', field_type: 'richtext' },
  { name: 'seo', field_type: 'group', fields: [{ name: 'heading', ...text }] },
  { name: 'colours', field_type: 'list', item: text },
  {
    ...{ name: 'parts', field_type: 'blocks', label: 'Parts' },
    blocks: [
      { name: 'text', label: 'Text', fields: [{ name: 'words', ...text }] },
      { name: 'rule', label: 'Rule' },
    ],
  },
  { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
  { name: 'reviewers', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'authors' } },
  { name: 'cover', field_type: 'media' },
]);

/** A field of the type with all of them: how it is filled in, and what the service then has. */
interface Written {
  readonly name: string;
  readonly write: (keys: Keys, page: Page) => Promise<void>;
  readonly value: unknown;
}

const field = (name: string, write: (keys: Keys, page: Page) => Promise<void>, value: unknown): Written => ({
  ...{ name, write, value },
});
const labelOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const typed = (name: string, words: string, value: unknown = words): Written =>
  field(name, (keys) => keys.fill(labelOf(name), words), value);

/** In the order of the form. */
const fields: readonly Written[] = [
  typed('line', 'one line'),
  field(
    'lines',
    async (keys) => {
      await keys.fill('Lines', 'one');
      await keys.press('Enter');
      await keys.type('two');
    },
    'one\ntwo',
  ),
  typed('contact', 'a@example.com'),
  typed('count', '-42', -42),
  typed('price', '12.50', '12.5'),
  field('featured', (keys, page) => keys.use(page.getByLabel('featured'), 'Space'), true),
  // The same in the order of each language.
  typed('day', '02022026', '2026-02-02'),
  field(
    'opens',
    async (keys, page) => {
      await keys.to(page.getByLabel('Opens', { exact: true }));
      await keys.type('0815AM');
    },
    '08:15:00',
  ),
  field('language', (keys) => keys.choose('Language', 'pt'), 'pt'),
  field(
    'settings',
    async (keys, page) => {
      await keys.to(page.getByLabel('Settings', { exact: true }));
      // As pasted: what is typed may be completed.
      await page.keyboard.insertText('{"a": [1, null]}');
    },
    { a: [1, null] },
  ),
  typed('address', 'on-paper'),
  field(
    'notes',
    async (keys, page) => {
      await keys.to(page.getByRole('textbox', { name: 'notes' }));
      await keys.type('words');
    },
    'words',
  ),
  field(
    'body',
    async (keys, page) => {
      await keys.to(page.getByRole('textbox', { name: 'body' }));
      await keys.type('plain ');
      await keys.press('Control+b');
      await keys.type('strong');
    },
    '<p>plain <strong>strong</strong></p>',
  ),
  field('seo', (keys, page) => keys.fill('Heading', 'Inside', page.getByRole('group', { name: 'seo' })), {
    heading: 'Inside',
  }),
  field(
    'colours',
    async (keys) => {
      await keys.button('Add to Colours');
      await keys.type('red');
      await keys.button('Add to Colours');
      await keys.type('blue');
      await keys.button(/^Move up: .*2 of 2/);
    },
    ['blue', 'red'],
  ),
  field(
    'parts',
    async (keys, page) => {
      for (const kind of ['Text', 'Rule', 'Text']) {
        await keys.button('Add to Parts');
        await keys.use(
          page.getByRole('group', { name: 'What to add' }).getByRole('button', { name: kind, exact: true }),
        );
      }
      await keys.type('last');
      await keys.to(page.getByRole('button', { name: 'Move Text, 3 of 3: drag' }), 'Shift+Tab');
      await keys.press('Alt+ArrowUp', 'Alt+ArrowUp');
      await keys.button('Remove Text, 2 of 3');
    },
    [expect.objectContaining({ block: 'text', words: 'last' }), expect.objectContaining({ block: 'rule' })],
  ),
  field(
    'author',
    async (keys, page) => {
      await keys.to(page.getByRole('combobox', { name: 'author' }));
      await keys.type('okafor');
      await page.getByRole('option', { name: 'Tom Okafor' }).waitFor();
      await page.getByRole('option', { name: 'Ines Ferreira' }).waitFor({ state: 'detached' });
      await keys.press('Enter');
      await page.getByRole('link', { name: 'Open Tom Okafor' }).waitFor();
    },
    expect.any(String),
  ),
];

describe.skipIf(skipsLooks)(`without a mouse, in a form${looksSkipReason}`, () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open([authorType, thing]);
    for (const name of ['Ines Ferreira', 'Tom Okafor']) await desk.admin.service.seed('authors', { name });
  });
  afterEach(() => desk?.admin.endTest());
  afterAll(() => desk?.[Symbol.asyncDispose]());

  const open = (): Promise<Page> => desk.admin.page({ as: 'ada', path: '/content/things/new' });

  test(`fill in ${fields.map(({ name }) => name).join(', ')}`, async () => {
    const page = await open();
    const keys = new Keys(page);
    for (const { write } of fields) await write(keys, page);
    await keys.press('Control+s');
    await page.waitForURL(/things\/[0-9a-f-]{36}$/);
    await isClean(page);
    const record = await desk.send(`GET /api/v1/admin/cms/things/${page.url().split('/').at(-1)}`);
    for (const { name, value } of fields) expect([name, record[name]]).toEqual([name, value]);
  });

  test('upload a file into a field', async () => {
    const page = await open();
    const keys = new Keys(page);
    const chosen = page.waitForEvent('filechooser');
    await keys.button('Upload', page.getByRole('group', { name: 'cover' }));
    await (await chosen).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
    await page.getByText('notes.txt').waitFor();
  });
});
