import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { openMagazine } from '../frame/magazine.ts';

describe.skipIf(skipsLooks)(`sizes of text${looksSkipReason}`, () => {
  let admin: Admin;
  let paths: readonly string[];
  beforeAll(async () => {
    admin = await openMagazine();
    const { json } = await admin.service.send('GET /api/v1/admin/cms/articles', { as: 'ada' });
    const article = `/content/articles/${json.items[0].id}`;
    const site = [
      '/users',
      '/users/new',
      '/api-tokens',
      '/profile',
      '/audit-log',
      '/jobs',
      '/webhooks',
      '/webhooks/new',
    ];
    paths = [
      ...['/', '/content/articles', article, '/content/articles/new', '/content/imprints', '/media', '/comments'],
      ...['/types', '/types/new', '/types/article', '/settings', '/settings?tab=settings', ...site],
    ];
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('text has the sizes of the design, 13, 14, 16, 20 and 28 px, on every page', async () => {
    const page = await admin.page({ as: 'ada' });
    const others: string[] = [];
    for (const path of paths) {
      await show(page, path);
      others.push(...(await page.evaluate<string[]>(otherSizes)).map((text) => `${path}: ${text}`));
    }
    expect(others).toEqual([]);
    // The tokens themselves, whichever of them a page uses.
    expect(await page.evaluate<number[]>(tokens)).toEqual([13, 14, 16, 20, 28]);
  });

  test('no field of a phone has text below 16 px, into which the phone would zoom', async () => {
    const page = await admin.page({ as: 'ada', width: 390, hasTouch: true });
    const small: string[] = [];
    for (const path of paths) {
      await show(page, path);
      small.push(...(await page.evaluate<string[]>(smallFields)).map((text) => `${path}: ${text}`));
    }
    // The same in a window as narrow with a mouse, of which there is but one rule.
    const other = await admin.page({ as: 'ada', width: 390, path: '/content/articles/new' });
    await other.getByRole('textbox').first().waitFor();
    expect([...small, ...(await other.evaluate<string[]>(smallFields))]).toEqual([]);
  });
});

async function show(page: Page, path: string): Promise<void> {
  await page.goto(`/admin${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** In the page: what the tokens of the sizes are in pixels. */
const tokens = `['xs', 'sm', 'md', 'lg', 'xl'].map((name) => {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.fontSize = 'var(--text-' + name + ')';
  const size = parseFloat(getComputedStyle(probe).fontSize);
  probe.remove();
  return size;
})`;

/** In the page: text of another size. Code is sized by the text around it. */
const otherSizes = `[...document.body.querySelectorAll('*')].flatMap((element) => {
  const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('');
  if (text === '' || element.closest('script, style, code, pre, kbd, .cm-editor') || !element.checkVisibility()) return [];
  const size = getComputedStyle(element).fontSize;
  return ['13px', '14px', '16px', '20px', '28px'].includes(size) ? [] : [size + ' ' + text.slice(0, 40)];
})`;

/** In the page: fields in which somebody can write whose text is small. */
const smallFields = `[...document.querySelectorAll('input, select, textarea, [contenteditable=true]')].flatMap((field) => {
  if (!field.checkVisibility() || ['checkbox', 'radio', 'range', 'file', 'hidden', 'color'].includes(field.type)) return [];
  const size = parseFloat(getComputedStyle(field).fontSize);
  return size >= 16 ? [] : [size + ' px ' + field.outerHTML.slice(0, 120)];
})`;
