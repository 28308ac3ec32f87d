import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

const essay = {
  singular: 'long-essay',
  plural: 'long-essays',
  protocols: ['versionable'],
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 200 },
    { name: 'reading_minutes', field_type: 'integer' },
    { name: 'status', field_type: 'enum', enum_values: ['draft', 'in_review', 'published'], default: 'in_review' },
    { name: 'page_size_class', field_type: 'enum', enum_values: ['A4', 'letter_size', 'de'] },
    { name: 'seo', field_type: 'group', fields: [{ name: 'canonical_url', field_type: 'text', max_length: 90 }] },
  ],
};

const report = {
  singular: 'report',
  plural: 'reports',
  protocols: [
    {
      name: 'statusable',
      values: ['draft', 'checked', 'published'],
      value_labels: { checked: { en: 'Checked', de: 'Geprüft' } },
    },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true, label: { en: 'Heading', de: 'Überschrift' } },
    {
      ...{ name: 'size', field_type: 'enum', enum_values: ['s', 'l'], label: { de: 'Umfang' } },
      ...{ value_labels: { s: { en: 'Small', de: 'Klein' } }, help: { en: 'How long', de: 'Wie lang' } },
    },
    { name: 'pass', field_type: 'password' },
  ],
  admin: {
    label: { en: 'Report', de: 'Bericht' },
    plural_label: { en: 'Reports', de: 'Berichte' },
    groups: [
      { label: { en: 'Text', de: 'Inhalt' }, fields: ['title', 'size'] },
      { label: { en: 'Access', de: 'Zugang' }, fields: ['pass'] },
    ],
  },
};

describe.skipIf(chromiumPath === undefined)(`names without labels${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([essay, report]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('are written as words in a form, its choices and its errors', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/long-essays/new' });
    await page.getByRole('heading', { name: 'New Long essay' }).waitFor();
    await page.getByLabel('Reading minutes', { exact: true }).waitFor();
    await page.getByRole('group', { name: 'SEO' }).getByLabel('Canonical URL', { exact: true }).waitFor();
    const options = (label: string) => page.getByLabel(label, { exact: true }).locator('option').allTextContents();
    expect(await options('Status')).toEqual(['None', 'Draft', 'In review', 'Published']);
    expect(await options('Page size class')).toEqual(['None', 'A4', 'Letter size', 'de']);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Title', exact: true }).waitFor();
  });

  test('are written as words in a list, its filters and the chips of them', async () => {
    await admin.service.seed('long-essays', { title: 'On paper', page_size_class: 'letter_size', reading_minutes: 4 });
    const filter = encodeURIComponent('page_size_class = "letter_size"');
    const page = await admin.page({ as: 'ada', path: `/content/long-essays?filter=${filter}` });
    const table = page.getByRole('table', { name: 'Long essays' });
    await table.getByRole('link', { name: 'On paper' }).waitFor();
    expect(await table.getByRole('columnheader').allInnerTexts()).toContain('Reading minutes');
    await table.getByText('In review', { exact: true }).waitFor();
    await page.getByText('Page size class is Letter size').waitFor();
  });

  test('are those of the definition in the language of the reader', async () => {
    await admin.service.seed('reports', { title: 'On paper', size: 's', status: 'checked' });
    const page = await admin.page({ as: 'ada', path: '/content/reports', language: 'de' });
    const table = page.getByRole('table', { name: 'Berichte' });
    await table.getByRole('link', { name: 'On paper' }).waitFor();
    expect((await table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())).toEqual(
      expect.arrayContaining(['Überschrift']),
    );
    await table.getByText('Geprüft', { exact: true }).waitFor();
    await table.getByRole('link', { name: 'On paper' }).click();
    await page.getByRole('heading', { name: 'Inhalt', level: 2 }).waitFor();
    await page
      .getByLabel('Umfang', { exact: true })
      .locator('option', { hasText: 'Klein' })
      .waitFor({ state: 'attached' });
    expect(await page.getByLabel('Überschrift', { exact: true }).inputValue()).toBe('On paper');
    await page.getByText('Wie lang', { exact: true }).waitFor();
    expect(await page.locator('section', { hasText: 'Zugang' }).getByLabel('Pass', { exact: true }).count()).toBe(1);
  });

  test('are those of a form in the audit log, the list of webhooks and beside comments', async () => {
    const { id } = await admin.service.seed('long-essays', { title: 'Ink', status: 'draft' });
    const send = (line: string, body: object) => admin.service.send(line, { as: 'ada', body });
    await send(`PUT /api/v1/admin/cms/long-essays/${id}`, { status: 'in_review' });
    await send('POST /api/v1/admin/webhooks', { url: 'http://127.0.0.1:9/', types: ['long-essays'] });
    const { json: post } = await send('POST /api/v1/posts', { title: 'Mill', content: 'Mill', status: 'Published' });
    await send(`POST /api/v1/posts/${post.slug}/comments`, { content: 'Which mill?', nickname: 'Ruth' });
    const page = await admin.page({ as: 'ada', path: `/audit-log?record=${id}` });
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('In review', { exact: true }).waitFor();
    await page.goto('/admin/webhooks');
    await page.getByRole('cell', { name: 'Long essays', exact: true }).waitFor();
    const german = await admin.page({ as: 'ada', path: '/comments', language: 'de' });
    await german.getByRole('complementary').getByText('Veröffentlicht', { exact: true }).waitFor();
  });

  test('are what errors call a field, in the language of the reader', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/long-essays/new' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Title is required.', { exact: true }).first().waitFor();
    const german = await admin.page({ as: 'ada', path: '/content/reports/new', language: 'de' });
    await german.getByRole('button', { name: 'Speichern', exact: true }).click();
    await german.getByText('Das fehlt noch.', { exact: true }).first().waitFor();
    await german.getByRole('alert').getByRole('link', { name: 'Überschrift' }).waitFor();
  });
});
