import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { go, openMagazine } from '../frame/magazine.ts';
import { showTheme } from '../looks.ts';

describe.skipIf(skipsLooks)(`the typeface and what it is set in${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openMagazine();
    const role = { name: 'writer', label: 'Writer', types: { article: { list: true, get: true } } };
    for (const [route, body] of [
      ['POST /api/v1/pages', { title: 'Imprint' }],
      ['POST /api/v1/admin/roles', role],
    ] as const)
      expect((await admin.service.send(route, { as: 'ada', body })).status).toBe(201);
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('the service sends a typeface with its licence, the page preloads it, and every control has it', async () => {
    const page = await admin.page({ as: 'ada' });
    await go(page, '/users/new');
    expect(await page.evaluate<unknown>(loadedFaces)).toEqual([
      { family: 'Public Sans', style: 'normal', display: 'optional', status: 'loaded' },
    ]);
    const preloaded = await page.locator('link[rel=preload][as=font]').getAttribute('href');
    const font = await fetch(`${admin.url}${preloaded}`);
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    expect(font.headers.get('cache-control')).toContain('immutable');
    const licence = await fetch(`${admin.url}/admin/typeface/OFL.txt`);
    expect(await licence.text()).toContain('SIL Open Font License');
    expect(await page.evaluate<string[]>(otherFamilies)).toEqual([]);
    // Letters that the first file lacks come from the second.
    expect(
      await page.evaluate<number>(`document.fonts.load('14px "Public Sans"', 'łő').then((faces) => faces.length)`),
    ).toBe(1);
  });

  test('a title is larger than what is written, and that than its label', async () => {
    const page = await admin.page({ as: 'ada' });
    await go(page, '/users/new');
    const email = page.getByRole('textbox', { name: 'Email' });
    const sizes = [page.getByRole('heading', { level: 1 }), email, page.locator('label', { hasText: 'Email' }).first()];
    const found = await Promise.all(
      sizes.map((each) => each.evaluate((element) => getComputedStyle(element).fontSize)),
    );
    expect(found).toEqual(['28px', '14px', '13px']);
  });

  test('counts and times have figures of one width, and counts stand on the line of their words', async () => {
    const page = await admin.page({ as: 'ada' });
    await go(page, '/content/articles');
    const tab = page.getByRole('navigation', { name: 'By status' }).getByRole('button', { name: /All/ });
    await tab.locator('.count').waitFor();
    await page.locator('time').first().waitFor();
    expect(await page.evaluate<string[]>(otherFigures)).toEqual([]);
    expect(await tab.evaluate(baselines)).toEqual([0]);
  });

  test('lines have one grey, and the edges of fields another', async () => {
    const page = await admin.page({ as: 'ada' });
    const others: string[] = [];
    for (const path of [
      '/',
      '/content/articles',
      '/content/articles/new',
      '/users',
      '/media',
      '/comments',
      '/types/article',
      '/settings',
      '/roles/writer',
      '/webhooks/new',
      '/jobs',
    ]) {
      await go(page, path);
      for (const theme of ['dark', 'light'] as const) {
        await showTheme(page, theme);
        others.push(...(await page.evaluate<string[]>(otherGreys)).map((text) => `${theme} ${path}: ${text}`));
      }
    }
    expect(others).toEqual([]);
  });

  test('what a list shows is chosen with the same tabs on every page', async () => {
    const page = await admin.page({ as: 'ada' });
    const looks = new Set<string>();
    for (const [path, list] of [
      ['/content/articles', 'nav.tabs button'],
      ['/comments', 'nav.tabs a'],
      ['/settings', '[role=tablist].tabs [role=tab]'],
    ] as const) {
      await go(page, path);
      const tab = page.locator(list).first();
      await tab.waitFor();
      looks.add(await tab.evaluate(look));
    }
    expect([...looks]).toHaveLength(1);
  });

  test('the names of rows look the same in every table and list', async () => {
    const page = await admin.page({ as: 'ada' });
    const looks = new Map<string, string>();
    for (const [path, table, role] of [
      ['/content/articles', 'table', 'link'],
      ['/content/pages', 'treegrid', 'link'],
      ['/types', 'table', 'link'],
      ['/users', 'table', 'link'],
      ['/roles', 'table', 'link'],
      ['/', 'list', 'link'],
    ] as const) {
      await go(page, path);
      const name = page.getByRole('main').getByRole(table).first().getByRole(role).first();
      await name.waitFor();
      looks.set(path, await name.evaluate(words));
    }
    const wanted = looks.get('/content/articles');
    expect([...looks].filter(([, look]) => look !== wanted)).toEqual([]);
  });

  test('buttons and badges have lines of whole pixels, on which words beside them stand', async () => {
    const page = await admin.page({ as: 'ada' });
    const others: string[] = [];
    for (const path of ['/', '/users', '/jobs', '/content/articles', '/roles']) {
      await go(page, path);
      others.push(...(await page.evaluate<string[]>(brokenLines)).map((text) => `${path}: ${text}`));
    }
    expect(others).toEqual([]);
  });

  test('what must be filled has the same mark in forms of records, roles, people and webhooks', async () => {
    const page = await admin.page({ as: 'ada' });
    for (const [path, label] of [
      ['/roles/new', 'Name'],
      ['/users/new', 'Email'],
      ['/users/new', 'Password'],
      ['/webhooks/new', 'Address'],
    ] as const) {
      await go(page, path);
      const field = page.getByRole('main').getByLabel(label, { exact: true }).first();
      await field.waitFor();
      expect([path, await field.evaluate((input: HTMLInputElement) => input.required)]).toEqual([path, true]);
      const head = page.getByRole('main').locator('label', { hasText: label }).first().locator('..');
      expect([path, await head.getByText('required', { exact: true }).isVisible()]).toEqual([path, true]);
    }
  });
});

/** In the page: the faces that are there, once the one of the page is. */
const loadedFaces = `document.fonts.load('14px "Public Sans"').then((faces) =>
  faces.map(({ family, style, display, status }) => ({ family: family.replaceAll('"', ''), style, display, status })),
)`;

/** In the page: text in another typeface. Code is. */
const otherFamilies = `[...document.body.querySelectorAll('*')].flatMap((element) => {
  if (element.closest('code, pre, kbd, .cm-editor, svg') || !element.checkVisibility()) return [];
  const family = getComputedStyle(element).fontFamily;
  return family.startsWith('"Public Sans"') ? [] : [element.tagName + ' ' + family];
})`;

/** In the page: times, counts and cells whose figures have widths of their own. */
const otherFigures = `[...document.querySelectorAll('time, .count, td')].flatMap((element) =>
  getComputedStyle(element).fontVariantNumeric.includes('tabular-nums') ? [] : [element.outerHTML.slice(0, 80)])`;

/** Of a tab: how far its count is from the baseline of its words, in px. */
function baselines(tab: Element): readonly number[] {
  const baseline = (element: Element): number => {
    const probe = document.createElement('span');
    probe.style.cssText = 'display: inline-block; width: 0; height: 0';
    element.append(probe);
    const { bottom } = probe.getBoundingClientRect();
    probe.remove();
    return bottom;
  };
  const words = document.createElement('span');
  words.textContent = 'x';
  tab.prepend(words);
  const own = baseline(words);
  const found = [...tab.querySelectorAll('.count')].map((count) => Math.round(baseline(count) - own));
  words.remove();
  return found;
}

/** In the page: greys of lines that are not the one of the theme, nor that of the edges of fields. */
const otherGreys = `(() => {
  const resolved = (value) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.borderTop = '1px solid ' + value;
    const colour = getComputedStyle(probe).borderTopColor;
    probe.remove();
    return colour;
  };
  const [line, edge] = ['var(--border)', 'var(--border-control)'].map(resolved);
  const fields = 'input, select, textarea, .control, [role=combobox], [role=switch], [contenteditable], .field-box';
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    if (!element.checkVisibility()) return [];
    const style = getComputedStyle(element);
    return ['Top', 'Right', 'Bottom', 'Left'].flatMap((side) => {
      if (style['border' + side + 'Style'] === 'none' || style['border' + side + 'Width'] === '0px') return [];
      const colour = style['border' + side + 'Color'];
      const chroma = Number(/oklch\\([\\d.]+ ([\\d.]+)/.exec(colour)?.[1] ?? 1);
      if (colour === line || chroma > 0.03 || colour.includes('/ 0') || (colour === edge && element.closest(fields))) return [];
      return [colour + ' ' + element.outerHTML.slice(0, 80)];
    });
  });
})()`;

/** Of the name of a row: what it looks like, whichever element it is. */
function words(name: Element): string {
  const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(name);
  return [color, fontSize, fontWeight, textDecorationLine].join(' ');
}

/** In the page: buttons and badges whose lines end within a pixel. */
const brokenLines = `[...document.querySelectorAll('.button, .badge')].flatMap((element) => {
  const { lineHeight } = getComputedStyle(element);
  return element.checkVisibility() && !Number.isInteger(parseFloat(lineHeight)) ? [lineHeight + ' ' + element.outerHTML.slice(0, 80)] : [];
})`;

/** Of a tab: what it looks like, whichever element it is. */
function look(tab: Element): string {
  const { fontSize, fontWeight, paddingLeft, height, borderBottomWidth, borderRadius } = getComputedStyle(tab);
  return [fontSize, fontWeight, paddingLeft, height, borderBottomWidth, borderRadius].join(' ');
}
