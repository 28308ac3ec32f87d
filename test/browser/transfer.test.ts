import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { plantedId } from '../spec/rules/planted.ts';
import { wxr, wxrAuthor, wxrItem } from '../support/wordpress-file.ts';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { placeFiles, textBytes } from './media-library.ts';

const definitions = [
  { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text', required: true }] },
];
const hostile = '<script>alert(1)</script>\u202e';

describe.skipIf(chromiumPath === undefined)(`import and export${skipReason}`, () => {
  let admin: Admin;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recto-transfer-'));
    admin = await Admin.open(definitions);
    await admin.account('ada', 'admin');
  });
  afterEach(() => admin?.endTest());
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  function file(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }
  const lines = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n');
  const open = () => admin.page({ as: 'ada', path: '/settings?tab=transfer' });
  const row = (page: Page, table: string, text: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });
  const cells = async (page: Page, text: string) =>
    (await row(page, 'Result', text).getByRole('cell').allTextContents()).map((cell) => cell.trim());
  async function confirmRemoval(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
  }
  const upload = (page: Page) => page.getByRole('button', { name: 'Upload and check' }).click();

  test('records are checked, then imported, with a table that names lines and reasons', async () => {
    const page = await open();
    await upload(page);
    await page.getByText('Choose a file.').waitFor();
    await page.getByLabel('What the file is').selectOption('Records as JSON');
    const records = [{ id: plantedId(1), text: 'First' }, { id: plantedId(2), text: hostile }, { id: plantedId(3) }];
    await page.getByLabel(/^File/).setInputFiles(file('notes.ndjson', lines(records)));
    await upload(page);
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByRole('button', { name: 'Import 2 entries' }).waitFor();
    expect(await cells(page, 'Notes')).toEqual(['Notes', '2', '0', '0', '1']);
    await row(page, 'With errors, left out', 'notes.ndjson:3').getByText('text: text is required.').waitFor();
    expect((await admin.service.send('GET /api/v1/cms/notes')).json.total).toBe(0);
    // The address leads back here.
    await page.reload();
    await page.getByRole('button', { name: 'Import 2 entries' }).click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByText('The import is done.').waitFor();
    expect(await cells(page, 'Notes')).toEqual(['Notes', '2', '0', '0', '1']);
    expect((await admin.service.send('GET /api/v1/cms/notes')).json.total).toBe(2);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await confirmRemoval(page);
    await page.getByText('No imports yet').waitFor();
    expect(page.url()).not.toContain('import=');
  });

  test('languages that the service does not have are named, and left out by a choice', async () => {
    const page = await open();
    const item = (id: number, title: string, code: string) => wxrItem({ id, title, terms: [['language', code, code]] });
    const site = wxr(
      wxrAuthor(1, 'jo', 'jo@site.example'),
      item(801, 'Vent', 'fr'),
      wxrItem({ id: 802, title: 'Wind' }),
    );
    await page.getByLabel(/^File/).setInputFiles(file('languages.xml', site));
    await upload(page);
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page
      .getByRole('checkbox', { name: 'Leave out what is in languages that this service does not have: fr' })
      .check();
    await page.getByRole('button', { name: 'Import 3 entries' }).click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByText('The import is done.').waitFor();
    expect(await cells(page, 'Posts')).toEqual(['Posts', '1', '0', '1', '0']);
    await page.getByText(/^1 × Posts: in “fr”, which is no language of this service/).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await confirmRemoval(page);
    await page.getByText('No imports yet').waitFor();
  });

  test('a file says by its ending what it is', async () => {
    const page = await open();
    const format = page.getByLabel('What the file is');
    await page.getByLabel(/^File/).setInputFiles(file('notes.ndjson', lines([{ text: 'First' }])));
    expect(await format.locator('option:checked').textContent()).toBe('Records as JSON');
    await page.getByLabel(/^File/).setInputFiles(file('site.xml', '<rss/>'));
    expect(await format.locator('option:checked').textContent()).toBe('A WordPress export (Tools → Export)');
    // Without an ending that is known, the choice stays.
    await page.getByLabel(/^File/).setInputFiles(file('notes', lines([{ text: 'First' }])));
    expect(await format.locator('option:checked').textContent()).toBe('A WordPress export (Tools → Export)');
  });

  test('an upload shows how far it is', async () => {
    const page = await open();
    const arrived = Promise.withResolvers<undefined>();
    admin.intercept = ({ method, url }) =>
      method === 'POST' && url.includes('/admin/imports') ? arrived.promise : undefined;
    try {
      await page.getByLabel('What the file is').selectOption('Records as JSON');
      await page.getByLabel(/^File/).setInputFiles(file('notes.ndjson', lines([{ text: 'No id' }])));
      await upload(page);
      const progress = page.getByRole('progressbar', { name: 'Upload' });
      await progress.waitFor();
      await page.getByText('100 %').waitFor();
      arrived.resolve(undefined);
      await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
      expect(await progress.count()).toBe(0);
    } finally {
      admin.intercept = undefined;
    }
    await admin.service.runJobs();
    await page.getByRole('button', { name: 'Import 1 entry' }).waitFor();
    await page.getByText('1 × Notes: new id, because the file gives none').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await confirmRemoval(page);
    await page.getByText('No imports yet').waitFor();
  });

  test('a WordPress site is imported', async () => {
    const page = await open();
    const site = wxr(wxrAuthor(1, 'wanda', 'wanda@site.example'), wxrItem({ id: 7, title: hostile, creator: 'wanda' }));
    await page.getByLabel(/^File/).setInputFiles(file('site.xml', site));
    await upload(page);
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByRole('button', { name: 'Import 2 entries' }).click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByText('The import is done.').waitFor();
    expect(await cells(page, 'Posts')).toEqual(['Posts', '1', '0', '0', '0']);
    await row(page, 'Imports', 'site.xml').getByText('Done').waitFor();
  });

  test('a file that is no export says what is wrong with it', async () => {
    const page = await open();
    await page.getByLabel(/^File/).setInputFiles(file('wrong.xml', '<!DOCTYPE a><html></html>'));
    await upload(page);
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByRole('alert').filter({ hasText: 'document type' }).waitFor();
    expect(await page.getByRole('button', { name: /^Import / }).count()).toBe(0);
    await page.getByLabel('What the file is').selectOption('Records as JSON');
    await page.getByLabel(/^File/).setInputFiles(file('things.ndjson', '{}'));
    await upload(page);
    await page.getByRole('alert').filter({ hasText: 'things.ndjson was not uploaded' }).waitFor();
  });

  test('records are exported and downloaded', async () => {
    const made = await admin.service.send('POST /api/v1/admin/cms/notes', {
      as: 'ada',
      body: { text: 'To take along' },
    });
    expect(made.status).toBe(201);
    const page = await open();
    const form = page.getByRole('region', { name: 'Export' });
    await form.getByLabel('Content type').selectOption('Notes');
    await form.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download notes.ndjson' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('notes.ndjson');
    expect(readFileSync(await saved.path(), 'utf8')).toContain('"text":"To take along"');
    await page.getByRole('button', { name: 'Remove notes.ndjson' }).click();
    await confirmRemoval(page);
    await page.getByText('No exports yet').waitFor();
  });

  test('files go along into an archive and out of it where somebody says so', async () => {
    const page = await open();
    const ids = await placeFiles(admin.service, 'ada', [{ name: 'words.txt', bytes: textBytes('Words to keep') }]);
    const form = page.getByRole('region', { name: 'Export' });
    const goAlong = form.getByLabel('With the files of the media library');
    expect(await goAlong.isChecked()).toBe(false);
    // The records of one type have no files of their own.
    await form.getByLabel('Content type').selectOption('Notes');
    await goAlong.waitFor({ state: 'detached' });
    await form.getByLabel('Content type').selectOption('');
    await goAlong.check();
    await form.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download .*\.tar$/ }).click();
    const saved = await (await download).path();
    const archive = join(folder, 'site.tar');
    copyFileSync(saved, archive);
    expect(readFileSync(archive, 'utf8')).toContain('Words to keep');
    await page.getByRole('button', { name: /^Remove .*\.tar$/ }).click();
    await confirmRemoval(page);
    await page.getByRole('button', { name: /^Remove .*\.tar$/ }).waitFor({ state: 'detached' });
    const about = `/api/v1/admin/media/${ids['words.txt']}`;

    const takeAlong = page.getByLabel('Take its files along');
    await page.getByLabel(/^File/).setInputFiles(file('notes.ndjson', lines([{ text: 'First' }])));
    expect(await takeAlong.count()).toBe(0);
    for (const isTaken of [false, true]) {
      await admin.service.send(`DELETE ${about}`, { as: 'ada' });
      await page.getByLabel(/^File/).setInputFiles(archive);
      // Ticked by itself; what somebody chose stays for the next file.
      expect(await takeAlong.isChecked()).toBe(!isTaken);
      await takeAlong.setChecked(isTaken);
      await upload(page);
      await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
      await admin.service.runJobs();
      await page.getByRole('button', { name: /^Import \d+ entr/ }).click();
      await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
      await admin.service.runJobs();
      await page.getByText('The import is done.').waitFor();
      if (isTaken) expect(await cells(page, 'Files')).toEqual(['Files', '1', '0', '0', '0']);
      else await page.getByText('1 file is missing').waitFor();
      const { json } = await admin.service.send(`GET ${about}`, { as: 'ada' });
      expect([json.name, json.url !== null]).toEqual(['words.txt', isTaken]);
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await confirmRemoval(page);
      // Imports of earlier tests stay in the list.
      await row(page, 'Imports', 'site.tar').waitFor({ state: 'detached' });
      await page.getByText('The import is done.').waitFor({ state: 'detached' });
    }
  });

  test('rows of CSV are imported by a plan that is changed on the page', async () => {
    const page = await open();
    await page.getByLabel(/^File/).setInputFiles(file('notes.csv', 'Words;Extra\nOne row;a\n;b\n'));
    await upload(page);
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByText('There is nothing to import in this file.').waitFor();
    const columns = row(page, 'How the file is read', 'Words');
    await columns.getByText('One row').waitFor();
    await page.getByLabel('Field for Words').selectOption('Text');
    const checkAgain = async () => {
      const changed = page.waitForResponse((response) => response.request().method() === 'PUT');
      await page.getByRole('button', { name: 'Check again' }).click();
      expect((await changed).status()).toBe(200);
      await admin.service.runJobs();
    };
    await checkAgain();
    const run = page.getByRole('button', { name: 'Import 1 entry' });
    await run.waitFor();
    // What was changed is checked before it is imported.
    await page.getByLabel('Decimal sign').selectOption('Comma');
    expect(await run.isDisabled()).toBe(true);
    await checkAgain();
    await page.locator('button:enabled', { hasText: 'Import 1 entry' }).waitFor();
    await row(page, 'With errors, left out', 'notes.csv:3').getByText('text is required').waitFor();
    await run.click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await admin.service.runJobs();
    await page.getByText('The import is done.').waitFor();
    const { json } = await admin.service.send('GET /api/v1/admin/cms/notes?filter=text%20%3D%20%22One%20row%22', {
      as: 'ada',
    });
    expect(json.total).toBe(1);
  });
});
