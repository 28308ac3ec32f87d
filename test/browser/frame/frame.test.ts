import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { placeFiles, textBytes } from '../media-library.ts';
import { go, hostile, openMagazine } from './magazine.ts';

describe.skipIf(skipsLooks)(`the frame${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openMagazine();
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('a control that goes leaves the focus to the next one that can be used', async () => {
    const page = await admin.page({ as: 'ada', path: '/settings' });
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.evaluate(() => {
      const made = ['goes', 'is off', 'is next'].map((name) => {
        const button = document.createElement('button');
        button.textContent = name;
        if (name === 'is off') button.setAttribute('aria-disabled', 'true');
        return button;
      });
      document.querySelector('main')?.prepend(...made);
      made[0]?.focus();
      made[0]?.remove();
    });
    await page.waitForFunction(() => document.activeElement?.textContent === 'is next');
  });

  test('markup and marks of direction in names and titles are text', async () => {
    const page = await admin.page({ as: 'ada' });
    const mine = page.getByRole('region', { name: 'Continue writing' });
    await mine.getByRole('link', { name: hostile, exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Recent changes by others' })
      .getByText('<script>alert(2)</script>')
      .waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: '<i onclick=alert(3)>Imprint</i>' })
      .waitFor();
    expect(await page.locator('main img, main b, nav i, script:not([src])').count()).toBe(0);
    // What follows a mark of direction is not turned around: each name is isolated.
    expect(await mine.getByRole('link', { name: hostile, exact: true }).getAttribute('dir')).toBe('auto');
  });

  test('home: an editor reads who has changed something, and neither uploads nor batches are writing', async () => {
    await admin.service.account('tom', 'editor');
    const profile = { display_name: 'Tom Okafor', profile_public: true };
    expect((await admin.service.send('PUT /api/v1/auth/me', { as: 'tom', body: profile })).status).toBe(200);
    const made: string[] = [];
    for (const title of ['On thread', 'On needles', 'On knots', 'On seams']) {
      const { json } = await admin.service.send('POST /api/v1/admin/cms/articles', { as: 'tom', body: { title } });
      made.push(json.id);
    }
    const many = { action: 'update', ids: made, set: { title: 'On thread' } };
    const batch = await admin.service.send('POST /api/v1/admin/cms/articles/batch', { as: 'edith', body: many });
    expect(batch.status).toBe(200);
    for (const name of ['edith', 'tom'])
      await placeFiles(admin.service, name, [{ name: 'thread.txt', bytes: textBytes('thread') }]);
    const page = await admin.page({ as: 'edith' });
    const changes = page.getByRole('region', { name: 'Recent changes by others' });
    await changes.getByRole('listitem').filter({ hasText: 'On thread' }).getByText('by Tom Okafor').first().waitFor();
    const mine = page.getByRole('region', { name: 'Continue writing' });
    await mine.getByRole('link', { name: 'On paper' }).waitFor();
    expect(await page.getByText('thread.txt').count()).toBe(0);
    // Nor is a change of many at once.
    expect(await mine.getByText('On thread').count()).toBe(0);
  });

  test('home: what was imported is none of what somebody continues to write, however little it is', async () => {
    const line = `${JSON.stringify({ title: 'Out of a file' })}\n`;
    const { json } = await admin.service.send('POST /api/v1/admin/imports?format=records&name=articles.ndjson', {
      ...{ as: 'ada', body: line, headers: { 'Content-Type': 'application/octet-stream' } },
    });
    await admin.service.runJobs();
    expect((await admin.service.send(`POST /api/v1/admin/imports/${json.id}/run`, { as: 'ada' })).status).toBe(200);
    await admin.service.runJobs();
    const filter = encodeURIComponent('title = "Out of a file"');
    const { items } = (await admin.service.send(`GET /api/v1/admin/cms/articles?filter=${filter}`, { as: 'ada' })).json;
    // The log has it under the name of who asked for the import, so that it could be taken for their writing.
    const events = await admin.service.send(`GET /api/v1/admin/events?record=${items[0].id}`, { as: 'ada' });
    expect(events.json.items).toMatchObject([
      { action: 'create', via: 'import', actor: { id: admin.service.idOf('ada') } },
    ]);
    const page = await admin.page({ as: 'ada' });
    const mine = page.getByRole('region', { name: 'Continue writing' });
    await mine.getByRole('link', { name: 'Why margins matter' }).waitFor();
    expect(await mine.getByText('Out of a file').count()).toBe(0);
    const others = (await admin.page({ as: 'edith' })).getByRole('region', { name: 'Recent changes by others' });
    await others.getByRole('listitem').filter({ hasText: 'Out of a file' }).getByText('imported').waitFor();
  });

  test('home: names are shown to editors, whoever shares a profile, and a visit is no change', async () => {
    await admin.service.account('uma', 'editor');
    await admin.service.send('PUT /api/v1/auth/me', { as: 'uma', body: { display_name: 'Uma Reis' } });
    const { json } = await admin.service.send('POST /api/v1/admin/cms/articles', {
      as: 'uma',
      body: { title: 'On glue' },
    });
    // A visitor asks for the one record of a type.
    await admin.service.send('GET /api/v1/cms/imprint');
    const page = await admin.page({ as: 'edith' });
    const changes = page.getByRole('region', { name: 'Recent changes by others' });
    await changes.getByRole('listitem').filter({ hasText: 'On glue' }).getByText('by Uma Reis').waitFor();
    expect(await changes.getByText('Imprint').count()).toBe(0);
    await page.goto(`/admin/content/articles/${json.id}`);
    await page.getByRole('complementary', { name: 'Details' }).getByText('Uma Reis').waitFor();
  });

  test('has an icon of its own, so that no browser asks the site for one', async () => {
    const page = await admin.page({ as: 'ada' });
    const icon = await page.request.get((await page.locator('link[rel=icon]').getAttribute('href')) ?? '');
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(await (await page.request.get('/', { headers: { Accept: 'text/html' } })).text()).toContain(
      '<link rel="icon" href="data:,">',
    );
  });

  test('an address with a part that there is not shows the first one', async () => {
    const page = await admin.page({ as: 'ada', path: '/settings?tab=nothing' });
    await page.getByRole('tab', { name: 'Health', selected: true }).waitFor();
    await page.getByRole('tabpanel', { name: 'Health' }).getByText('Everything works.').waitFor();
  });

  test('text does not become markup, whoever asks for it', async () => {
    const page = await admin.page({ as: 'ada' });
    const outcome = await page.evaluate(`(() => {
      try { document.body.innerHTML = '<img src=x onerror=alert(1)>'; return 'markup'; } catch (error) { return error.name; }
    })()`);
    expect(outcome).toBe('TypeError');
    expect(await page.locator('img').count()).toBe(0);
  });

  test.each([
    ['nothing moves for who does not want that', true],
    ['for others, what moves is short', false],
  ] as const)('%s', async (_, reducedMotion) => {
    /** The longest transition or animation of all elements, in milliseconds, but for the placeholder of what loads. */
    const longest = (page: Page): Promise<number> =>
      page.evaluate(() => {
        const milliseconds = (text: string): number[] =>
          text.split(',').map((each) => Number.parseFloat(each) * (each.trim().endsWith('ms') ? 1 : 1000));
        const found = [...document.querySelectorAll('*')].flatMap((element) =>
          ['', '::before', '::after'].flatMap((pseudo) => {
            const { transitionDuration, transitionProperty, animationName, animationDuration } = getComputedStyle(
              element,
              pseudo === '' ? null : pseudo,
            );
            return [
              ...(transitionProperty === 'none' ? [] : milliseconds(transitionDuration)),
              ...(animationName === 'none' || element.closest('.skeleton') ? [] : milliseconds(animationDuration)),
            ];
          }),
        );
        return Math.max(0, ...found);
      });
    const page = await admin.page({ as: 'ada', reducedMotion });
    const found: number[] = [];
    for (const path of ['/', '/content/articles', '/content/articles/new', '/media', '/types/article', '/settings']) {
      await go(page, path);
      found.push(await longest(page));
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
    found.push(await longest(page));
    expect(Math.max(...found)).toBeLessThanOrEqual(reducedMotion ? 0.01 : 150);
    if (!reducedMotion) expect(Math.max(...found)).toBeGreaterThan(1);
  });

  test('another theme is there at once for who does not want that anything moves', async () => {
    const page = await admin.page({ as: 'ada', path: '/settings' });
    // A time of almost nothing would have each colour of each element go over, and each of these computes the styles of all inside it again.
    await page.evaluate(`globalThis.begun = 0; document.addEventListener('transitionrun', () => begun++, true)`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))))',
    );
    expect(await page.evaluate('begun')).toBe(0);
  });

  test('on a phone the navigation is a drawer', async () => {
    const page = await admin.page({ as: 'ada', width: 390, height: 844, hasTouch: true });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await navigation.waitFor();
    await page.keyboard.press('Escape');
    await navigation.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Open menu' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await navigation.getByRole('link', { name: 'Comments' }).click();
    await page.getByRole('heading', { level: 1, name: 'Comments' }).waitFor();
    await navigation.waitFor({ state: 'hidden' });
  });

  test('built-in types, their fields and statuses have names in the language of the reader', async () => {
    await admin.service.send('POST /api/v1/posts', { as: 'ada', body: { title: 'Erster', content: '' } });
    const page = await admin.page({ as: 'ada', language: 'de-DE', path: '/content/posts' });
    await page.getByRole('heading', { level: 1, name: 'Beiträge' }).waitFor();
    await page.getByRole('link', { name: 'Beitrag anlegen' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Erster' });
    await row.getByText('Entwurf').waitFor();
    await page.getByRole('columnheader', { name: 'Geändert' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Kategorien' }).waitFor();
    await go(page, '/types');
    await page
      .getByRole('row')
      .filter({ hasText: 'Eine Seite der Website.' })
      .getByRole('link', { name: 'Seite' })
      .waitFor();
  });

  test.each([1440, 390])('from right to left, nothing is cut off at %d px', async (width) => {
    const page = await admin.page({ as: 'ada', width });
    await page.evaluate("localStorage.setItem('recto.language', 'ar-XB')");
    await go(page, '/');
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (width === 1440) {
      const [sidebar, content] = await Promise.all(
        [page.getByRole('navigation', { name: 'Main' }), page.getByRole('main')].map((each) => each.boundingBox()),
      );
      expect((sidebar?.x ?? 0) > (content?.x ?? 0)).toBe(true);
    }
  });
});
