import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInEveryLook } from './looks.ts';
import { picture, placeFiles, until } from './media-library.ts';

describe.skipIf(skipsLooks)(`files in several languages${looksSkipReason}`, () => {
  let admin: Admin;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const noted = {
      singular: 'sheet',
      plural: 'sheets',
      fields: [
        { name: 'title', field_type: 'text', label: 'Title', localized: true },
        { name: 'cover', field_type: 'media', label: 'Cover' },
      ],
    };
    admin = await Admin.open([{ extends: 'media', localized: ['alt', 'caption'] }, noted], { languages: 'en,de,ar' });
    await admin.account('ada', 'admin');
    const bytes = await picture(60, 40, 20);
    const files = ['harbour', 'bridge', 'tower'].map(async (name, at) => ({
      ...{ name: `${name}.jpg`, bytes: at === 0 ? bytes : await picture(60, 40, 30 + at) },
      set: { alt: `A ${name}`, caption: name === 'harbour' ? 'At noon' : null },
    }));
    Object.assign(ids, await placeFiles(admin.service, 'ada', await Promise.all(files)));
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  const file = (name: string) => ids[`${name}.jpg`] ?? '';
  const said = async (name: string) => {
    const { json } = await admin.service.send(`GET /api/v1/admin/media/${file(name)}?language=*`, { as: 'ada' });
    return { alt: json.alt, caption: json.caption, name: json.name };
  };
  const open = (name: string) => admin.page({ as: 'ada', path: `/media?order=oldest&file=${file(name)}` });
  const details = (page: Page) => page.getByRole('dialog');
  const alt = (page: Page) => details(page).getByLabel('Alternative text', { exact: true });
  const button = (page: Page, name: string) => details(page).getByRole('button', { name, exact: true });
  /** By the keyboard, as a menu is used. */
  async function switchTo(page: Page, from: string, to: string): Promise<void> {
    await button(page, `Language: ${from}`).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: new RegExp(`^${to}`) }).focus();
    await page.keyboard.press('Enter');
    await button(page, `Language: ${to}`).waitFor();
    await alt(page).waitFor();
  }

  test('have their texts written in each, with what the default language says and what it lacks', async () => {
    const page = await open('harbour');
    await alt(page).waitFor();
    await button(page, 'Language: English').click();
    await page.getByRole('menuitemradio', { name: 'German Nothing yet' }).waitFor();
    await page.keyboard.press('Escape');
    await switchTo(page, 'English', 'German');
    expect(await alt(page).inputValue()).toBe('');
    await details(page).getByText('Alternative text in English').waitFor();
    await details(page).getByText('A harbour', { exact: true }).waitFor();
    // What all languages share is locked.
    for (const label of ['Name', 'Tags'])
      expect([label, await details(page).getByRole('textbox', { name: label }).isDisabled()]).toEqual([label, true]);
    await details(page).getByText('Shared by all languages, and changed in English.').waitFor();
    await alt(page).fill('Ein Hafen');
    await page.keyboard.press('Control+s');
    await page.getByText('“harbour.jpg” saved.').waitFor();
    expect(await said('harbour')).toEqual({
      ...{ alt: { en: 'A harbour', de: 'Ein Hafen' }, caption: { en: 'At noon' }, name: 'harbour.jpg' },
    });
    await button(page, 'Language: German').click();
    await page.getByRole('menuitemradio', { name: 'German Missing: Caption' }).waitFor();
    await page.keyboard.press('Escape');
    // What is typed is saved when another language is shown.
    await details(page).getByLabel('Caption', { exact: true }).fill('Am Mittag');
    await switchTo(page, 'German', 'English');
    expect(await alt(page).inputValue()).toBe('A harbour');
    expect((await said('harbour')).caption).toEqual({ en: 'At noon', de: 'Am Mittag' });
    await alt(page).fill('A harbour at noon');
    await button(page, 'Save').click();
    await until(page, "document.querySelector('[role=\"dialog\"] textarea')?.value === 'A harbour at noon'");
    await button(page, 'Language: English').click();
    await page.getByRole('menuitemradio', { name: 'German Complete · English has changed since' }).waitFor();
  });

  test('keep what somebody else has written meanwhile, and go from file to file in one language', async () => {
    const page = await open('bridge');
    await alt(page).waitFor();
    await switchTo(page, 'English', 'German');
    await admin.service.send(`PUT /api/v1/admin/media/${file('bridge')}?language=de`, {
      ...{ as: 'ada', body: { alt: 'Eine Brücke' } },
    });
    await alt(page).fill('Brücke');
    await button(page, 'Save').click();
    await details(page).getByRole('alert').waitFor();
    expect((await said('bridge')).alt).toEqual({ en: 'A bridge', de: 'Eine Brücke' });
    await button(page, 'Reload').click();
    await until(page, "document.querySelector('[role=\"dialog\"] textarea')?.value === 'Eine Brücke'");
    await page.keyboard.press('Alt+ArrowDown');
    await details(page).getByText('A tower', { exact: true }).waitFor();
    await alt(page).fill('Ein Turm');
    await page.keyboard.press('Alt+ArrowUp');
    await details(page).getByText('A bridge', { exact: true }).waitFor();
    expect((await said('tower')).alt).toEqual({ en: 'A tower', de: 'Ein Turm' });
  });

  test('are described one after another in the default language, which is named', async () => {
    const page = await admin.page({ as: 'ada', path: '/media' });
    await page.getByLabel('Choose files to upload').setInputFiles({
      ...{ name: 'new.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await picture(60, 40, 99)) },
    });
    await page
      .getByRole('region', { name: 'Alternative texts' })
      .getByText('In English, the default language. The details of a file have the others.')
      .waitFor();
  });

  test('of a record in German have their alternative text changed in the language that the field names', async () => {
    const { id } = await admin.service.seed('sheets', { title: 'Paper', cover: file('tower') });
    const page = await admin.page({ as: 'ada', path: `/content/sheets/${id}?language=de` });
    await page.getByLabel('Title', { exact: true }).waitFor();
    await page.locator('[data-shared="cover"]').waitFor();
    const english = await admin.page({ as: 'ada', path: `/content/sheets/${id}` });
    await english.getByRole('button', { name: /^Details/ }).click();
    const text = english.getByRole('dialog').getByLabel('Alternative text (English)');
    await text.waitFor();
    await until(english, "document.querySelector('[role=\"dialog\"] textarea')?.value === 'A tower'");
    await text.fill('A high tower');
    await english.getByRole('dialog').getByRole('button', { name: 'Save details', exact: true }).click();
    await english.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await said('tower')).alt).toMatchObject({ en: 'A high tower' });
  });

  test('are accessible in every look, from right to left as well', async () => {
    const page = await open('harbour');
    await alt(page).waitFor();
    await switchTo(page, 'English', 'Arabic');
    expect(await issuesInEveryLook(page)).toEqual([]);
  });
});
