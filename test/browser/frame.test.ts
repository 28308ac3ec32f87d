import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin, accessibilityIssues } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { issuesInEveryLook } from './looks.ts';
import { placeFiles, textBytes } from './media-library.ts';

const hostile = '<img src=x onerror=alert(1)> \u202egnp.exe\u2066 "quoted" & <b>bold</b>';
const types = [
  {
    singular: 'article',
    plural: 'articles',
    name: 'Article',
    protocols: ['timestampable', 'ownable', 'statusable'],
    fields: [{ name: 'title', field_type: 'text' }],
  },
  {
    singular: 'author',
    plural: 'authors',
    name: '<script>alert(2)</script>',
    fields: [{ name: 'name', field_type: 'text' }],
  },
  {
    singular: 'imprint',
    plural: 'imprints',
    name: '<i onclick=alert(3)>Imprint</i>',
    kind: 'single',
    fields: [{ name: 'text', field_type: 'text' }],
  },
];

const paths = [
  '/',
  '/content/articles',
  '/content/articles/new',
  '/media',
  '/comments',
  '/types',
  '/types/article',
  '/users',
  '/api-tokens',
  '/webhooks',
  '/audit-log',
  '/jobs',
  '/settings',
  '/profile',
  '/nowhere',
];

describe.skipIf(skipsLooks)(`the frame${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open(types);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
    const create = (as: string, title: string) =>
      admin.service.send('POST /api/v1/admin/cms/articles', { as, body: { title } });
    await create('ada', 'Why margins matter');
    await create('ada', hostile);
    await create('edith', 'On paper');
    await admin.service.send('POST /api/v1/admin/cms/authors', { as: 'edith', body: { name: hostile } });
  });
  afterEach(() => admin?.endTest());
  afterAll(() => admin?.[Symbol.asyncDispose]());

  /** Shows another page of the admin, and waits until it has loaded. */
  async function go(page: Page, path: string): Promise<void> {
    await page.goto(`/admin${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
  }

  test.each(paths)(
    '%s meets WCAG 2.2 AA and the policy in both themes, wide and narrow, and fits 2560 px',
    async (path) => {
      const page = await admin.page({ as: 'ada', width: 2560, height: 1440 });
      const found: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) found.push(`${response.status()} ${response.url()}`);
      });
      await go(page, path);
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('too wide at 2560 px');
      // Lines of text do not become long.
      const long = await page.evaluate(() =>
        [...document.querySelectorAll('main p')]
          .filter((text) => text.getBoundingClientRect().width > 1600 && (text.textContent ?? '').length > 200)
          .map((text) => text.textContent ?? ''),
      );
      found.push(...long);
      found.push(...(await issuesInEveryLook(page)));
      expect(found).toEqual([]);
    },
  );

  describe.each(['light', 'dark'] as const)('%s', (theme) => {
    test('signing in, the palette, the help, the menus', async () => {
      const page = await admin.page({ theme });
      expect(await accessibilityIssues(page)).toEqual([]);
      const own = await admin.page({ as: 'ada', theme });
      await own.keyboard.press('Control+k');
      await own.getByRole('combobox', { name: 'Command palette' }).fill('margins');
      await own.getByRole('option', { name: /Why margins matter/ }).waitFor();
      expect(await accessibilityIssues(own)).toEqual([]);
      await own.keyboard.press('Escape');
      await own.getByRole('dialog').waitFor({ state: 'detached' });
      await own.keyboard.press('?');
      await own.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(await accessibilityIssues(own)).toEqual([]);
      await own.keyboard.press('Escape');
      await own.getByRole('dialog').waitFor({ state: 'detached' });
      await own.getByRole('button', { name: /^Account of/ }).click();
      await own.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await accessibilityIssues(own)).toEqual([]);
    });
  });

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
    await page.waitForFunction(() => document.activeElement?.textContent === 'is next', undefined, { timeout: 20_000 });
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

  describe('by keyboard', () => {
    test('the first stop skips to the content', async () => {
      const page = await admin.page({ as: 'ada' });
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
    });

    test('every link and button of the frame is reached, and shows the focus', async () => {
      const page = await admin.page({ as: 'ada' });
      const seen: string[] = [];
      for (let stop = 0; stop < 40; stop += 1) {
        await page.keyboard.press('Tab');
        const [name, outline] = await page.evaluate<[string, string]>(`(() => {
          const own = document.activeElement;
          return [own.getAttribute('aria-label') ?? own.textContent.trim(), getComputedStyle(own).outlineStyle];
        })()`);
        seen.push(name);
        expect([name, outline]).toEqual([name, 'solid']);
        if (name.startsWith('Account of')) break;
      }
      for (const name of [
        'Collapse sidebar',
        'Search or go toCtrl K',
        'Home',
        'Articles',
        'Media',
        'Users',
        'Settings',
      ])
        expect(seen).toContain(name);
    });

    test('a page that is opened has the focus on its heading, is announced, and back works', async () => {
      const page = await admin.page({ as: 'ada' });
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).focus();
      await page.keyboard.press('Enter');
      const heading = page.getByRole('heading', { level: 1, name: 'Users' });
      await heading.waitFor();
      await page.locator('[aria-live="polite"]', { hasText: 'Users' }).first().waitFor({ state: 'attached' });
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
      expect(await page.getByRole('link', { name: 'Users', exact: true }).getAttribute('aria-current')).toBe('page');
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      expect(await page.title()).toBe('Home · Recto');
    });

    test('a part that cannot be loaded is reported, and the page goes on', async () => {
      // The part is in no cache.
      const page = await admin.page({ as: 'ada', own: true });
      admin.intercept = (request) =>
        /\/admin\/assets\/Palette/.test(request.url) ? new Response('Gone', { status: 404 }) : undefined;
      await page.keyboard.press('Control+k');
      const message = page.getByText('A part of this page could not be loaded.');
      await message.waitFor();
      admin.intercept = undefined;
      const reloaded = page.waitForEvent('framenavigated');
      await page.getByRole('button', { name: 'Reload the page' }).click();
      await reloaded;
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      expect(await message.isVisible()).toBe(false);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
      expect(admin.takeProblems().filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
    });

    test('the palette goes to a page, finds content of all types, and returns the focus', async () => {
      const page = await admin.page({ as: 'ada' });
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Media' });
      await link.focus();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Media');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('webh');
      await page.getByRole('option', { name: /Webhooks/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('import');
      await page.getByRole('option', { name: /Import and export/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Import', exact: true }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('paper');
      const found = page.getByRole('option', { name: /^On paper/ });
      await found.waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/admin\/content\/articles\/[\w-]+$/);
    });

    test('Enter right after the last letter waits for the content, and opens none that the text does not find', async () => {
      const page = await admin.page({ as: 'ada' });
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Command palette' });
      await field.fill('paper');
      await page.getByRole('option', { name: /^On paper/, selected: true }).waitFor();
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      admin.intercept = async (request) => {
        if (!/search=margins/.test(request.url)) return undefined;
        asked.resolve();
        await answer.promise;
        return undefined;
      };
      await field.fill('margins');
      await field.press('Enter');
      await asked.promise;
      expect(await field.isVisible()).toBe(true);
      answer.resolve();
      await page.getByRole('heading', { level: 1, name: 'Why margins matter' }).waitFor();
      admin.intercept = undefined;
    });

    test('letters go to pages, and can be switched off', async () => {
      const page = await admin.page({ as: 'ada' });
      await page.keyboard.press('g');
      await page.keyboard.press('a');
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('switch', { name: 'Single letters are shortcuts' }).press('Space');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      expect(new URL(page.url()).pathname).toBe('/admin/audit-log');
    });
  });

  test('on a phone the navigation is a drawer', async () => {
    const page = await admin.page({ as: 'ada', width: 390, height: 844, hasTouch: true });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await navigation.waitFor();
    await page.keyboard.press('Escape');
    expect(await navigation.isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Open menu');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await navigation.getByRole('link', { name: 'Comments' }).click();
    await page.getByRole('heading', { level: 1, name: 'Comments' }).waitFor();
    expect(await navigation.isVisible()).toBe(false);
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
