import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { openForm, saved, thingType } from './form-page.ts';

describe.skipIf(skipsLooks)(`blocks of rich text${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([thingType([{ name: 'body', field_type: 'richtext', label: 'Body' }])]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const body = (page: Page): Locator => page.getByRole('textbox', { name: 'Body', exact: true });
  const blocks = (page: Page): Locator => page.getByRole('listbox', { name: 'Blocks' });

  /** Chooses a block by what is typed after `/`, which has nothing else with that name. */
  async function choose(page: Page, name: string): Promise<void> {
    await page.keyboard.type(`/${name}`);
    await blocks(page).getByRole('option', { name, exact: true }).waitFor();
    await page.keyboard.press('Enter');
  }

  test('are chosen after a slash by keys alone', async () => {
    const page = await openForm(admin);
    await body(page).click();
    await page.keyboard.type('/');
    await blocks(page).getByRole('option').first().waitFor();
    expect(await blocks(page).getByRole('option').allInnerTexts()).toEqual([
      ...['Heading 2', 'Heading 3', 'Heading 4', 'Bulleted list', 'Numbered list', 'Quote', 'Code block'],
      ...['Table', 'Image', 'Gallery', 'Embed', 'Footnote', 'Horizontal rule'],
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Head');
    await page.keyboard.press('Enter');
    await choose(page, 'Quote');
    await page.keyboard.type('said');
    expect((await saved(admin, page)).body).toBe('<h3>Head</h3><blockquote><p>said</p></blockquote>');
  });

  test('are offered by a button, on a line of their own', async () => {
    const page = await openForm(admin);
    await body(page).click();
    await page.keyboard.type('before');
    await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Blocks' }).click();
    await blocks(page).getByRole('option', { name: 'Numbered list' }).click();
    await page.keyboard.type('one');
    expect((await saved(admin, page)).body).toBe('<p>before</p><ol><li><p>one</p></li></ol>');
  });

  test('a slash that is a text stays one', async () => {
    const page = await openForm(admin);
    await body(page).click();
    await page.keyboard.type('/');
    await blocks(page).waitFor();
    await page.keyboard.press('Escape');
    await blocks(page).waitFor({ state: 'detached' });
    await page.keyboard.type('about/us');
    await page.keyboard.press('Enter');
    await page.keyboard.type('either/or');
    expect(await blocks(page).count()).toBe(0);
    expect((await saved(admin, page)).body).toBe('<p>/about/us</p><p>either/or</p>');
  });

  test('an embed is made of a known address alone', async () => {
    const page = await openForm(admin);
    await body(page).click();
    await choose(page, 'Embed');
    const bar = page.getByRole('group', { name: 'Embed' });
    await bar.getByLabel('Address').fill('https://evil.example/embed/1');
    await page.keyboard.press('Enter');
    await bar.getByRole('alert').waitFor();
    await bar.getByLabel('Address').fill('https://w.soundcloud.com/player/?url=a&color=b');
    await page.keyboard.press('Enter');
    await body(page).getByText('<iframe>').waitFor();
    expect((await saved(admin, page)).body).toContain(
      '<iframe src="https://w.soundcloud.com/player/?url=a&amp;color=b" width="560" height="315" allowfullscreen></iframe>',
    );
  });

  test('a gallery is a figure with pictures of the library', async () => {
    const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const buffer = Buffer.from(bytes, 'base64');
    const page = await openForm(admin);
    await body(page).click();
    await choose(page, 'Gallery');
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type="file"]').setInputFiles([
      { name: 'one.png', mimeType: 'image/png', buffer },
      { name: 'two.png', mimeType: 'image/png', buffer },
    ]);
    await dialog.getByRole('button', { name: 'Add 2 files' }).click();
    await body(page).locator('figure img[src*="two"]').waitFor();
    await body(page).locator('figcaption').click();
    await page.keyboard.type('Both');
    const stored = (await saved(admin, page)).body;
    expect(stored.replace(/<img[^>]*>/g, '[]')).toContain(
      '<figure class="gallery">[][]<figcaption>Both</figcaption></figure>',
    );
  });

  describe('are moved', () => {
    const text = '<p>one</p><ul><li><p>a</p></li><li><p>b</p></li></ul><p>two</p>';

    test('by keys, with the cursor in them, and items within their list first', async () => {
      const { id } = await admin.service.seed('things', { title: 'Move', body: text });
      const page = await openForm(admin, id);
      await body(page).getByText('two').click();
      await page.keyboard.press('Home');
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.type('2 ');
      await body(page).getByText('b', { exact: true }).click();
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Alt+ArrowUp');
      expect((await saved(admin, page)).body).toBe('<p>one</p><ul><li><p>b</p></li><li><p>a</p></li></ul><p>2 two</p>');
    });

    test('by a handle beside them', async () => {
      const { id } = await admin.service.seed('things', { title: 'Move', body: text });
      const page = await openForm(admin, id);
      await body(page).getByText('two').hover();
      const handle = page.getByRole('button', { name: /^Move the block/ });
      await handle.dragTo(body(page).getByText('one'), { targetPosition: { x: 2, y: 2 } });
      await body(page).locator('p:first-child', { hasText: 'two' }).waitFor();
      expect((await saved(admin, page)).body).toBe('<p>two</p><p>one</p><ul><li><p>a</p></li><li><p>b</p></li></ul>');
    });
  });

  describe('footnotes', () => {
    /** With short names of the notes, in the order in which they come. */
    function read(html: string): string {
      const names = new Map<string, string>();
      return html.replace(/(fn(?:ref)?-)([0-9a-f]{8})/g, (_, kind: string, id: string) => {
        if (!names.has(id)) names.set(id, String.fromCharCode(97 + names.size));
        return `${kind}${names.get(id)}`;
      });
    }

    const mark = (name: string, number: number): string =>
      `<a id="fnref-${name}" href="#fn-${name}"><sup>${number}</sup></a>`;
    const note = (name: string, text: string): string =>
      `<li id="fn-${name}"><p>${text} <a href="#fnref-${name}">↩</a></p></li>`;
    const text = `<p>One${mark('00000001', 1)} two${mark('00000002', 2)}.</p><p>Three</p><ol class="footnotes">${note('00000001', 'First')}${note('00000002', 'Second')}</ol>`;

    test('are inserted, written and numbered in the order of the text', async () => {
      const page = await openForm(admin);
      await body(page).click();
      await page.keyboard.type('Later');
      await page.keyboard.press('Control+Alt+f');
      await page.keyboard.type('Its note');
      await page.keyboard.press('Control+Alt+f');
      await page.keyboard.type(' on');
      await page.keyboard.press('Home');
      await page.keyboard.type('Before');
      await page.keyboard.press('Control+Alt+f');
      await page.keyboard.type('Another');
      await page.keyboard.press('Control+Alt+f');
      await page.keyboard.type(', ');
      expect(read((await saved(admin, page)).body)).toBe(
        `<p>Before${mark('a', 1)}, Later${mark('b', 2)} on</p><ol class="footnotes">${note('a', 'Another')}${note('b', 'Its note')}</ol>`,
      );
    });

    test('lead from their mark to their note and back', async () => {
      const { id } = await admin.service.seed('things', { title: 'Notes', body: text });
      const page = await openForm(admin, id);
      await body(page).locator('.footnote-mark').nth(1).click();
      await page.keyboard.type('!');
      await body(page).locator('.footnote-back').nth(0).click();
      await page.keyboard.type('?');
      expect((await saved(admin, page)).body).toBe(
        text.replace('Second', 'Second!').replace('</sup></a> two', '</sup></a>? two'),
      );
    });

    test('go with their mark, and come back with it', async () => {
      const { id } = await admin.service.seed('things', { title: 'Notes', body: text });
      const page = await openForm(admin, id);
      await body(page).getByText('Three').click();
      await page.keyboard.press('Home');
      for (let count = 0; count < 2; count += 1) await page.keyboard.press('Shift+ArrowUp');
      await page.keyboard.press('Shift+Home');
      await page.keyboard.press('Control+x');
      await page.keyboard.press('Control+End');
      await body(page).locator('.footnotes').waitFor({ state: 'detached' });
      await body(page).getByText('Three').click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+v');
      await body(page).locator('.footnotes li').nth(1).waitFor();
      const stored = (await saved(admin, page)).body;
      expect(stored).toContain(`two${mark('00000002', 2)}.`);
      expect(stored).toEndWith(`<ol class="footnotes">${note('00000001', 'First')}${note('00000002', 'Second')}</ol>`);
    });

    test('are numbered again when one is removed', async () => {
      const { id, body: before } = await admin.service.seed('things', { title: 'Notes', body: text });
      const page = await openForm(admin, id);
      await body(page).getByText('One').click();
      await page.keyboard.press('Home');
      for (let count = 0; count < 4; count += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Backspace');
      expect((await saved(admin, page)).body).toBe(
        `<p>One two${mark('00000002', 1)}.</p><p>Three</p><ol class="footnotes">${note('00000002', 'Second')}</ol>`,
      );
      await page.keyboard.press('Control+z');
      await body(page).locator('.footnotes li').nth(1).waitFor();
      expect((await saved(admin, page)).body).toBe(before);
    });
  });
});
