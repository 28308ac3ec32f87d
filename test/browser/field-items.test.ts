import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { openForm, save, saved, thingType } from './form-page.ts';

const parts = {
  name: 'parts',
  field_type: 'blocks',
  label: 'Parts',
  max_items: 12,
  blocks: [
    { name: 'text', label: 'Text', fields: [{ name: 'words', field_type: 'text', required: true, max_length: 100 }] },
    {
      name: 'quote',
      label: 'Quotation',
      description: 'Words of somebody else.',
      fields: [
        { name: 'words', field_type: 'text', required: true, max_length: 100 },
        { name: 'sources', field_type: 'list', fields: [{ name: 'year', field_type: 'integer' }] },
      ],
    },
    { name: 'rule', label: 'Rule' },
    { name: 'essay', label: 'Essay', fields: [{ name: 'content', field_type: 'richtext' }] },
  ],
};

const kinds = (record: { readonly parts: readonly { readonly block: string; readonly words?: string }[] }) =>
  record.parts.map(({ block, words }) => (words === undefined ? block : `${block}: ${words}`));

const active = (page: Page): Promise<string | null> =>
  page.evaluate<string | null>(`document.activeElement.getAttribute('aria-label')`);

describe.skipIf(skipsLooks)(`lists and blocks in a form${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([
      thingType([
        parts,
        {
          name: 'sections',
          field_type: 'blocks',
          label: 'Sections',
          blocks: Array.from({ length: 12 }, (_, at) => ({
            name: `kind_${at + 1}`,
            label: `Kind ${at + 1}`,
            ...(at === 6 ? { description: 'The seventh.', image: '/pictures/seventh.svg' } : {}),
          })),
        },
        { name: 'days', field_type: 'list', fields: [{ name: 'day', field_type: 'date' }], min_items: 1 },
      ]),
    ]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const seeded = (words: readonly string[]): Promise<{ readonly id: string }> =>
    admin.service.seed('things', { title: 'Seeded', parts: words.map((text) => ({ block: 'text', words: text })) });

  test('by keyboard alone: added, inserted between, moved, duplicated, collapsed, removed and brought back', async () => {
    const page = await openForm(admin);
    const key = (name: string) => page.keyboard.press(name);
    const add = async (choices: number): Promise<void> => {
      await page.getByRole('button', { name: 'Add to Parts' }).focus();
      await key('Enter');
      await page.getByRole('group', { name: 'What to add' }).waitFor();
      for (let step = 0; step < choices; step += 1) await key('ArrowDown');
      await key('Enter');
    };
    // The focus is in the first field of what was added.
    await add(0);
    await page.keyboard.type('one');
    await add(1);
    await page.keyboard.type('two');
    await add(2);
    await page.getByRole('listitem', { name: 'Rule, 3 of 3' }).waitFor();

    await page.getByRole('button', { name: 'Insert before Quotation, 2 of 3' }).focus();
    await key('Enter');
    await key('Enter');
    await page.keyboard.type('between');
    await page.getByRole('button', { name: 'Move Rule, 4 of 4: drag' }).focus();
    await key('Alt+ArrowUp');
    expect(await active(page)).toStartWith('Move Rule, 3 of 4');
    await key('Alt+ArrowUp');
    await page.getByRole('button', { name: 'Duplicate Text, 1 of 4' }).focus();
    await key('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' again');
    expect(kinds(await saved(admin, page))).toEqual([
      'text: one',
      'text: one again',
      'rule',
      'text: between',
      'quote: two',
    ]);

    await page.getByRole('button', { name: 'Remove Text, 2 of 5' }).focus();
    await key('Enter');
    await key('Enter');
    await page.getByRole('listitem', { name: 'Text, 2 of 5' }).waitFor();
    await page.getByRole('button', { name: 'Remove Text, 1 of 5' }).focus();
    await key('Enter');
    await page.getByText('Text removed.').waitFor();
    const record = await saved(admin, page);
    expect(kinds(record)).toEqual(['text: one again', 'rule', 'text: between', 'quote: two']);
    // Each item has an id of its own, the copy too.
    expect(new Set(record.parts.map(({ id }: { readonly id: string }) => id)).size).toBe(4);
  });

  test('dragging moves an item', async () => {
    const { id } = await seeded(['one', 'two', 'three']);
    const page = await openForm(admin, id);
    const target = await page.getByRole('listitem', { name: 'Text, 1 of 3' }).boundingBox();
    await page.getByRole('button', { name: 'Move Text, 3 of 3: drag' }).hover();
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + 4, { steps: 5 });
    await page.mouse.up();
    expect(kinds(await saved(admin, page))).toEqual(['text: three', 'text: one', 'text: two']);
  });

  test('many items are collapsed to a line each, and a collapsed item keeps its value', async () => {
    const { id } = await seeded(['one', 'two', 'three', 'four', 'five', '<i>six</i>']);
    const page = await openForm(admin, id);
    const item = page.getByRole('listitem', { name: 'Text, 6 of 6' });
    const toggle = item.getByRole('button', { name: 'Text <i>six</i>' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.press('Enter');
    await item.getByLabel('words').fill('last');
    await item.getByRole('button', { name: 'Text', exact: true }).press('Enter');
    await item.getByRole('button', { name: 'Text last' }).waitFor();
    expect(kinds(await saved(admin, page)).at(-1)).toBe('text: last');
  });

  test('of very many items, the first are drawn, and more when somebody asks', async () => {
    const days = Array.from({ length: 260 }, (_, index) => ({
      day: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
    }));
    const { id } = await admin.service.seed('things', { title: 'Long', days });
    const page = await openForm(admin, id);
    const items = page.locator('[data-path="days"] [data-item]');
    await items.nth(99).waitFor();
    expect(await items.count()).toBe(100);
    await page.getByRole('button', { name: 'Show more of 160 further items' }).click();
    await items.nth(259).waitFor();
    expect(await items.count()).toBe(260);
    expect(await page.getByRole('button', { name: /^Show/ }).count()).toBe(0);
  });

  test('an error inside leads to its field, through what is collapsed', async () => {
    const { id } = await seeded(['one', 'two', 'three', 'four', 'five', 'six']);
    const page = await openForm(admin, id);
    await page.getByRole('button', { name: 'Add to Parts' }).press('Enter');
    await page.getByRole('button', { name: 'Quotation Words of somebody else.' }).press('Enter');
    await page.getByRole('button', { name: 'Add to sources' }).click();
    await page.getByLabel('year').fill('nineteen');
    await page.getByRole('button', { name: 'Collapse all' }).first().click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const summary = page.getByRole('alert').filter({ has: page.getByRole('heading', { name: /error/ }) });
    await summary.getByRole('link', { name: 'Parts › 7 › sources › 1 › year' }).press('Enter');
    await page.keyboard.type('1999');
    await page.getByLabel('year').fill('1999');
    expect((await save(page)).status).toBe(422);
    await page.getByRole('button', { name: 'Collapse all' }).first().click();
    await page.getByRole('listitem', { name: 'Quotation, 7 of 7' }).getByText('1 error').waitFor();
    await summary.getByRole('link', { name: 'Parts › 7 › words' }).press('Enter');
    await page.keyboard.type('said');
    expect(kinds(await saved(admin, page)).at(-1)).toBe('quote: said');
  });

  test('a list that is full takes no more', async () => {
    const { id } = await seeded(Array.from({ length: 12 }, (_, index) => `${index}`));
    const page = await openForm(admin, id);
    await page.getByText('There can be 12 items.').waitFor();
    expect(await page.getByRole('button', { name: 'Add to Parts' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove Text, 12 of 12' }).click();
    expect(await page.getByRole('button', { name: 'Add to Parts' }).isDisabled()).toBe(false);
  });

  test('a slash in the text of a block offers the blocks of the type, and puts one behind', async () => {
    const { id } = await admin.service.seed('things', {
      title: 'Seeded',
      parts: [{ block: 'essay', content: '<p>White</p>' }, { block: 'rule' }],
    });
    const page = await openForm(admin, id);
    await page.getByRole('listitem', { name: 'Essay, 1 of 2' }).getByRole('textbox', { name: 'content' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/quot');
    const offered = page.getByRole('listbox', { name: 'Blocks' }).getByRole('option');
    await offered.first().waitFor();
    expect((await offered.allInnerTexts()).map((text) => text.trim())).toEqual(['Quote', 'Quotation']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const quotation = page.getByRole('listitem', { name: 'Quotation, 2 of 3' });
    await quotation.getByRole('textbox', { name: 'words' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Ink stays.');
    const { parts: stored } = await saved(admin, page);
    expect(kinds({ parts: stored })).toEqual(['essay', 'quote: Ink stays.', 'rule']);
    expect(stored[0].content).toBe('<p>White</p>');
  });

  test('a new block with rich text has the focus in its text', async () => {
    const page = await openForm(admin);
    const add = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Add to Parts' }).click();
      await page.getByRole('group', { name: 'What to add' }).getByRole('button', { name: 'Essay' }).click();
    };
    for (const place of [1, 2]) {
      await add();
      const essay = page.getByRole('listitem', { name: `Essay, ${place} of ${place}` });
      const text = essay.getByRole('textbox', { name: 'content' });
      await text.and(page.locator(':focus')).waitFor();
      await page.keyboard.type('Paper is patient.');
      await text.getByText('Paper is patient.').waitFor();
    }
  });

  describe('blocks as a text', () => {
    /** A clipboard of the page's own: the browser's asks the person. */
    const withClipboard = (page: Page, text = ''): Promise<void> =>
      page.evaluate((begin) => {
        let held = begin;
        Object.defineProperty(navigator, 'clipboard', {
          value: {
            writeText: async (next: string) => {
              held = next;
            },
            readText: async () => held,
          },
          configurable: true,
        });
      }, text);
    const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    /** By the key, with the focus on the head of an item. */
    const pasteAt = (page: Page, name: string, text: string): Promise<void> =>
      page
        .getByRole('listitem', { name })
        .getByRole('button', { expanded: true })
        .first()
        .evaluate((head, data) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', data);
          head.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        }, text);

    test('go from one record to another, by buttons and by keys', async () => {
      const { id } = await seeded(['one', 'two']);
      const page = await openForm(admin, id);
      await withClipboard(page);
      await page.getByRole('button', { name: 'Copy Text, 2 of 2' }).click();
      await page.getByText('The block is copied.').waitFor();
      const one = await clipboard(page);
      await page.locator('[data-path="parts"]').getByRole('button', { name: 'Copy all' }).click();
      await page.getByText('2 blocks are copied.').waitFor();
      const both = await clipboard(page);

      const other = await openForm(admin);
      await withClipboard(other, both);
      await other.locator('[data-path="parts"]').getByRole('button', { name: 'Paste blocks' }).click();
      await other.getByRole('listitem', { name: 'Text, 2 of 2' }).waitFor();
      await pasteAt(other, 'Text, 1 of 2', one);
      await other.getByRole('listitem', { name: 'Text, 3 of 3' }).waitFor();
      expect(kinds(await saved(admin, other))).toEqual(['text: one', 'text: two', 'text: two']);
    });

    test('are refused as a whole, in words', async () => {
      const { id } = await seeded(['one']);
      const page = await openForm(admin, id);
      const text = (...blocks: readonly object[]): string => JSON.stringify({ recto: 'recto-blocks-1', blocks });
      const good = { block: 'text', words: 'two' };
      await pasteAt(page, 'Text, 1 of 1', text(good, { block: 'video' }));
      await page.getByText('Nothing was pasted: “Parts” has no block “video”.').waitFor();
      await pasteAt(page, 'Text, 1 of 1', text(good, { block: 'text', colour: 'red' }));
      await page.getByText('Nothing was pasted: the block “Text” has no field “colour” here.').waitFor();
      await pasteAt(page, 'Text, 1 of 1', text(...Array.from({ length: 12 }, () => good)));
      await page.getByText('Nothing was pasted: there can be 12 blocks at most.').waitFor();
      await pasteAt(page, 'Text, 1 of 1', 'words');
      await page.getByText('The clipboard has no blocks.').waitFor();
      expect(await page.getByRole('listitem', { name: /^Text/ }).count()).toBe(1);
    });
  });

  test('of many kinds of blocks, those are shown that have the words', async () => {
    const page = await openForm(admin);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
    await page.route('**/pictures/seventh.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }));
    await page.getByRole('button', { name: 'Add to Sections' }).click();
    const menu = page.getByRole('group', { name: 'What to add' });
    await menu.getByRole('searchbox', { name: 'Search blocks' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('seventh');
    await menu.getByRole('button').nth(1).waitFor({ state: 'detached' });
    expect(await menu.locator('img').getAttribute('src')).toBe('/pictures/seventh.svg');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem', { name: 'Kind 7, 1 of 1' }).waitFor();
  });
});
