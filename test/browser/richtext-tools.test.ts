import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { openForm, saved, thingType } from './form-page.ts';
import { placeFiles } from './media-library.ts';

const text = '<p>One two three</p><p>Four five six</p>';
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(skipsLooks)(`tools of rich text${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([thingType([{ name: 'body', field_type: 'richtext', label: 'Body' }])]);
    await admin.account('ada');
    await placeFiles(admin.service, 'ada', [{ name: 'dot.png', bytes: new Uint8Array(dot), set: { alt: 'A dot' } }]);
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const body = (page: Page): Locator => page.getByRole('textbox', { name: 'Body', exact: true });
  const line = (page: Page): Locator => page.getByRole('toolbar', { name: 'Formatting', exact: true });
  const beside = (page: Page): Locator => page.getByRole('toolbar', { name: 'Formatting of the selection' });

  /** A text with the cursor at its beginning. */
  async function open(options: Parameters<typeof openForm>[2] = {}, content = text): Promise<Page> {
    const { id } = await admin.service.seed('things', { title: 'Tools', body: content });
    const page = await openForm(admin, id, options);
    await body(page).click();
    await page.keyboard.press('Control+Home');
    return page;
  }

  /** Selects the first word. */
  async function selectOne(page: Page): Promise<void> {
    for (let letters = 0; letters < 3; letters++) await page.keyboard.press('Shift+ArrowRight');
  }

  describe('at the selection', () => {
    test('come when text is selected, are reached by a key, and leave it readable', async () => {
      const page = await open();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      expect(await beside(page).count()).toBe(0);
      await selectOne(page);
      await beside(page).waitFor();
      expect(await page.evaluate(coversSelection)).toBe(false);
      await page.keyboard.press('Alt+F10');
      await beside(page).getByRole('button', { name: 'Bold' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await beside(page).getByRole('button', { name: 'Italic' }).and(page.locator('[aria-pressed="true"]')).waitFor();
      await page.keyboard.press('Control+b');
      await page.keyboard.press('Alt+F10');
      await beside(page).getByRole('button', { name: 'Heading 2' }).click();
      await page.keyboard.press('ArrowRight');
      await beside(page).waitFor({ state: 'detached' });
      expect((await saved(admin, page)).body).toBe(
        '<h2><strong><em>One</em></strong> two three</h2><p>Four five six</p>',
      );
    });

    test('take formats but no links, and go with Escape until something else is selected', async () => {
      const formatted = '<p><strong>One <a href="https://example.com/"><em>two</em></a></strong> three</p>';
      const page = await open({}, formatted);
      await page.keyboard.press('Shift+End');
      await beside(page).getByRole('button', { name: 'Clear formatting' }).click();
      await page.keyboard.press('Escape');
      await beside(page).waitFor({ state: 'detached' });
      await body(page).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Shift+ArrowLeft');
      await beside(page).waitFor();
      await page.keyboard.press('Alt+F10');
      await page.keyboard.press('Escape');
      await beside(page).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('!');
      expect((await saved(admin, page)).body).toBe('<p>One <a href="https://example.com/">two</a> thre!e</p>');
    });
  });

  describe('in a line', () => {
    test('without room are in a menu', async () => {
      const page = await open({ width: 760 });
      await line(page).getByRole('button', { name: 'More tools' }).waitFor();
      expect(await line(page).evaluate(isCut)).toBe(false);
      await page.keyboard.press('Alt+F10');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Find and replace' }).waitFor();
      await page.getByRole('menuitem', { name: 'Undo' }).and(page.locator('[aria-disabled="true"]')).waitFor();
      await page.getByRole('menuitem', { name: 'Find and replace' }).click();
      await page.getByRole('search', { name: 'Find' }).waitFor();
    });
  });

  describe('return the focus at once', () => {
    /** Frames are held back until `letGo`: what waits for one has not happened when the next key is pressed. */
    async function holdFrames(page: Page): Promise<{ letGo(): Promise<void> }> {
      const held = await page.evaluateHandle(heldFrames);
      return { letGo: () => page.evaluate((frames) => frames.letGo(), held) };
    }

    test('after the address of a link', async () => {
      const page = await open();
      await selectOne(page);
      await beside(page).waitFor();
      const frames = await holdFrames(page);
      await page.keyboard.press('Control+Shift+k');
      await page.getByRole('group', { name: 'Link' }).getByLabel('Address').and(page.locator(':focus')).waitFor();
      await page.keyboard.type('/one');
      await page.keyboard.press('Enter');
      await page.keyboard.press('End');
      await page.keyboard.type('!');
      await frames.letGo();
      expect((await saved(admin, page)).body).toBe('<p><a href="/one">One</a> two three!</p><p>Four five six</p>');
    });

    test('after a tool, and after a style', async () => {
      const page = await open();
      const frames = await holdFrames(page);
      await page.keyboard.press('Alt+F10');
      await page.keyboard.press('Enter');
      await page.keyboard.type('B');
      await page.getByRole('combobox', { name: 'Text style' }).selectOption('Heading 3');
      await page.keyboard.type('C');
      await frames.letGo();
      expect((await saved(admin, page)).body).toBe('<h3><strong>BC</strong>One two three</h3><p>Four five six</p>');
    });

    test('after a picture was chosen or not', async () => {
      const page = await open();
      const library = page.getByRole('dialog');
      await line(page).getByRole('button', { name: 'Image' }).click();
      await library.getByRole('button', { name: 'dot.png' }).waitFor();
      const frames = await holdFrames(page);
      await page.keyboard.press('Escape');
      await library.waitFor({ state: 'detached' });
      await page.keyboard.type('a');
      await frames.letGo();
      await line(page).getByRole('button', { name: 'Image' }).click();
      await library.getByRole('button', { name: 'dot.png' }).focus();
      const again = await holdFrames(page);
      await page.keyboard.press('Enter');
      await body(page).locator('img').waitFor();
      await page.keyboard.type('b');
      await again.letGo();
      expect((await saved(admin, page)).body).toMatch(/^<p>a<img [^>]*alt="A dot"[^>]*>bOne two three<\/p>/);
    });
  });
});

// In the page.

const heldFrames = () => {
  const real = window.requestAnimationFrame.bind(window);
  const held: FrameRequestCallback[] = [];
  window.requestAnimationFrame = (run) => -held.push(run);
  return {
    letGo() {
      window.requestAnimationFrame = real;
      for (const run of held) real(run);
    },
  };
};

const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth;

/** Whether what stands beside the selection lies over some of it. */
const coversSelection = (): boolean => {
  const bar = document.querySelector('.selection')?.getBoundingClientRect();
  const lines = [...(getSelection()?.getRangeAt(0).getClientRects() ?? [])];
  if (bar === undefined || lines.length === 0) return true;
  return lines.some(
    ({ left, right, top, bottom }) => left < bar.right && right > bar.left && top < bar.bottom && bottom > bar.top,
  );
};
