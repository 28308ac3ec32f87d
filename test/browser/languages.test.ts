import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { catalogues } from '../../packages/admin/src/text/catalogues.ts';
import { texts as accountEnglish } from '../../packages/admin/src/text/en/account-page.ts';
import { en } from '../../packages/admin/src/text/en/index.ts';
import { Admin } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';

/** Every text in an object of texts, however deep. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** What is shown on the page: texts, and what stands in attributes for people. Spaces are one. */
const shownTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text && node.parentElement?.closest('script, style') === null) found.push(node.data);
      if (node instanceof Element)
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
          found.push(node.getAttribute(name) ?? '');
    }
    return found.map((text) => text.trim().replaceAll(/\s+/g, ' ')).filter((text) => text !== '');
  });

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds texts of English that a language has other words for; a text with values as a pattern. */
function englishIn(own: ReadonlySet<string>): (text: string) => boolean {
  const others = [...new Set(textsIn([en, accountEnglish]))].filter((text) => !own.has(text));
  const whole = new Set(others.filter((text) => !text.includes('{')));
  const patterns = others
    .filter((text) => text.includes('{') && text.replaceAll(/\{\w+\}|[^a-z]/gi, '').length > 5)
    .map(
      (text) =>
        new RegExp(
          `^${text
            .split(/\{\w+\}/)
            .map(escaped)
            .join('.+')}$`,
        ),
    );
  return (text) => whole.has(text) || (!own.has(text) && patterns.some((pattern) => pattern.test(text)));
}

const screens = [
  ...['/', '/content/posts', '/content/posts/new', '/content/pages', '/content/categories', '/media', '/comments'],
  ...['/types', '/types/post', '/types/new', '/users', '/users/new', '/roles', '/roles/new', '/api-tokens'],
  ...['/webhooks', '/webhooks/new', '/audit-log', '/jobs', '/settings', '/profile', '/nothing-here'],
];

describe.skipIf(skipsLooks)(`the languages of the admin${looksSkipReason}`, () => {
  let admin: Admin;
  let post = '';
  beforeAll(async () => {
    admin = await Admin.open();
    await admin.account('ada', 'admin');
    await admin.account('zoe', 'editor');
    const made = await admin.service.send('POST /api/v1/posts', {
      as: 'ada',
      body: { title: 'Été', content: '<p>Là</p>' },
    });
    post = String(made.json.id);
    await admin.service.send('POST /api/v1/posts', {
      as: 'zoe',
      body: { title: 'Où', content: '', status: 'published' },
    });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test.each([...catalogues])('%s: no screen has a text in English', async (language, load) => {
    const account = await import(`../../packages/admin/src/text/${language}/account-page.ts`);
    const isEnglish = englishIn(new Set(textsIn([await load(), account])));
    const found: string[] = [];
    const look = async (page: Page, name: string): Promise<void> => {
      for (const text of await shownTexts(page)) if (isEnglish(text)) found.push(`${name}: ${text}`);
    };
    const page = await admin.page({ language, path: '/' });
    await look(page, 'signing in');
    await page.goto(`${admin.url}/account/password-reset`);
    await page.getByRole('textbox').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe(language);
    await look(page, 'a forgotten password');
    await admin.signIn(page.context(), 'ada');
    for (const path of [...screens, `/content/posts/${post}`]) {
      await page.goto(`${admin.url}/admin${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.locator('main [aria-busy=true], main .skeleton').first().waitFor({ state: 'detached' });
      await look(page, path);
    }
    expect(found).toEqual([]);
    expect(await page.evaluate('document.documentElement.lang')).toBe(language);
    await page.locator('.find').click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'the palette');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(found).toEqual([]);
  });
});
