import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { openForm, saved, thingType } from './form-page.ts';

const picture = (colour: string): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: colour } })
    .png()
    .toBuffer();

describe.skipIf(skipsLooks)(`media in a form${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([
      thingType([
        { name: 'cover', field_type: 'media' },
        { name: 'gallery', field_type: 'media', multiple: true },
        { name: 'film', field_type: 'media', external: true },
        { name: 'body', field_type: 'richtext', label: 'Body' },
      ]),
    ]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const field = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

  async function uploaded(name: string, colour: string): Promise<{ readonly id: string; readonly url: string }> {
    const { json, status, text } = await admin.service.send(`POST /api/v1/media?name=${name}`, {
      as: 'ada',
      headers: { 'Content-Type': 'image/png' },
      body: new Uint8Array(await picture(colour)),
    });
    if (status !== 201) throw new Error(text);
    return json;
  }

  async function choose(
    page: Page,
    name: string,
    files: readonly { readonly name: string; readonly colour: string }[],
  ) {
    const chooser = page.waitForEvent('filechooser');
    await field(page, name).getByRole('button', { name: 'Upload' }).click();
    const given = await Promise.all(
      files.map(async (file) => ({ name: file.name, mimeType: 'image/png', buffer: await picture(file.colour) })),
    );
    await (await chooser).setFiles(given);
  }

  const recordOf = async (id: string) =>
    (await admin.service.send(`GET /api/v1/admin/media/${id}`, { as: 'ada' })).json;

  test('of very many files, some are drawn, and the others when somebody asks', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1)
      ids.push((await uploaded(`many-${count}.png`, `rgb(${count}, 0, 0)`)).id);
    const made = await admin.service.send('POST /api/v1/admin/cms/things', { as: 'ada', body: { gallery: ids } });
    expect(made.status).toBe(201);
    const page = await openForm(admin, made.json.id);
    const files = field(page, 'Gallery').getByRole('listitem');
    await files.first().waitFor();
    expect(await files.count()).toBe(50);
    await field(page, 'Gallery').getByRole('button', { name: 'Show more of 10 further files' }).click();
    await files.nth(59).waitFor();
    expect(
      await field(page, 'Gallery')
        .getByRole('button', { name: /^Show more/ })
        .count(),
    ).toBe(0);
  });

  test('the focal point by a click', async () => {
    const { id } = await uploaded('click.png', 'red');
    const { id: thing } = await admin.service.seed('things', { title: 'Click', cover: id });
    const page = await openForm(admin, thing);
    await field(page, 'Cover').getByRole('button', { name: 'Details of click.png' }).click();
    const point = page.getByRole('button', { name: 'Focal point' });
    await point.getByRole('img', { includeHidden: true }).or(point.locator('img')).first().waitFor();
    const box = await point.boundingBox();
    await point.click({ position: { x: (box?.width ?? 0) * 0.25, y: (box?.height ?? 0) * 0.75 } });
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { focal_x: x, focal_y: y } = await recordOf(id);
    expect(Math.round(x * 10)).toBe(3);
    expect(Math.round(y * 10)).toBe(8);
  });

  test('by keys alone: what is uploaded, chosen or removed leaves the focus in the field', async () => {
    const page = await openForm(admin);
    const focused = (name: string) =>
      page.waitForFunction((wanted) => {
        const { activeElement } = document;
        return (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim()) === wanted;
      }, name);
    const chooser = page.waitForEvent('filechooser');
    await field(page, 'Cover').getByRole('button', { name: 'Upload' }).press('Enter');
    await (await chooser).setFiles([{ name: 'sent.png', mimeType: 'image/png', buffer: await picture('teal') }]);
    await focused('Details of sent.png');
    // The first thing that is asked for is its alternative text.
    await page.keyboard.press('Enter');
    const details = page.getByRole('dialog', { name: 'Details of sent.png' });
    await details.waitFor();
    await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);
    await page.keyboard.type('A shore');
    await page.keyboard.press('Control+s');
    await details.waitFor({ state: 'detached' });
    await focused('Details of sent.png');
    await field(page, 'Cover').getByRole('button', { name: 'Remove sent.png' }).press('Enter');
    await focused('Choose from library');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Choose a file: cover' });
    await dialog.getByRole('button', { name: 'sent.png' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await focused('Details of sent.png');
    // Of several, the next one.
    await choose(page, 'Gallery', [
      { name: 'one.png', colour: 'red' },
      { name: 'two.png', colour: 'blue' },
    ]);
    await field(page, 'Gallery').getByRole('button', { name: 'Remove two.png' }).waitFor();
    await field(page, 'Gallery').getByRole('button', { name: 'Remove one.png' }).press('Enter');
    await focused('Remove two.png');
  });

  test('several at once, dropped and pasted', async () => {
    const page = await openForm(admin);
    await choose(page, 'Gallery', [
      { name: 'a.png', colour: 'olive' },
      { name: 'b.png', colour: 'teal' },
    ]);
    // Of a file that is there, and not only on its way.
    await field(page, 'Gallery').getByRole('button', { name: 'Details of b.png' }).waitFor();
    const bytes = [...(await picture('purple'))];
    for (const kind of ['drop', 'paste'] as const) {
      await field(page, 'Gallery')
        .locator('.media')
        .evaluate(
          (element, { kind, bytes }) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], `${kind}.png`, { type: 'image/png' }));
            const init = { bubbles: true, cancelable: true };
            element.dispatchEvent(
              kind === 'drop'
                ? new DragEvent('drop', { ...init, dataTransfer: data })
                : new ClipboardEvent('paste', { ...init, clipboardData: data }),
            );
          },
          { kind, bytes },
        );
      await field(page, 'Gallery')
        .getByRole('button', { name: `Details of ${kind}.png` })
        .waitFor();
    }
    const { gallery } = await saved(admin, page);
    expect(gallery.map((file: { readonly name: string }) => file.name)).toEqual([
      'a.png',
      'b.png',
      'drop.png',
      'paste.png',
    ]);
  });

  test('an upload whose bytes the library has says so, in a field and in the picker', async () => {
    await uploaded('first.png', 'rgb(1, 2, 3)');
    await uploaded('second.png', 'rgb(4, 5, 6)');
    const page = await openForm(admin);
    await choose(page, 'Cover', [{ name: 'again.png', colour: 'rgb(1, 2, 3)' }]);
    await page.getByText('The library had this file already: first.png').waitFor();
    await field(page, 'Gallery').getByRole('button', { name: 'Choose from library' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
    const again = { name: 'third.png', mimeType: 'image/png', buffer: await picture('rgb(4, 5, 6)') };
    await (await chooser).setFiles([again]);
    await page.getByText('The library had this file already: second.png').waitFor();
  });

  test('an upload that fails says so, and the field keeps what it had', async () => {
    const page = await openForm(admin);
    admin.intercept = (request) =>
      request.method === 'POST' && new URL(request.url).pathname === '/api/v1/media'
        ? Response.json(
            { code: 'storage_full', title: 'Full', detail: 'No space is left.', status: 507 },
            { status: 507 },
          )
        : undefined;
    await choose(page, 'Cover', [{ name: 'lost.png', colour: 'black' }]);
    await field(page, 'Cover').getByRole('alert').filter({ hasText: 'No space is left.' }).waitFor();
    await field(page, 'Cover').getByRole('button', { name: 'Dismiss' }).click();
    await field(page, 'Cover').getByRole('button', { name: 'Choose from library' }).waitFor();
  });

  test('an address where the field takes one', async () => {
    const page = await openForm(admin);
    await page.getByLabel('film: address').fill('https://example.com/a.mp4');
    expect((await saved(admin, page)).film).toBe('https://example.com/a.mp4');
  });

  test('a picture in rich text, with its alternative text', async () => {
    const { id } = await uploaded('inline.png', 'gold');
    const page = await openForm(admin);
    await page.locator('[data-path="body"]').getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'inline.png' }).click();
    const body = page.getByRole('textbox', { name: 'Body', exact: true });
    await body.locator(`img[src*="${id}"]`).click();
    await page.locator('[data-path="body"]').getByLabel('Alternative text').fill('A "golden" field');
    const record = await saved(admin, page);
    expect(record.body).toContain(`src="/media/${id}/preview/inline.png`);
    expect(record.body).toContain('alt="A &quot;golden&quot; field"');
  });

  test('a picture in rich text that is not in the library yet', async () => {
    const page = await openForm(admin);
    await page.locator('[data-path="body"]').getByRole('button', { name: 'Image', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search files').and(page.locator(':focus')).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await (await chooser).setFiles([{ name: 'new.png', mimeType: 'image/png', buffer: await picture('teal') }]);
    await page.getByRole('textbox', { name: 'Body', exact: true }).locator('img[src*="new.png"]').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect((await saved(admin, page)).body).toContain('/new.png');
  });
});
