import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { quarters } from '../http/media/media-calls.ts';
import { becomes } from '../support/database/database.ts';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { closeBy } from './dialogs.ts';
import { issuesInEveryLook } from './looks.ts';
import { picture, placeFiles, textBytes, transferOf, until } from './media-library.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  name: 'Article',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'live'], published: 'live' },
  ],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'cover', field_type: 'media' },
  ],
};

const hostile = '<img src=x onerror=alert(1)>‮gpj.exe';

describe.skipIf(skipsLooks)(`the media library${looksSkipReason}`, () => {
  let admin: Admin;
  let ids: Readonly<Record<string, string>>;
  beforeAll(async () => {
    admin = await Admin.open([article]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
    ids = await placeFiles(admin.service, 'ada', [
      { name: 'harbour.jpg', bytes: await picture(300, 200, 10), set: { folder: 'travel/lisbon', tags: ['sea'] } },
      { name: 'tram.jpg', bytes: await picture(300, 200, 60), set: { folder: 'travel' } },
      { name: 'secret.jpg', bytes: await picture(300, 200, 120), set: { visibility: 'private' } },
      { name: hostile, bytes: textBytes('<script>alert(1)</script>'), set: { alt: '<b>alt</b>' } },
      { name: 'prices.pdf', bytes: textBytes('%PDF-1.4 prices') },
    ]);
    await admin.service.send('POST /api/v1/admin/cms/articles', {
      as: 'ada',
      body: { title: 'A city by the sea', status: 'live', cover: ids['harbour.jpg'] },
    });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const list = (page: Page) => page.getByRole('list', { name: 'Files' });
  const names = async (page: Page): Promise<readonly string[]> =>
    list(page)
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => each.querySelector('.name')?.textContent ?? ''));
  const row = async (id: string) => (await admin.service.send(`GET /api/v1/admin/media/${id}`, { as: 'ada' })).json;
  const open = (path = '/media', options = {}) => admin.page({ as: 'edith', path, ...options });

  test('shows files as text and pictures, whatever they are called, the private ones too', async () => {
    const page = await open();
    await page.getByRole('status').filter({ hasText: '5 files' }).waitFor();
    const all = ['harbour.jpg', 'tram.jpg', 'secret.jpg', '_img src=x onerror=alert(1)_gpj.exe', 'prices.pdf'];
    await becomes(async () => (await names(page)).toSorted(), all.toSorted());
    // A signed address takes the place of that of a private file.
    await until(
      page,
      `(() => {
        const images = [...document.querySelectorAll('[data-file] img')];
        return images.length === 3 && images.every((image) => image.complete && image.naturalWidth > 0);
      })()`,
    );
  });

  test('a picture that cannot be shown is shown as a file', async () => {
    const damaged = (await picture(300, 200, 10)).slice(0, 400);
    const made = await placeFiles(admin.service, 'ada', [{ name: 'damaged.jpg', bytes: damaged }]);
    for (const path of ['/media?search=damaged', '/media?search=damaged&view=list']) {
      const page = await open(path);
      const button = page.getByRole('button', { name: /damaged/ }).first();
      await button.waitFor();
      await page.getByText('damaged.jpg').first().waitFor();
      await page.locator('main .kind').first().waitFor();
      await page.locator('main img').waitFor({ state: 'detached' });
    }
    await admin.service.send(`DELETE /api/v1/admin/media/${made['damaged.jpg']}`, { as: 'ada' });
  });

  test('filters stand in the address, and going back takes them away', async () => {
    const page = await open();
    const folders = page.getByRole('navigation', { name: 'Folders and tags' });
    await folders.getByRole('link', { name: 'travel 2' }).click();
    await page.getByRole('status').filter({ hasText: '2 files' }).waitFor();
    expect(new URL(page.url()).search).toBe('?folder=travel');
    await folders.getByRole('link', { name: 'sea 1' }).click();
    await page.getByRole('status').filter({ hasText: '1 file' }).waitFor();
    await becomes(() => names(page), ['harbour.jpg']);
    await page.goBack();
    await page.goBack();
    await page.getByRole('status').filter({ hasText: '5 files' }).waitFor();

    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Documents');
    await page.getByRole('status').filter({ hasText: '1 file' }).waitFor();
    await becomes(() => names(page), ['prices.pdf']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Use', exact: true }).selectOption('Used');
    await page.getByRole('status').filter({ hasText: '1 file' }).waitFor();
    await becomes(() => names(page), ['harbour.jpg']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('tram');
    await page.getByRole('status').filter({ hasText: '1 file' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing of this name');
    await page.getByRole('heading', { name: 'No file matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('status').filter({ hasText: '5 files' }).waitFor();
    await page.getByRole('button', { name: 'List' }).click();
    await page.getByRole('table', { name: 'Media' }).waitFor();
    expect(new URL(page.url()).search).toBe('?view=list');
  });

  test('uploads several files, says what is wrong with one, and tries it again', async () => {
    const page = await open('/media?folder=uploads');
    await page.getByRole('heading', { name: 'No file matches' }).waitFor();
    let isBroken = true;
    admin.intercept = (request) =>
      isBroken && request.method === 'POST' && request.url.includes('broken.txt')
        ? Response.json({ code: 'storage_full', detail: 'No space is left.', status: 507 }, { status: 507 })
        : undefined;
    const files = [
      { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') },
      { name: 'broken.txt', mimeType: 'text/plain', buffer: Buffer.from('broken') },
      // Of more than one part.
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5_000_000, 7) },
    ];
    await page.getByLabel('Choose files to upload').setInputFiles(files);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('status').filter({ hasText: '2 files uploaded, 1 failed' }).waitFor();
    await uploads.getByRole('alert').filter({ hasText: 'No space is left.' }).waitFor();
    isBroken = false;
    await uploads.getByRole('button', { name: 'Try broken.txt again' }).click();
    await uploads.getByRole('status').filter({ hasText: '3 files uploaded' }).waitFor();
    admin.intercept = undefined;
    await uploads.getByRole('button', { name: 'Close' }).click();
    await uploads.waitFor({ state: 'detached' });
    await becomes(async () => (await names(page)).toSorted(), ['broken.txt', 'large.bin', 'one.txt']);
    const stored = await admin.service.send('GET /api/v1/admin/media?folder=uploads', { as: 'ada' });
    expect(stored.json.total).toBe(3);
  });

  test('says that it had the bytes of an uploaded file before, and removes the new one', async () => {
    const page = await open();
    const harbour = ids['harbour.jpg'] ?? 'missing';
    const same = { name: 'again.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await picture(300, 200, 10)) };
    await page.getByLabel('Choose files to upload').setInputFiles([same]);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('The library had this file already: harbour.jpg').waitFor();
    expect(await uploads.getByRole('link', { name: 'Open that one' }).getAttribute('href')).toContain(harbour);
    await list(page).getByRole('button', { name: /again/ }).waitFor();
    await uploads.getByRole('button', { name: 'Remove the new one' }).click();
    await uploads.waitFor({ state: 'detached' });
    await list(page).getByRole('button', { name: /again/ }).waitFor({ state: 'detached' });
    const { hash } = await row(harbour);
    const found = await admin.service.send(`GET /api/v1/admin/media?hash=${hash}`, { as: 'ada' });
    expect(found.json.items.map(({ id }: { id: string }) => id)).toEqual([harbour]);
  });

  test('takes dropped and pasted files', async () => {
    const page = await open();
    await list(page).waitFor();
    const transfer = await page.evaluateHandle(transferOf('dropped.txt'));
    await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
    await page.getByText('Drop files to upload them').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await list(page)
      .getByRole('button', { name: /dropped\.txt/ })
      .waitFor();
    await page.evaluate(
      `document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: ${transferOf('pasted.txt')}, bubbles: true, cancelable: true }))`,
    );
    await list(page)
      .getByRole('button', { name: /pasted\.txt/ })
      .waitFor();
    for (const { id } of (await admin.service.send('GET /api/v1/admin/media?search=ed', { as: 'ada' })).json.items)
      await admin.service.send(`DELETE /api/v1/admin/media/${id}`, { as: 'ada' });
  });

  test.each([1440, 390])('uploads leave the actions for selected files in reach, %d px', async (width) => {
    const page = await admin.page({ as: 'ada', path: '/media', width });
    await page
      .getByLabel('Choose files to upload')
      .setInputFiles([{ name: `reach-${width}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`reach ${width}`) }]);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('status').filter({ hasText: '1 file uploaded' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    const bar = page.getByRole('toolbar').filter({ hasText: 'selected' });
    // Nothing else is hit where a button is.
    for (const one of await bar.getByRole('button').all()) await one.click({ trial: true });
    await uploads.getByRole('button', { name: 'Close' }).click();
  });

  test('a running upload holds the page, and can be cancelled', async () => {
    const page = await open();
    let release = (): void => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    admin.intercept = (request) => (request.method === 'POST' && request.url.includes('slow.txt') ? held : undefined);
    await page
      .getByLabel('Choose files to upload')
      .setInputFiles({ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('slow') });
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('progressbar', { name: 'Upload of slow.txt' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Comments' }).click();
    await closeBy(page.getByRole('dialog', { name: 'Uploads are running' }), 'Cancel');
    await uploads.getByRole('button', { name: 'Cancel slow.txt' }).click();
    await uploads.waitFor({ state: 'detached' });
    release();
    admin.intercept = undefined;
    expect(new URL(page.url()).pathname).toBe('/admin/media');
  });

  test('the details of a file: texts, focal point, where it is used, and unsaved changes', async () => {
    const page = await open(`/media?file=${ids['harbour.jpg']}`);
    const sheet = page.getByRole('dialog', { name: 'harbour.jpg' });
    const link = sheet.getByRole('link', { name: 'A city by the sea' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^\/admin\/content\/articles\/[0-9a-f-]{36}$/);
    await sheet.getByText('Article, cover').waitFor();
    await sheet.getByLabel('Alternative text').fill('Boats in a harbour');
    await sheet.getByLabel('Tags').fill('sea, boats, Sea');
    await sheet.getByRole('button', { name: /^Focal point/ }).focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await sheet.getByText('40 % from the left, 51 % from the top').waitFor();
    // Closing asks first.
    await sheet.getByRole('button', { name: 'Close' }).click();
    await closeBy(page.getByRole('dialog', { name: 'Unsaved changes' }), 'Cancel');
    await page.keyboard.press('Control+s');
    await page.getByText('“harbour.jpg” saved.').waitFor();
    expect(await row(ids['harbour.jpg'] ?? '')).toMatchObject({
      alt: 'Boats in a harbour',
      tags: ['sea', 'boats'],
      focal_x: 0.4,
      focal_y: 0.51,
    });
    await sheet.getByRole('button', { name: 'Copy the address: thumb' }).waitFor();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  test('goes on to the next file and back, and saves what is typed before', async () => {
    const page = await open(`/media?order=name&kind=image&file=${ids['harbour.jpg']}`);
    const sheet = (name: string) => page.getByRole('dialog', { name });
    const isInText = () => until(page, "document.activeElement?.tagName === 'TEXTAREA'");
    const previous = page.getByRole('button', { name: 'Previous file' });
    const next = page.getByRole('button', { name: 'Next file' });
    await sheet('harbour.jpg').getByLabel('Alternative text').fill('A harbour by day');
    await until(page, `document.querySelectorAll('[data-file]').length === 3`);
    expect(await previous.isDisabled()).toBe(true);
    await page.keyboard.press('Alt+ArrowDown');
    await sheet('secret.jpg').getByLabel('Alternative text').waitFor();
    await isInText();
    await page.keyboard.type('A secret');
    await next.click();
    await sheet('tram.jpg').getByLabel('Alternative text').waitFor();
    expect(new URL(page.url()).searchParams.get('file')).toBe(ids['tram.jpg'] ?? '');
    expect(await next.isDisabled()).toBe(true);
    expect((await row(ids['harbour.jpg'] ?? '')).alt).toBe('A harbour by day');
    expect((await row(ids['secret.jpg'] ?? '')).alt).toBe('A secret');
    // What cannot be saved stays where it is.
    admin.intercept = (request) =>
      request.method === 'PUT'
        ? Response.json({ code: 'internal', detail: 'It went wrong.', status: 500 }, { status: 500 })
        : undefined;
    await sheet('tram.jpg').getByLabel('Caption').fill('Unsaved');
    await page.keyboard.press('Alt+ArrowUp');
    await sheet('tram.jpg').getByRole('alert').filter({ hasText: 'It went wrong.' }).waitFor();
    expect(await sheet('tram.jpg').getByLabel('Caption').inputValue()).toBe('Unsaved');
    admin.intercept = undefined;
    await sheet('tram.jpg').getByRole('button', { name: 'Discard changes' }).click();
    await previous.click();
    await sheet('secret.jpg').getByLabel('Alternative text').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const name of ['harbour.jpg', 'secret.jpg'])
      await admin.service.send(`PUT /api/v1/admin/media/${ids[name]}`, { as: 'ada', body: { alt: null } });
  });

  test('a change by somebody else meanwhile is not overwritten', async () => {
    const page = await open(`/media?file=${ids['tram.jpg']}`);
    const sheet = page.getByRole('dialog', { name: 'tram.jpg' });
    await sheet.getByLabel('Caption').fill('Mine');
    await admin.service.send(`PUT /api/v1/admin/media/${ids['tram.jpg']}`, { as: 'ada', body: { caption: 'Theirs' } });
    await sheet.getByRole('button', { name: 'Save' }).click();
    await sheet.getByRole('alert').filter({ hasText: 'Somebody else has changed this file' }).waitFor();
    expect(await sheet.getByLabel('Caption').inputValue()).toBe('Mine');
    await sheet.getByRole('button', { name: 'Reload' }).click();
    await sheet.getByRole('alert').waitFor({ state: 'detached' });
    await becomes(() => sheet.getByLabel('Caption').inputValue(), 'Theirs');
  });

  test('replaces the bytes of a file, and signs a link to a private one', async () => {
    const page = await open(`/media?file=${ids['secret.jpg']}`);
    const sheet = page.getByRole('dialog', { name: 'secret.jpg' });
    const before = await row(ids['secret.jpg'] ?? '');
    const buffer = Buffer.from(await quarters(120, 60));
    await sheet.getByLabel('Replace file').setInputFiles({ name: 'new.png', mimeType: 'image/png', buffer });
    await page.getByText('“secret.jpg” has new contents.').waitFor();
    await sheet.getByText('120 × 60 pixels').waitFor();
    expect((await row(before.id)).hash).not.toBe(before.hash);
    await sheet.getByRole('button', { name: 'Create link' }).click();
    const code = sheet.locator('.signed code');
    const address = (await code.textContent()) ?? '';
    expect((await fetch(address)).status).toBe(200);
    // Another one, whatever it begins with.
    const altered = address.replace(/signature=./, (found) => (found.endsWith('x') ? 'signature=y' : 'signature=x'));
    expect((await fetch(altered)).status).toBe(404);
  });

  test('moves, tags and deletes several; what records show stays, and a change can be taken back', async () => {
    const bytes = ['a', 'b', 'c'].map((text) => ({ name: `bulk-${text}.txt`, bytes: textBytes(`bulk ${text}`) }));
    const made = await placeFiles(admin.service, 'ada', bytes);
    const page = await open('/media?search=bulk');
    await page.getByRole('status').filter({ hasText: '3 files' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    const bar = page.getByRole('toolbar', { name: '3 files selected' });
    await bar.getByRole('button', { name: 'Move to folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 3 files' });
    await dialog.getByLabel('Folder').fill(' attic // box ');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByText('3 files moved.').waitFor();
    const attic = page.getByRole('navigation', { name: 'Folders and tags' }).getByRole('link', { name: /attic/ });
    await attic.waitFor();
    expect((await row(made['bulk-a.txt'] ?? '')).folder).toBe('attic/box');
    await page.getByRole('button', { name: 'Undo' }).click();
    await attic.waitFor({ state: 'detached' });
    expect((await row(made['bulk-a.txt'] ?? '')).folder).toBeNull();

    const cover = await admin.service.send('POST /api/v1/admin/cms/articles', {
      as: 'ada',
      body: { title: 'Shows b', cover: made['bulk-b.txt'] },
    });
    await bar.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 3 files?' });
    await question.getByText('1 of them is shown by records and stays:').waitFor();
    await question.getByRole('listitem').filter({ hasText: 'bulk-b.txt' }).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 files deleted.').waitFor();
    await becomes(() => names(page), ['bulk-b.txt']);
    await admin.service.send(`DELETE /api/v1/admin/cms/articles/${cover.json.id}`, { as: 'ada' });
    await admin.service.send(`DELETE /api/v1/admin/media/${made['bulk-b.txt']}`, { as: 'ada' });
  });

  test('without a mouse', async () => {
    const page = await open('/media?order=name&kind=image');
    await list(page).waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate<string>('document.activeElement?.type')).toBe('search');
    const focused = (): Promise<string | undefined> =>
      page.evaluate<string | undefined>(
        "document.activeElement?.closest('li')?.querySelector('.name')?.textContent ?? undefined",
      );
    // Tab goes to the files, of which one is a stop.
    for (let tabs = 0; tabs < 40 && (await focused()) === undefined; tabs += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe('harbour.jpg');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('secret.jpg');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    expect(await focused()).toBe('tram.jpg');
    await page.getByRole('toolbar', { name: '2 files selected' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Delete “harbour.jpg”?' }).getByText('A city by the sea').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await list(page)
      .getByRole('button', { name: /harbour/ })
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'harbour.jpg' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(page, "document.activeElement?.getAttribute('data-file') != null");
    expect(await focused()).toBe('harbour.jpg');
  });

  test('an error is shown and can be tried again', async () => {
    admin.intercept = (request) =>
      /\/admin\/media\?/.test(request.url)
        ? Response.json({ code: 'internal', detail: 'It went wrong.', status: 500 }, { status: 500 })
        : undefined;
    const page = await open();
    await page.getByRole('alert').filter({ hasText: 'It went wrong.' }).waitFor();
    admin.intercept = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await list(page).waitFor();
  });

  const sights: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
    ['/media', (page) => list(page).waitFor()],
    ['/media?view=list', (page) => page.getByRole('table').waitFor()],
    ['/media?search=nothing+at+all', (page) => page.getByRole('heading', { name: 'No file matches' }).waitFor()],
    ['details', (page) => page.getByRole('dialog').getByText('A city by the sea').waitFor()],
  ];
  test.each(sights)('meets WCAG 2.2 AA in both themes, wide and narrow: %s', async (path, arrived) => {
    const page = await open(path === 'details' ? `/media?file=${ids['harbour.jpg']}` : path);
    await arrived(page);
    expect(await issuesInEveryLook(page)).toEqual([]);
  });
});
