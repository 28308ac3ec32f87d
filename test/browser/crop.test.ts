import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { getBytes, quarters } from '../http/media/media-calls.ts';
import { becomes } from '../support/database/database.ts';
import { Admin, type AdminPageOptions, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { openForm, thingType } from './form-page.ts';
import { placeFiles } from './media-library.ts';

describe.skipIf(skipsLooks)(`cropping a picture${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([thingType([{ name: 'cover', field_type: 'media' }])]);
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  /** The file of a picture of four colours, twice as wide as high. */
  async function placed(name: string, set: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const ids = await placeFiles(admin.service, 'ada', [{ name, bytes: await quarters(400, 200), set }]);
    return ids[name] ?? '';
  }

  const recordOf = async (id: string) =>
    (await admin.service.send(`GET /api/v1/admin/media/${id}`, { as: 'ada' })).json;

  const library = async (id: string, name: string, options = {}): Promise<readonly [Page, Locator]> => {
    const page = await admin.page({ as: 'ada', path: `/media?file=${id}`, ...options });
    const sheet = page.getByRole('dialog', { name });
    await sheet.getByRole('button', { name: /^(?:Crop|Change the crop)$/ }).waitFor();
    return [page, sheet];
  };

  const begin = async (dialog: Locator): Promise<Locator> => {
    await dialog.getByRole('button', { name: /^(?:Crop|Change the crop)$/ }).click();
    const group = dialog.getByRole('group', { name: 'Crop' });
    await group.getByRole('button', { name: 'Move the frame' }).waitFor();
    return group;
  };

  /** Waits until the edges are there, in percent. */
  async function edgesAre(group: Locator, edges: Readonly<Record<string, number>>): Promise<void> {
    for (const [edge, percent] of Object.entries(edges))
      await group.locator(`[aria-label="${edge} edge"][aria-valuetext="${percent} %"]`).waitFor();
  }

  /** The colour in the middle of a picture that a page shows. */
  async function colourOf(image: Locator): Promise<readonly number[]> {
    const { bytes } = await getBytes(admin.service, (await image.getAttribute('src')) ?? '');
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
    return [...data.subarray(at, at + 3)].map((part) => Math.round(part / 255));
  }

  test('by dragging a corner, the frame and an edge, in a form', async () => {
    const id = await placed('drag.png');
    const { id: thing } = await admin.service.seed('things', { title: 'Drag', cover: id });
    const page = await openForm(admin, thing);
    const cover = page.getByRole('group', { name: 'Cover', exact: true });
    await cover.getByRole('button', { name: 'Details of drag.png' }).click();
    const dialog = page.getByRole('dialog', { name: 'Details of drag.png' });
    const group = await begin(dialog);
    expect(await accessibilityIssues(page)).toEqual([]);

    /** Drags something by shares of the picture. */
    async function drag(grip: Locator, across: number, down: number): Promise<void> {
      const [box, picture] = [await grip.boundingBox(), await group.locator('img').boundingBox()];
      if (box === null || picture === null) throw new Error('It is not shown.');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + across * picture.width, y + down * picture.height, { steps: 4 });
      await page.mouse.up();
    }
    // The upper left corner to the middle: the lower right quarter is left.
    await drag(group.locator('.corner.left.top'), 0.5, 0.5);
    await edgesAre(group, { Left: 50, Top: 50 });
    // What was pressed keeps the keys.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move the frame');
    await drag(group.getByRole('button', { name: 'Move the frame' }), -0.5, 0);
    await edgesAre(group, { Left: 0, Right: 50 });
    await drag(group.getByRole('slider', { name: 'Right edge' }), -0.25, 0.2);
    await edgesAre(group, { Right: 25, Bottom: 100 });
    await group.getByText('100 × 100 of 400 × 200 pixels').waitFor();
    await dialog.getByRole('button', { name: 'Save details' }).click();
    await dialog.waitFor({ state: 'detached' });

    const { crop } = await recordOf(id);
    const near = Object.fromEntries(Object.entries(crop).map(([name, value]) => [name, Number(value).toFixed(2)]));
    expect(near).toEqual({ x: '0.00', y: '0.50', width: '0.25', height: '0.50' });
    // The lower left quarter is blue, and the row of the field shows it at once.
    const thumb = cover.getByRole('listitem').locator('img');
    expect(await colourOf(thumb)).toEqual([0, 0, 1]);
  });

  test('by keys alone, in the library, with proportions that stay', async () => {
    const id = await placed('keys.png');
    const [page, sheet] = await library(id, 'keys.png');
    await sheet.getByRole('button', { name: 'Crop' }).press('Enter');
    const group = sheet.getByRole('group', { name: 'Crop' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Move the frame');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Left edge');
    for (const key of ['Shift+ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
    await edgesAre(group, { Left: 11 });
    await page.keyboard.press('Home');
    await edgesAre(group, { Left: 0 });
    await group.getByLabel('Proportions').selectOption({ label: 'Square' });
    await group.getByText('200 × 200 of 400 × 200 pixels').waitFor();
    await group.getByRole('slider', { name: 'Bottom edge' }).focus();
    for (let count = 0; count < 5; count += 1) await page.keyboard.press('Shift+ArrowUp');
    await group.getByText('100 × 100 of 400 × 200 pixels').waitFor();
    await group.getByRole('button', { name: 'Move the frame' }).focus();
    for (let count = 0; count < 9; count += 1) await page.keyboard.press('Shift+ArrowRight');
    await edgesAre(group, { Right: 100, Top: 0 });

    // The first press of Escape ends the cropping, the next one asks about what is not saved.
    await page.keyboard.press('Escape');
    await group.waitFor({ state: 'detached' });
    await sheet.getByRole('button', { name: 'Change the crop' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Unsaved changes' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await page.getByText('“keys.png” saved.').waitFor();
    expect((await recordOf(id)).crop).toEqual({ x: 0.75, y: 0, width: 0.25, height: 0.5 });

    await sheet.getByRole('button', { name: 'Remove the crop' }).press('Enter');
    await sheet.getByRole('button', { name: 'Crop', exact: true }).waitFor();
    await page.keyboard.press('Control+s');
    await becomes(async () => (await recordOf(id)).crop, null);
  });

  test('shows all of a private picture, from right to left too', async () => {
    const id = await placed('secret.png', { visibility: 'private' });
    const set = { crop: { x: 0.5, y: 0, width: 0.5, height: 0.5 } };
    await admin.service.send(`PUT /api/v1/admin/media/${id}`, { as: 'ada', body: set });
    const looks: readonly AdminPageOptions[] = [
      { theme: 'dark', width: 360, height: 740, hasTouch: true },
      { language: 'ar' },
    ];
    for (const look of looks) {
      const page = await admin.page({ as: 'ada', path: `/media?file=${id}`, ...look });
      const sheet = page.getByRole('dialog', { name: 'secret.png' });
      const image = sheet.locator('img[src*="signature"]').first();
      await image.waitFor();
      const { width, height } = await image.evaluate(async (element) => {
        if (!(element instanceof HTMLImageElement)) throw new Error('It is no image.');
        await element.decode();
        return { width: element.naturalWidth, height: element.naturalHeight };
      });
      expect([width, height]).toEqual([400, 200]);
      expect(await accessibilityIssues(page)).toEqual([]);
    }
  });

  test.each([
    [1, 1],
    [16, 16],
    [4000, 50],
    [50, 4000],
  ])('of %i × %i pixels has room for what it is dragged by', async (width, height) => {
    const name = `${width}x${height}.png`;
    const placed = await placeFiles(admin.service, 'ada', [{ name, bytes: await quarters(width, height) }]);
    const [page, sheet] = await library(placed[name] ?? '', name);
    const group = await begin(sheet);
    expect(await accessibilityIssues(page)).toEqual([]);
    const box = await group.locator('.corner.left.top').boundingBox();
    const picture = await group.locator('img').boundingBox();
    if (box === null || picture === null) throw new Error('It is not shown.');
    await page.mouse.move(box.x + 12, box.y + 12);
    await page.mouse.down();
    await page.mouse.move(box.x + 12 + picture.width / 2, box.y + 12 + picture.height / 2, { steps: 3 });
    await page.mouse.up();
    await edgesAre(group, { Left: 50, Top: 50 });
  });

  test('follows one finger, whatever a second one does', async () => {
    const id = await placed('fingers.png');
    const [page, sheet] = await library(id, 'fingers.png', { hasTouch: true });
    const group = await begin(sheet);
    const boxOf = async (selector: string) => {
      const box = await group.locator(selector).boundingBox();
      if (box === null) throw new Error('It is not shown.');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
    };
    const [first, second] = [await boxOf('.edge.left'), await boxOf('.edge.right')];
    const { width } = await boxOf('img');
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', shares: readonly number[]) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: [first, second]
          .slice(0, shares.length)
          .map(({ x, y }, id) => ({ x: x + (shares[id] ?? 0) * width, y, id })),
      });
    await send('touchStart', [0]);
    await send('touchMove', [0.25]);
    await send('touchStart', [0.25, 0]);
    await send('touchMove', [0.25, -0.5]);
    await send('touchMove', [0.5, -0.5]);
    await send('touchEnd', []);
    await group.getByText('200 × 200 of 400 × 200 pixels').waitFor();
    await edgesAre(group, { Left: 50, Right: 100 });
  });

  test('keeps its keys from what is around it, also where there is no way on', async () => {
    const [page, sheet] = await library(await placed('ends.png'), 'ends.png');
    const group = await begin(sheet);
    await page.evaluate(() => {
      addEventListener('keydown', (event) => document.body.setAttribute('data-kept', String(event.defaultPrevented)));
    });
    await group.getByRole('slider', { name: 'Left edge' }).focus();
    for (const key of ['Home', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) {
      await page.keyboard.press(key);
      expect([key, await page.locator('body').getAttribute('data-kept')]).toEqual([key, 'true']);
    }
    await edgesAre(group, { Left: 0 });
  });

  test('has a frame in the colours of a system with high contrast', async () => {
    const [page, sheet] = await library(await placed('contrast.png'), 'contrast.png');
    await page.emulateMedia({ forcedColors: 'active' });
    const group = await begin(sheet);
    const style = await group.locator('.frame').evaluate((frame) => getComputedStyle(frame).outlineStyle);
    expect(style).toBe('solid');
  });

  test('that cannot begin says so, and keeps the focus', async () => {
    // The part that does not come is in no cache.
    const [page, sheet] = await library(await placed('offline.png'), 'offline.png', { own: true });
    admin.intercept = ({ url }) => (url.includes('CropFrame') ? new Response(null, { status: 503 }) : undefined);
    await sheet.getByRole('button', { name: 'Crop' }).press('Enter');
    await page.getByText(/^A part of this page could not be loaded/).waitFor();
    admin.intercept = undefined;
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Crop');
  });

  test('is not offered of a picture that could not be read', async () => {
    const bytes = (await quarters(40, 20)).slice(0, 60);
    const placed = await placeFiles(admin.service, 'ada', [{ name: 'damaged.png', bytes }]);
    const page = await admin.page({ as: 'ada', path: `/media?file=${placed['damaged.png']}` });
    const sheet = page.getByRole('dialog', { name: 'damaged.png' });
    await sheet.getByText('Focal point', { exact: true }).waitFor();
    expect(await sheet.getByRole('button', { name: 'Crop' }).count()).toBe(0);
  });

  test('ends with the bytes that it was made for, and texts that are not saved stay', async () => {
    const id = await placed('replaced.png');
    const [page, sheet] = await library(id, 'replaced.png');
    await sheet.getByLabel('Alternative text').fill('Not saved');
    const group = await begin(sheet);
    await group.getByRole('slider', { name: 'Left edge' }).press('Shift+ArrowRight');
    const body = await quarters(300, 300);
    const chosen = { name: 'other.png', mimeType: 'image/png', buffer: Buffer.from(body) };
    await sheet.locator('input[type=file]').setInputFiles(chosen);
    await group.getByText('300 × 300 of 300 × 300 pixels').waitFor();
    await edgesAre(group, { Left: 0 });
    expect(await sheet.getByLabel('Alternative text').inputValue()).toBe('Not saved');
    await page.keyboard.press('Control+s');
    await page.getByText('“replaced.png” saved.').waitFor();
    expect(await recordOf(id)).toMatchObject({ alt: 'Not saved', crop: null, width: 300 });
  });

  test('and what else was changed of a file is not lost by a key', async () => {
    const id = await placed('kept.png');
    const { id: thing } = await admin.service.seed('things', { title: 'Kept', cover: id });
    const page = await openForm(admin, thing);
    await page.getByRole('button', { name: 'Details of kept.png' }).click();
    const dialog = page.getByRole('dialog', { name: 'Details of kept.png' });
    await dialog.getByLabel('Alternative text').fill('Four colours');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Unsaved changes' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Alternative text').inputValue()).toBe('Four colours');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await recordOf(id)).alt).toBeNull();
  });
});
