import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chromiumPath, newSession, skipReason, useChromium } from '../../test/browser/chromium.ts';
import { TestService } from '../../test/support/service.ts';

// The pages as they are, in a real browser, with the client beside them as the README says.

const files = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
]);
/** What a careful site sends: the pages need no inline scripts and load nothing foreign. */
const policy = "default-src 'self'; img-src *; object-src 'none'; base-uri 'none'";

/** Serves the pages beside a service. `languages`: what is written into their meta tag. */
function serve(service: TestService, client: ReadonlyMap<string, Blob>, languages = '') {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/api/')) return service.app.fetch(request);
      const name = pathname.slice(1) || 'index.html';
      const type = files.get(/\.\w+$/.exec(name)?.[0] ?? '');
      if (type === undefined) return new Response(null, { status: 404 });
      const headers = { 'Content-Type': type, 'Content-Security-Policy': policy };
      const file = client.get(name) ?? Bun.file(join(import.meta.dir, name));
      if (!name.endsWith('.html')) return new Response(file, { headers });
      const html = (await file.text()).replace(
        '"recto-languages" content=""',
        `"recto-languages" content="${languages}"`,
      );
      return new Response(html, { headers });
    },
  });
}

describe.skipIf(chromiumPath === undefined)(`the blog in plain HTML${skipReason}`, () => {
  let service: TestService;
  let server: ReturnType<typeof Bun.serve>;
  let chromium: Awaited<ReturnType<typeof useChromium>>;

  beforeAll(async () => {
    service = await TestService.open([], { builtIn: true, commentsAutoApprove: 'members' });
    await service.account('edith', 'editor');
    await service.account('max');
    server = serve(service, await builtClient());
    await seedPosts(service);
    chromium = await useChromium();
  }, 600_000);
  afterAll(async () => {
    await chromium?.[Symbol.asyncDispose]();
    await server?.stop(true);
    await service?.[Symbol.asyncDispose]();
  });

  const violations: string[] = [];
  async function open(path: string): Promise<Page> {
    const page = await (await newSession(chromium.browser)).newPage();
    page.on('pageerror', (error) => violations.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await page.goto(new URL(path, server.url).href);
    return page;
  }
  const posts = (page: Page) => page.getByRole('list', { name: 'Posts' }).getByRole('heading');
  async function untilPosts(page: Page, titles: readonly string[]): Promise<void> {
    for (const [index, title] of titles.entries()) await posts(page).nth(index).filter({ hasText: title }).waitFor();
    await posts(page).nth(titles.length).waitFor({ state: 'detached' });
  }
  async function signIn(name: string): Promise<Page> {
    const page = await open('/sign-in.html');
    await page.getByLabel('Email').fill(`${name}@example.com`);
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return page;
  }

  test('posts are listed by tag, category and words', async () => {
    const page = await open('/');
    await untilPosts(page, ['Night trains', 'On margins']);
    expect(await page.getByRole('heading', { name: 'Drafts' }).isVisible()).toBe(false);
    await page.getByRole('navigation', { name: 'Tags' }).getByRole('link', { name: 'R&D <b>' }).click();
    await untilPosts(page, ['On margins']);
    const chosen = page.getByRole('navigation', { name: 'Tags' }).locator('[aria-current]');
    await chosen.click();
    await untilPosts(page, ['Night trains', 'On margins']);
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Travel' }).click();
    await untilPosts(page, ['Night trains']);
    await page.goto(server.url.href);
    await page.getByRole('searchbox', { name: 'Search' }).fill('margins');
    await page.getByRole('button', { name: 'Find' }).click();
    await untilPosts(page, ['On margins']);
    await page.goto(new URL('/?search=nothing', server.url).href);
    await page.getByText('There are no such posts.').waitFor();
  }, 600_000);

  test('a post is read and commented on, by guests and accounts', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: 'On margins' }).click();
    await page.getByRole('heading', { level: 1, name: 'On margins' }).waitFor();
    expect(await page.getByRole('article').getByRole('emphasis').textContent()).toBe('White');
    const form = page.getByRole('form', { name: 'Write a comment' });
    await form.getByLabel('Name').fill('Bo <i>');
    await form.getByLabel('Comment').fill('I print <script>alert(1)</script> wide.');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Your comment waits for approval.').waitFor();
    const { items } = (await service.send('GET /api/v1/admin/comments', { as: 'edith' })).json;
    await service.send(`PUT /api/v1/admin/comments/${items[0].id}/status`, {
      as: 'edith',
      body: { status: 'Approved' },
    });
    await page.reload();
    await page.getByRole('list', { name: 'Comments' }).getByText('I print <script>alert(1)</script> wide.').waitFor();
    const member = await signIn('max');
    await member.getByRole('link', { name: 'On margins' }).click();
    await member.getByLabel('Comment', { exact: true }).fill('So do I.');
    await member.getByRole('button', { name: 'Send' }).click();
    await member.getByRole('list', { name: 'Comments' }).getByText('So do I.').waitFor();
    expect(await member.getByRole('list', { name: 'Comments' }).getByText('Bo <i>').isVisible()).toBe(true);
  }, 600_000);

  test('a wrong password is named, and editors see drafts', async () => {
    const wrong = await open('/sign-in.html');
    await wrong.getByLabel('Email').fill('edith@example.com');
    await wrong.getByLabel('Password').fill('a wrong password');
    await wrong.getByRole('button', { name: 'Sign in' }).click();
    await wrong.getByRole('alert').filter({ hasText: /./ }).waitFor();
    const page = await signIn('edith');
    await page.getByRole('region', { name: 'Drafts' }).getByRole('link', { name: 'Not yet' }).click();
    await page.getByRole('heading', { level: 1, name: 'Not yet' }).waitFor();
    await page.getByText('Preview').waitFor();
    const { href } = new URL(page.url());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.goto(href);
    await page
      .getByRole('status')
      .filter({ hasText: /log|sign|auth/i })
      .waitFor();
    expect(await page.getByRole('heading', { name: 'Not yet' }).isVisible()).toBe(false);
    expect(violations).toEqual([]);
  }, 600_000);
});

describe.skipIf(chromiumPath === undefined)(`the blog in two languages${skipReason}`, () => {
  let service: TestService;
  let server: ReturnType<typeof Bun.serve>;
  let chromium: Awaited<ReturnType<typeof useChromium>>;

  beforeAll(async () => {
    const extensions = [
      { extends: 'post', localized: ['title', 'slug', 'content', 'excerpt'] },
      { extends: 'category', localized: ['name', 'slug'] },
    ];
    service = await TestService.open(extensions, { builtIn: true, languages: 'en,de', commentsAutoApprove: 'all' });
    await service.account('edith', 'editor');
    server = serve(service, await builtClient(), 'en,de');
    await seedTranslations(service);
    chromium = await useChromium();
  }, 600_000);
  afterAll(async () => {
    await chromium?.[Symbol.asyncDispose]();
    await server?.stop(true);
    await service?.[Symbol.asyncDispose]();
  });

  const faults: string[] = [];
  async function open(path: string): Promise<Page> {
    const page = await (await newSession(chromium.browser)).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    await page.goto(new URL(path, server.url).href);
    return page;
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('a reader switches the language of a post, and its comments stay', async () => {
    const page = await open('/post.html?slug=on-margins');
    await heading(page, 'On margins').waitFor();
    const languages = page.getByRole('navigation', { name: 'Languages' });
    expect(await languages.getByRole('link').allTextContents()).toEqual(['English', 'Deutsch']);
    await page.getByRole('form', { name: 'Write a comment' }).getByLabel('Comment').fill('Wide ones, please.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('list', { name: 'Comments' }).getByText('Wide ones, please.').waitFor();
    await languages.getByRole('link', { name: 'Deutsch' }).click();
    await heading(page, 'Über Ränder').waitFor();
    expect(new URL(page.url()).search).toBe('?slug=ueber-raender&language=de');
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.getByRole('list', { name: 'Kommentare' }).getByText('Wide ones, please.').waitFor();
    await page.getByRole('link', { name: 'Das Blog' }).click();
    await heading(page, 'Beiträge').waitFor();
    await page.getByRole('link', { name: 'Über Ränder' }).waitFor();
    await page.getByRole('navigation', { name: 'Kategorien' }).getByRole('link', { name: 'Reisen' }).click();
    await page.getByRole('link', { name: 'Über Ränder' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Night trains' }).waitFor();
    expect(faults).toEqual([]);
  }, 600_000);

  test('its addresses in other languages are named, where there are any', async () => {
    const page = await open('/post.html?slug=ueber-raender&language=de');
    await heading(page, 'Über Ränder').waitFor();
    const named = () =>
      page
        .locator('link[rel=alternate]')
        .evaluateAll((links) =>
          links.map((link) => [link.getAttribute('hreflang'), new URL(link.getAttribute('href') ?? '').search]),
        );
    expect(await named()).toEqual([
      ['en', '?slug=on-margins'],
      ['de', '?slug=ueber-raender&language=de'],
      ['x-default', '?slug=on-margins'],
    ]);
    await page.goto(new URL('/post.html?slug=night-trains&language=de', server.url).href);
    await heading(page, 'Night trains').waitFor();
    expect(await named()).toEqual([]);
  }, 600_000);

  test('what is not translated is marked, for readers and for what reads it out', async () => {
    const page = await open('/index.html?language=de');
    const title = page.getByRole('link', { name: 'Night trains' });
    await title.waitFor();
    expect(await title.getAttribute('lang')).toBe('en');
    expect(await page.getByRole('link', { name: 'Über Ränder' }).getAttribute('lang')).toBeNull();
    await title.click();
    await page.getByText('Dieser Beitrag ist noch nicht übersetzt.').waitFor();
    expect(await heading(page, 'Night trains').getAttribute('lang')).toBe('en');
    await page.goto(new URL('/index.html?language=de&search=ränder', server.url).href);
    await page.getByRole('link', { name: 'Über Ränder' }).waitFor();
  }, 600_000);
});

/** The files of the client that the README copies, by their paths, from the sources as they are now. */
async function builtClient(): Promise<ReadonlyMap<string, Blob>> {
  const source = join(import.meta.dir, '../../packages/client/src');
  const entrypoints = ['index.ts', 'admin.ts'].map((name) => join(source, name));
  const { outputs } = await Bun.build({ entrypoints, target: 'browser', splitting: true });
  return new Map(outputs.map((output) => [join('client', output.path), output]));
}

async function seedPosts(service: TestService): Promise<void> {
  const category = await service.seed('categories', { name: 'Travel' });
  const margins = { title: 'On margins', content: '<p><em>White</em> is part of it.</p>', tags: ['R&D <b>', 'Paper'] };
  await service.seed('posts', { ...margins, status: 'Published' });
  await service.seed('posts', { title: 'Night trains', categories: [category.id], status: 'Published' });
  await service.seed('posts', { title: 'Not yet', content: '<p>Soon.</p>' });
}

async function seedTranslations(service: TestService): Promise<void> {
  const category = await service.seed('categories', { name: 'Travel', slug: 'travel' });
  const margins = { title: 'On margins', content: '<p>White is part of it.</p>', status: 'Published' };
  const { id } = await service.seed('posts', margins);
  await service.seed('posts', { title: 'Night trains', categories: [category.id], status: 'Published' });
  const german = {
    title: 'Über Ränder',
    slug: 'ueber-raender',
    content: '<p>Das Weiß gehört dazu: Ein Rand gibt dem Text Luft und dem Daumen Platz.</p>',
  };
  await service.send(`PUT /api/v1/admin/posts/${id}?language=de`, { as: 'edith', body: german });
  const travel = { name: 'Reisen', slug: 'reisen' };
  await service.send(`PUT /api/v1/admin/cms/categories/${category.id}?language=de`, { as: 'edith', body: travel });
}
