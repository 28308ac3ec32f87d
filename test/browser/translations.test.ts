import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { noteType } from './editor-types.ts';
import { issuesInBothThemes } from './looks.ts';

/** A type whose words each language has of its own. */
const essayType = {
  name: 'Essay',
  singular: 'essay',
  plural: 'essays',
  protocols: ['timestampable', 'versionable', 'statusable'],
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 200, localized: true },
    { name: 'summary', field_type: 'text', label: 'Summary', localized: true },
    { name: 'body', field_type: 'richtext', label: 'Body', localized: true },
    { name: 'slug', field_type: 'uid', label: 'Slug', target_field: 'title', localized: true },
    { name: 'points', field_type: 'integer', label: 'Points' },
  ],
  admin: { title_field: 'title' },
};

/** A type whose published records have drafts. */
const taleType = {
  name: 'Tale',
  singular: 'tale',
  plural: 'tales',
  protocols: ['timestampable', { name: 'versionable', drafts: true }, 'statusable'],
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 200, localized: true },
    { name: 'points', field_type: 'integer', label: 'Points' },
  ],
  admin: { title_field: 'title' },
};

/** A type in which each language has a status of its own. */
const poemType = {
  name: 'Poem',
  singular: 'poem',
  plural: 'poems',
  protocols: ['timestampable', { name: 'statusable', by_language: true }],
  fields: [{ name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 200, localized: true }],
};

/** A role that writes in German alone. */
const german = {
  name: 'german',
  base: 'editor',
  types: { essay: { create: false, languages: ['de'] } },
  may: { releases: true },
};

const english = { title: 'On paper', summary: 'Why margins matter', body: '<p>White space.</p>', points: 3 };

describe.skipIf(skipsLooks)(`records in several languages${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([essayType, taleType, poemType, noteType], { languages: 'en,de,ar' });
    await admin.account('ada', 'admin');
    await admin.service.send('POST /api/v1/admin/roles', { as: 'ada', body: german });
    await admin.account('gerd', 'german');
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const route = (id: string) => `/api/v1/admin/cms/essays/${id}`;
  const stored = async (id: string, language: string) =>
    (await admin.service.send(`GET ${route(id)}?language=${language}`, { as: 'ada' })).json;
  const translate = (id: string, language: string, body: object) =>
    admin.service.send(`PUT ${route(id)}?language=${language}`, { as: 'ada', body });
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const saved = (page: Page) => page.locator('[data-state="clean"]').waitFor();

  /** By the keyboard, as a menu is used. */
  async function switchTo(page: Page, from: string, to: string): Promise<void> {
    await button(page, `Language: ${from}`).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: new RegExp(`^${to}`) }).focus();
    await page.keyboard.press('Enter');
  }
  const opened = (page: Page, language: string) => button(page, `Language: ${language}`).waitFor();

  test('wait in a release by their language', async () => {
    const { id } = await admin.service.seed('essays', { ...english, status: 'published' });
    await translate(id, 'de', { title: 'Auf Papier' });
    const page = await admin.page({ as: 'gerd', path: `/content/essays/${id}?language=de` });
    await field(page, 'Title').fill('Über Papier');
    await button(page, 'Add to release').click();
    const dialog = page.getByRole('dialog', { name: 'Add to release: German' });
    await dialog.getByText('With one changed field of this form.').waitFor();
    expect(await dialog.getByLabel('What happens').locator('option').allInnerTexts()).toEqual([
      'Publish',
      'Remove German',
    ]);
    await dialog.getByLabel('Name').fill('Frühling');
    await button(page, 'Add').click();
    await button(page, 'Show release').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Essay · German' });
    await row.getByText('Title').waitFor();
    expect(await issuesInBothThemes(page)).toEqual([]);
    expect(await row.getByRole('link').getAttribute('href')).toEndWith(`/content/essays/${id}?language=de`);
    expect(await stored(id, 'de')).toMatchObject({ title: 'Auf Papier' });
    await button(page, 'Publish release').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish release' }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    expect(await stored(id, 'de')).toMatchObject({ title: 'Über Papier' });
    expect(await stored(id, 'en')).toMatchObject(english);
  });

  test('are written in one, which the address keeps, and what all share is locked', async () => {
    const { id } = await admin.service.seed('essays', english);
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}` });
    await field(page, 'Title').waitFor();
    await switchTo(page, 'English', 'German');
    await opened(page, 'German');
    expect(page.url()).toEndWith(`/content/essays/${id}?language=de`);
    // Whoever came by the switch is at it, and goes on from there.
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Language: German');
    expect(await field(page, 'Title').inputValue()).toBe('');
    expect(await page.locator('[data-source="title"]').innerText()).toContain('On paper');
    const points = field(page, 'Points');
    expect([await points.inputValue(), await points.isDisabled()]).toEqual(['3', true]);
    expect(await page.locator('[data-shared="points"]').innerText()).toContain('Shared by all languages.');
    expect(await field(page, 'Title').getAttribute('lang')).toBe('de');

    await field(page, 'Title').fill('Über Papier');
    await page.keyboard.press('Control+s');
    await saved(page);
    expect(await stored(id, 'de')).toMatchObject({ title: 'Über Papier', summary: null, points: 3 });
    expect(await stored(id, 'en')).toMatchObject(english);

    await page.reload();
    await opened(page, 'German');
    expect(await field(page, 'Title').inputValue()).toBe('Über Papier');
    await page.goBack();
    await opened(page, 'English');
    expect(await field(page, 'Title').inputValue()).toBe('On paper');
    await page.goForward();
    await opened(page, 'German');
    await page.getByRole('link', { name: 'Edit in English: Points' }).click();
    await opened(page, 'English');
    expect(await field(page, 'Points').isDisabled()).toBe(false);
  });

  test('keep every key where it was typed, also when the language changes while it is saved', async () => {
    const { id } = await admin.service.seed('essays', english);
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}?language=de` });
    const title = field(page, 'Title');
    await title.waitFor();
    const held = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    admin.intercept = async (request) => {
      if (request.method !== 'PUT' || !request.url.includes('/cms/essays/')) return undefined;
      sent.resolve();
      await held.promise;
      return undefined;
    };
    await title.pressSequentially('Pap');
    await page.keyboard.press('Control+s');
    await sent.promise;
    await title.pressSequentially('ier');
    await switchTo(page, 'German', 'English');
    held.resolve();
    const leaving = page.getByRole('dialog', { name: 'Unsaved changes' });
    await leaving.getByRole('button', { name: 'Save' }).click();
    await opened(page, 'English');
    expect(await title.inputValue()).toBe('On paper');
    expect((await stored(id, 'de')).title).toBe('Papier');
    expect((await stored(id, 'en')).title).toBe('On paper');
  });

  test('keep what was typed and not saved, each for its own language', async () => {
    const { id } = await admin.service.seed('essays', english);
    const context = await admin.context();
    await admin.signIn(context, 'ada');
    const first = await admin.tab(context, `/content/essays/${id}?language=de`);
    await field(first, 'Title').fill('Nicht gespeichert');
    await first.waitForFunction(isKept, 'Nicht gespeichert');
    await first.close();
    const second = await admin.tab(context, `/content/essays/${id}`);
    await saved(second);
    await field(second, 'Title').waitFor();
    await switchTo(second, 'English', 'German');
    await button(second, 'Restore').click();
    expect(await field(second, 'Title').inputValue()).toBe('Nicht gespeichert');
    await second.keyboard.press('Control+s');
    await saved(second);
    expect((await stored(id, 'de')).title).toBe('Nicht gespeichert');
    expect((await stored(id, 'en')).title).toBe('On paper');
  });

  test('are copied from another language, which is one step to take back', async () => {
    const { id } = await admin.service.seed('essays', english);
    await translate(id, 'de', { title: 'Über Papier' });
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}?language=de` });
    const [title, summary] = [field(page, 'Title'), field(page, 'Summary')];
    await summary.waitFor();
    await page.getByText('Missing: Summary, Body, Slug').waitFor();
    await button(page, 'Copy from English').click();
    await page.getByRole('menuitem', { name: 'Replace all fields' }).click();
    await page.getByText('3 fields are copied.').waitFor();
    expect([await title.inputValue(), await summary.inputValue()]).toEqual(['On paper', 'Why margins matter']);
    await page.keyboard.press('Control+z');
    expect([await title.inputValue(), await summary.inputValue()]).toEqual(['Über Papier', '']);
    await button(page, 'Copy Summary from English').click();
    expect([await title.inputValue(), await summary.inputValue()]).toEqual(['Über Papier', 'Why margins matter']);
    await page.keyboard.press('Control+s');
    await saved(page);
    expect(await stored(id, 'de')).toMatchObject({ title: 'Über Papier', summary: 'Why margins matter', body: null });
  });

  test('say what each language lacks, and lose one when somebody says so', async () => {
    const { id } = await admin.service.seed('essays', english);
    await translate(id, 'de', { title: 'Über Papier' });
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}?language=de` });
    await button(page, 'Language: German').click();
    const entry = (name: string) => page.getByRole('menuitemradio', { name });
    await entry('German').getByText('Missing: Summary, Body, Slug').waitFor();
    await entry('Arabic').getByText('Nothing yet').waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Remove German').click();
    const question = page.getByRole('dialog', { name: 'Remove German?' });
    expect(await question.innerText()).toContain('Title');
    await question.getByRole('button', { name: 'Remove German' }).click();
    await opened(page, 'English');
    expect(await stored(id, 'de')).toMatchObject({ title: null, __languages: ['en'] });
    expect((await stored(id, 'en')).title).toBe('On paper');
  });

  test('are published alone, each from a draft of its own', async () => {
    const { id } = await admin.service.seed('tales', { title: 'The sea', status: 'published' });
    const path = `/api/v1/admin/cms/tales/${id}`;
    await admin.service.send(`PUT ${path}?draft=true`, { as: 'ada', body: { title: 'The open sea' } });
    const read = async (query: string) => (await admin.service.send(`GET ${path}?${query}`, { as: 'ada' })).json;
    const page = await admin.page({ as: 'ada', path: `/content/tales/${id}?language=de` });
    await field(page, 'Title').fill('Das Meer');
    await page.keyboard.press('Control+s');
    await saved(page);
    expect(await read('language=de')).toMatchObject({ title: null, __draft: { changes: { title: 'Das Meer' } } });
    await button(page, 'Publish').click();
    await page.getByText('Das Meer is published.').waitFor();
    expect(await read('language=de')).toMatchObject({ title: 'Das Meer', __draft: null });
    expect(await read('language=en')).toMatchObject({
      title: 'The sea',
      __draft: { changes: { title: 'The open sea' } },
    });
  });

  test('have a status of their own where the type says so', async () => {
    const { id } = await admin.service.seed('poems', { title: 'The panther' });
    const page = await admin.page({ as: 'ada', path: `/content/poems/${id}?language=de` });
    await field(page, 'Title').fill('Der Panther');
    await button(page, 'Publish').click();
    await page.getByText('Der Panther is published.').waitFor();
    const path = `/api/v1/admin/cms/poems/${id}`;
    const read = async (query: string) => (await admin.service.send(`GET ${path}?${query}`, { as: 'ada' })).json;
    expect(await read('language=de')).toMatchObject({ title: 'Der Panther', status: 'published' });
    expect(await read('language=en')).toMatchObject({ title: 'The panther', status: 'draft' });
  });

  test('say that they are outdated, until they are written anew', async () => {
    const { id } = await admin.service.seed('essays', english);
    await translate(id, 'de', { title: 'Über Papier' });
    await admin.service.send(`PUT ${route(id)}`, { as: 'ada', body: { title: 'On good paper' } });
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}?language=de` });
    const notice = page.getByText('English has changed since');
    await notice.waitFor();
    await field(page, 'Title').fill('Über gutes Papier');
    await page.keyboard.press('Control+s');
    await notice.waitFor({ state: 'detached' });
  });

  test('are written from right to left where the language is', async () => {
    const { id } = await admin.service.seed('essays', english);
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}?language=ar` });
    const body = page.getByRole('textbox', { name: 'Body', exact: true });
    await body.waitFor();
    const looks = (selector: ReturnType<typeof field>) =>
      selector.evaluate((element) => [getComputedStyle(element).direction, element.getAttribute('lang')]);
    expect(await looks(field(page, 'Title'))).toEqual(['rtl', 'ar']);
    expect(await looks(body)).toEqual(['rtl', 'ar']);
    expect((await looks(field(page, 'Points')))[0]).toBe('ltr');
    // What stands around them is in the language of the reader.
    expect(await page.locator('[data-path="title"] label').evaluate((label) => getComputedStyle(label).direction)).toBe(
      'ltr',
    );
  });

  test('are listed in a language, and by what it lacks', async () => {
    const { id } = await admin.service.seed('essays', { title: 'In both', summary: 'x' });
    const other = await admin.service.seed('essays', { title: 'In English alone' });
    await translate(id, 'de', { title: 'In beiden' });
    const page = await admin.page({ as: 'ada', path: '/content/essays' });
    const row = (name: string) => page.getByRole('link', { name, exact: true });
    await row('In both').waitFor();
    await button(page, 'Language: English').click();
    await page.getByRole('menuitemradio', { name: 'German' }).first().click();
    await row('In beiden').waitFor();
    await row('In English alone').waitFor();
    expect(page.url()).toContain('language=de');
    await page.getByRole('searchbox', { name: 'Search' }).fill('beiden');
    await row('In English alone').waitFor({ state: 'detached' });
    await row('In beiden').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await row('In English alone').waitFor();
    await button(page, 'Language: German').click();
    await page.getByRole('menuitemradio', { name: 'German' }).last().click();
    await row('In beiden').waitFor({ state: 'detached' });
    await page.getByText('Missing in German').waitFor();
    await row('In English alone').click();
    await opened(page, 'German');
    expect(page.url()).toEndWith(`/content/essays/${other.id}?language=de`);
    await page.goto('/admin/');
    await page.getByRole('link', { name: /^Essays, German: \d+ missing$/ }).click();
    await row('In English alone').waitFor();
    expect(await row('In both').count()).toBe(0);
  });

  test('of types without words of a language look as they did', async () => {
    const { id } = await admin.service.seed('notes', { title: 'Only one' });
    const page = await admin.page({ as: 'ada', path: `/content/notes/${id}?language=de` });
    await field(page, 'Title').waitFor();
    expect(await page.getByRole('button', { name: /^Language/ }).count()).toBe(0);
    expect(await field(page, 'Title').getAttribute('lang')).toBeNull();
    await field(page, 'Title').fill('Still one');
    await page.keyboard.press('Control+s');
    await saved(page);
  });

  test('are written by a role in its languages alone, which its form keeps', async () => {
    const { id } = await admin.service.seed('essays', english);
    await translate(id, 'ar', { title: 'على الورق' });
    const page = await admin.page({ as: 'gerd', path: `/content/essays/${id}` });
    await field(page, 'Title').waitFor();
    expect([await field(page, 'Title').isEditable(), await field(page, 'Points').isEditable()]).toEqual([false, true]);
    await switchTo(page, 'English', 'Arabic');
    await opened(page, 'Arabic');
    await page.getByText('Your role does not write in Arabic.').waitFor();
    expect(await field(page, 'Title').isEditable()).toBe(false);
    expect(await page.locator('[data-shared="title"]').count()).toBe(0);
    expect(await button(page, 'Remove Arabic').count()).toBe(0);
    await switchTo(page, 'Arabic', 'German');
    await opened(page, 'German');
    await field(page, 'Title').fill('Auf Papier');
    await page.keyboard.press('Control+s');
    await saved(page);
    expect((await stored(id, 'de')).title).toBe('Auf Papier');

    const roles = await admin.page({ as: 'ada', path: '/roles/german' });
    const languages = roles.getByRole('textbox', { name: 'Writes in languages: Essay' });
    expect(await languages.inputValue()).toBe('de');
    await languages.fill('de, xx');
    await roles.getByLabel('Make and publish releases').uncheck();
    await button(roles, 'Save').click();
    await roles.getByText('"xx" is no language of this service').waitFor();
    await languages.fill('de, ar');
    await button(roles, 'Save').click();
    await roles.getByText('The role is saved.').waitFor();
    const { json } = await admin.service.send('GET /api/v1/admin/roles/german', { as: 'ada' });
    expect(json.definition).toMatchObject({
      ...{ base: 'editor', may: { releases: false } },
      types: { essay: { create: false, languages: ['de', 'ar'] } },
    });
  });

  test.each([360, 1440])('have nothing against WCAG 2.2 AA, in both themes, %d px', async (width) => {
    const { id } = await admin.service.seed('essays', { ...english, body: '<p>Long.</p>'.repeat(80) });
    await translate(id, 'de', { title: 'Über Papier' });
    const page = await admin.page({ as: 'ada', path: `/content/essays/${id}?language=de`, width, height: 800 });
    await page.locator('[data-source="body"]').waitFor();
    const found = [...(await issuesInBothThemes(page))];
    if (width > 900) {
      await button(page, 'Side by side').click();
      found.push(...(await issuesInBothThemes(page)));
    }
    await button(page, 'Language: German').click();
    await page.getByRole('menuitemradio', { name: 'Arabic' }).getByText('Nothing yet').waitFor();
    found.push(...(await issuesInBothThemes(page)));
    expect(found).toEqual([]);
  });
});

/** In the page: whether the browser keeps a copy of the text. */
async function isKept(text: string): Promise<boolean> {
  const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await resultOf(indexedDB.open('recto-editing'));
  const copies: { readonly fields: Readonly<Record<string, { readonly mine: unknown } | undefined>> }[] =
    await resultOf(database.transaction('copies').objectStore('copies').getAll());
  database.close();
  return copies.some(({ fields }) => fields.title?.mine === text);
}
