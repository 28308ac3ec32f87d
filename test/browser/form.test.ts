import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { authorType, openForm, save, stored, thingType } from './form-page.ts';
import { issuesInEveryLook } from './looks.ts';

const relation = { relation_type: 'many_to_one', target: 'authors' };
const many = Array.from({ length: 40 }, (_, index) => ({ name: `f${index}`, field_type: 'text', max_length: 100 }));

const everything = thingType(
  [
    { name: 'slug', field_type: 'uid', target_field: 'title' },
    { name: 'body', field_type: 'richtext', label: 'Body', required: true, help: 'What the page says.' },
    { name: 'notes', field_type: 'richtext', format: 'markdown', private: true },
    { name: 'contact', field_type: 'email' },
    { name: 'price', field_type: 'decimal', min: '0', max: '10' },
    { name: 'featured', field_type: 'boolean' },
    { name: 'starts_at', field_type: 'datetime' },
    { name: 'language', field_type: 'enum', enum_values: ['en', 'fr'], required: true },
    { name: 'settings', field_type: 'json' },
    { name: 'code', field_type: 'text', immutable: true, max_length: 20 },
    { name: 'author', field_type: 'relation', relation, required: true },
    { name: 'reviewers', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'authors' } },
    { name: 'cover', field_type: 'media', required: true },
    { name: 'seo', field_type: 'group', fields: [{ name: 'heading', field_type: 'text', max_length: 70 }] },
    { name: 'colours', field_type: 'list', item: { field_type: 'text', max_length: 5 } },
    {
      name: 'parts',
      field_type: 'blocks',
      label: 'Parts',
      blocks: [
        { name: 'quote', label: 'Quotation', fields: [{ name: 'words', field_type: 'text', required: true }] },
        { name: 'rule', label: 'Rule' },
      ],
    },
  ],
  {
    protocols: ['metaable'],
    admin: {
      groups: [
        { label: 'Who', fields: ['author', 'reviewers'] },
        { label: 'Aside', fields: ['seo'], column: 'side' },
      ],
    },
  },
);

describe.skipIf(skipsLooks)(`forms${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([
      authorType,
      everything,
      {
        singular: 'wide',
        plural: 'wides',
        name: 'Wide',
        fields: [...many, { name: 'g', field_type: 'group', fields: many }],
      },
      {
        ...{ singular: 'happening', plural: 'happenings', name: 'Happening' },
        fields: [
          { name: 'title', field_type: 'text', required: true },
          { name: 'kind', field_type: 'enum', enum_values: ['note', 'event'], default: 'note' },
          { name: 'day', field_type: 'date', required: true, show_if: 'kind = "event"' },
          { name: 'online', field_type: 'boolean', show_if: 'kind = "event"' },
          { name: 'link', field_type: 'text', show_if: 'online = true' },
        ],
      },
    ]);
    await admin.account('ada');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('fields are shown where their condition holds, and keep what was typed', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/happenings/new' });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const answered = async (status: number) => {
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      expect((await answer).status()).toBe(status);
    };
    await field('Title').fill('Fair');
    await field('Kind').waitFor();
    expect(await field('Day').count()).toBe(0);
    await field('Kind').selectOption('event');
    await field('Day').waitFor();
    expect(await field('Day').getAttribute('aria-required')).toBe('true');
    expect(await field('Link').count()).toBe(0);
    await field('Online').check();
    await field('Link').fill('https://example.com');
    await answered(422);
    await page.getByRole('alert').filter({ hasText: 'Day' }).waitFor();
    await field('Day').fill('2026-11-21');
    await field('Kind').selectOption('note');
    // What is not shown counts as empty.
    for (const name of ['Day', 'Online', 'Link']) await field(name).waitFor({ state: 'detached' });
    await field('Kind').selectOption('event');
    await field('Link').waitFor();
    expect([await field('Day').inputValue(), await field('Link').inputValue()]).toEqual([
      '2026-11-21',
      'https://example.com',
    ]);
    await answered(201);
    const { json } = await admin.service.send('GET /api/v1/admin/cms/happenings', { as: 'ada' });
    expect(json.items).toMatchObject([{ kind: 'event', day: '2026-11-21', online: true, link: 'https://example.com' }]);
  });

  test('with errors everyone can use it, in both themes, wide and narrow', async () => {
    const page = await openForm(admin, 'new', { width: 360, height: 900 });
    await page.getByRole('textbox', { name: 'Body' }).waitFor();
    await page.getByRole('textbox', { name: 'notes' }).waitFor();
    await page.getByLabel('Price', { exact: true }).fill('11');
    await page.getByRole('button', { name: 'Add to colours' }).click();
    await page.getByLabel('Colours 1', { exact: true }).fill('turquoise');
    await page.getByRole('button', { name: 'Add to Parts' }).click();
    await page.getByRole('button', { name: 'Quotation' }).click();
    expect((await save(page)).status).toBe(422);
    const heading = page.getByRole('heading', { name: /There are \d+ errors/ });
    await heading.waitFor();
    for (const label of ['Price', 'Language', 'Colours 1', 'Words'])
      expect([label, await page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')]).toEqual([
        label,
        'true',
      ]);
    expect(await page.getByRole('textbox', { name: 'Body' }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('combobox', { name: 'author' }).getAttribute('aria-invalid')).toBe('true');
    expect(await issuesInEveryLook(page)).toEqual([]);
  });

  test('the summary has each error, takes the focus and leads to the fields', async () => {
    const page = await openForm(admin);
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.waitFor();
    await page.getByLabel('Contact', { exact: true }).fill('no address');
    expect((await save(page)).status).toBe(422);
    const summary = page
      .getByRole('alert')
      .filter({ has: page.getByRole('heading', { name: /There are \d+ errors/ }) });
    await summary.waitFor();
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    await summary.getByRole('link', { name: 'contact' }).press('Enter');
    const contact = page.getByLabel('Contact', { exact: true });
    expect(await contact.evaluate((element) => element === document.activeElement)).toBe(true);
    const described = await contact.getAttribute('aria-describedby');
    const words = await page.evaluate(
      `${JSON.stringify(described)}.split(' ').map((id) => document.getElementById(id)?.textContent).join()`,
    );
    expect(words).toContain('address');
    await summary.getByRole('link', { name: 'Body' }).press('Enter');
    await body.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('typed there');
    await body.getByText('typed there').waitFor();
    await summary.getByRole('link', { name: 'cover' }).press('Enter');
    expect(
      await page.getByRole('group', { name: 'cover' }).evaluate((element) => element.contains(document.activeElement)),
    ).toBe(true);
  });

  test('help, what is required and what is private are said', async () => {
    const page = await openForm(admin);
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.waitFor();
    expect(await body.getAttribute('aria-required')).toBe('true');
    const help = await body.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(),
    );
    expect(help).toContain('What the page says.');
    await page.locator('[data-path="notes"]').getByText('Private').waitFor();
    await page.getByRole('heading', { name: 'Who', level: 2 }).waitFor();
  });

  test('a field that never changes is set once', async () => {
    const author = await admin.service.seed('authors', { name: 'A' });
    const media = await admin.service.send('POST /api/v1/media?name=a.txt', {
      as: 'ada',
      headers: { 'Content-Type': 'text/plain' },
      body: 'text',
    });
    const body = {
      title: 'T',
      body: '<p>b</p>',
      language: 'en',
      author: author.id,
      cover: media.json.id,
      code: 'fixed',
    };
    const { id } = await admin.service.seed('things', body);
    const page = await openForm(admin, id);
    expect(await page.getByRole('textbox', { name: 'Code', exact: true }).isDisabled()).toBe(true);
    expect((await stored(admin, id)).code).toBe('fixed');
    const fresh = await openForm(admin);
    expect(await fresh.getByRole('textbox', { name: 'Code', exact: true }).isDisabled()).toBe(false);
  });

  test('the browser neither suggests nor keeps what was typed in fields', async () => {
    const page = await openForm(admin);
    await page.getByRole('textbox', { name: 'notes' }).waitFor();
    const controls = page.locator('[data-path] :is(input, select, textarea):not([type="file"])');
    expect(await controls.count()).toBeGreaterThan(10);
    const kept = await controls.evaluateAll((all) =>
      all
        .filter((control) => control.getAttribute('autocomplete') !== 'off')
        .map((control) => control.closest('[data-path]')?.getAttribute('data-path')),
    );
    expect(kept).toEqual([]);
  });

  test('only the field that changes is drawn again', async () => {
    const page = await admin.page({ as: 'ada', path: '/content/wides/new' });
    await page.getByLabel('F39', { exact: true }).last().waitFor();
    // Counts what changes on the page, by field, while somebody types in one.
    await page.evaluate(`
      window.drawn = new Map();
      new MutationObserver((records) => {
        for (const { target } of records) {
          const path = (target instanceof Element ? target : target.parentElement)?.closest('[data-path]')?.dataset.path;
          if (path !== undefined) drawn.set(path, (drawn.get(path) ?? 0) + 1);
        }
      }).observe(document.querySelector('.form'), { subtree: true, childList: true, attributes: true, characterData: true });
      window.set = [];
      for (const kind of [HTMLInputElement, HTMLTextAreaElement]) {
        const own = Object.getOwnPropertyDescriptor(kind.prototype, 'value');
        Object.defineProperty(kind.prototype, 'value', {
          ...own,
          get() { return own.get.call(this); },
          set(text) { set.push(this.closest('[data-path]')?.dataset.path); own.set.call(this, text); },
        });
      }
    `);
    await page.getByLabel('F7', { exact: true }).first().pressSequentially('typed');
    await page.getByRole('group', { name: 'g' }).getByLabel('F9', { exact: true }).pressSequentially('inside');
    const drawn = await page.evaluate<readonly string[]>('[...drawn.keys(), ...set]');
    expect(drawn.filter((path) => path !== 'f7' && path !== 'g.f9')).toEqual([]);
    // The counter does count: a field that is near its longest length says so.
    await page.getByLabel('F8', { exact: true }).first().fill('x'.repeat(90));
    // After the frame that shows the text.
    await page.waitForFunction(`drawn.get('f8') > 0`);
  });
});
