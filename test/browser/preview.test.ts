import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

// The page beside a form: that of the service, and one of a site on another origin, with what hostile pages try.

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

const published = { access: 'public', filter: 'status = "published"' };
const fields = [
  { name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 200 },
  { name: 'slug', field_type: 'uid', label: 'Slug', target_field: 'title' },
  { name: 'summary', field_type: 'text', label: 'Summary', max_length: 400_000 },
  { name: 'content', field_type: 'richtext', label: 'Content', sanitize: false },
  { name: 'price', field_type: 'integer', label: 'Price' },
  {
    name: 'parts',
    field_type: 'list',
    label: 'Parts',
    fields: [{ name: 'words', field_type: 'text', label: 'Words' }],
  },
];
const protocols = [
  { name: 'versionable', drafts: true },
  { name: 'statusable', values: ['draft', 'published'], published: 'published' },
];

/** A page of the site, as people write it: one script of the service, and marks at what is shown. */
const sitePage = (cms: string, more = '') => `<!doctype html><html><body>
<h1 data-recto="">-</h1><p id="loads"></p><p id="frames"></p>
<script>
  const key = 'loads' + location.pathname;
  sessionStorage[key] = Number(sessionStorage[key] || 0) + 1;
  document.querySelector('#loads').textContent = 'loaded ' + sessionStorage[key];
  addEventListener('recto:preview', ({ detail }) => {
    const title = document.querySelector('h1');
    title.textContent = detail.record.title;
    title.dataset.recto = 'tales/' + detail.id + '#title';
    document.querySelector('#frames').textContent = 'It is a ' + detail.content_type;
  });
</script>
<div style="height:3000px"></div><p>The end</p>${more}
<script src="${cms}/preview.js"></script></body></html>`;

describe.skipIf(chromiumPath === undefined)(`the preview${skipReason}`, () => {
  let admin: Admin;
  let site: ReturnType<typeof Bun.serve>;
  /** What the site answers, by path. */
  let pages: (path: string) => string | undefined;
  const asked: string[] = [];

  beforeAll(async () => {
    site = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        const { pathname, search } = new URL(request.url);
        asked.push(pathname + search);
        const html = pages(pathname);
        const headers = { 'Content-Type': 'text/html; charset=utf-8' };
        return new Response(html ?? 'nothing', { status: html === undefined ? 404 : 200, headers });
      },
    });
    const at = `http://127.0.0.1:${site.port}`;
    admin = await Admin.open([
      {
        name: 'Story',
        singular: 'story',
        plural: 'stories',
        protocols,
        fields,
        api: { list: published, get: published },
      },
      {
        ...{ name: 'Tale', singular: 'tale', plural: 'tales', protocols, fields },
        api: { list: published, get: published },
        admin: {
          preview_url: `${at}/tales/{slug}#{token}`,
          groups: [{ label: 'All', fields: ['title', 'slug', 'summary', 'price'] }],
        },
      },
      {
        name: 'Memo',
        singular: 'memo',
        plural: 'memos',
        fields: [{ name: 'title', field_type: 'text', label: 'Title' }],
      },
    ]);
    pages = () => sitePage(admin.url);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterEach(() => {
    pages = () => sitePage(admin.url);
    return admin?.endTest();
  });
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await site?.stop(true);
  });

  const open = async (path: string, as = 'edith'): Promise<Page> => {
    const page = await admin.page({ as, path: `/content/${path}` });
    await button(page, 'Preview').click();
    return page;
  };
  const shown = (page: Page): FrameLocator => page.frameLocator('section[aria-label="Preview"] iframe');
  const frameOf = async (page: Page): Promise<Frame> => {
    const found = await (await page.locator('section[aria-label="Preview"] iframe').elementHandle())?.contentFrame();
    if (found === null || found === undefined) throw new Error('There is no frame.');
    return found;
  };

  test('shows a type without a page at once, follows the keys without a request, and leads to a field', async () => {
    const hostile =
      '<p>Soon <b>there</b></p><img src="x" onerror="parent.document.title=1"><script>document.title="bad"</script><a href="javascript:alert(1)" onclick="alert(1)">a link</a><form action="https://evil.example"><input name="q"></form>';
    const { id } = await admin.service.seed('stories', {
      ...{ title: 'On <i>margins</i>', content: hostile, price: 3 },
      parts: [{ words: 'First' }, { words: 'Second' }],
    });
    const page = await open(`stories/${id}`);
    const own = shown(page);
    await own.getByRole('heading', { level: 1, name: 'On <i>margins</i>' }).waitFor();
    await own.getByText('there').waitFor();
    expect(await own.locator('script:not([src]), form, input, [onerror], [onclick], a[href]').count()).toBe(0);
    const frame = await frameOf(page);
    expect(await frame.evaluate('self.origin')).toBe('null');
    const requests: string[] = [];
    page.on('request', (request) => {
      // What is saved by itself is a request of the form.
      if (request.method() !== 'PUT') requests.push(request.url());
    });
    await field(page, 'Title').fill('On ink & paper');
    await own.getByRole('heading', { level: 1, name: 'On ink & paper' }).waitFor();
    expect(requests.filter((url) => url.includes('/cms/'))).toEqual([]);
    await own.getByText('Second').click();
    await page.waitForFunction('document.activeElement?.value === "Second"');
    // What was saved is fetched.
    await button(page, 'Save').click();
    await page.locator('[data-state="clean"]').waitFor();
    await own.getByRole('heading', { level: 1, name: 'On ink & paper' }).waitFor();
    await field(page, 'Price').fill('44');
    await own.getByText('44').waitFor();
    // A type that is closed to the public shows what the form holds.
    const memo = await admin.service.seed('memos', { title: 'Inside' });
    const other = await open(`memos/${memo.id}`);
    await shown(other).getByRole('heading', { level: 1, name: 'Inside' }).waitFor();
  });

  test('connects a page of a site: messages, saves, clicks, and another slug', async () => {
    const { id } = await admin.service.seed('tales', { title: 'First', slug: 'first' });
    const page = await open(`tales/${id}`);
    const own = shown(page);
    await own.getByRole('heading', { name: 'First' }).waitFor();
    await own.getByText('loaded 1', { exact: true }).waitFor();
    await field(page, 'Summary').focus();
    await field(page, 'Title').fill('Second');
    await own.getByRole('heading', { name: 'Second' }).waitFor();
    await own.getByText('It is a tale').waitFor();
    await own.getByRole('heading', { name: 'Second' }).click();
    await page.waitForFunction('document.activeElement?.value === "Second"');
    // A save loads the page again, which keeps its place and gets what was typed.
    const frame = await frameOf(page);
    await frame.evaluate('scrollTo(0, 1200)');
    await button(page, 'Save').click();
    await own.getByText('loaded 2', { exact: true }).waitFor();
    await own.getByRole('heading', { name: 'Second' }).waitFor();
    await frame.waitForFunction('scrollY === 1200');
    // Another address.
    await field(page, 'Slug').fill('third');
    await button(page, 'Save').click();
    await own.getByText('loaded 1', { exact: true }).waitFor();
    expect(asked).toContain('/tales/third');
    // The token is behind the #, which is sent nowhere.
    expect(asked.filter((path) => path.includes('rpt_'))).toEqual([]);
    expect(await page.locator('section[aria-label="Preview"] iframe').getAttribute('src')).toMatch(
      /\/tales\/third#rpt_/,
    );
  });

  test('takes nothing from pages that it does not show, and no path but those of its form', async () => {
    const { id } = await admin.service.seed('tales', { title: 'Hostile', slug: 'hostile', summary: 'Keep' });
    const other = await admin.service.seed('tales', { title: 'Other', slug: 'other' });
    // A frame inside the page, which is no page of the form: its messages come from another window.
    pages = (path) =>
      path === '/inner'
        ? `<!doctype html><script>addEventListener('message', () => top.postMessage({ type: 'recto:edit', path: 'tales/${id}#summary' }, '*'));
           top.postMessage({ type: 'recto:ready' }, '*');</script>`
        : sitePage(admin.url, '<iframe id="inner" src="/inner"></iframe>');
    const page = await open(`tales/${id}`);
    const own = shown(page);
    await own.getByRole('heading', { name: 'Hostile' }).waitFor();
    await field(page, 'Title').focus();
    const frame = await frameOf(page);
    const isTitle = () => page.evaluate('document.activeElement?.value === "Hostile"');
    const send = (path: unknown) =>
      frame.evaluate(`parent.postMessage({ type: 'recto:edit', path: ${JSON.stringify(path)} }, '*')`);
    for (const path of [
      `tales/${other.id}#summary`,
      `stories/${id}#summary`,
      `tales/${id}#summary"],button[type="submit`,
      `tales/${id}#nothing`,
      `tales/${id}#status`,
      '#summary',
      'x'.repeat(100_000),
      { toString: 'no' },
      null,
    ])
      await send(path);
    await await frame
      .childFrames()[0]
      ?.evaluate(`top.postMessage({ type: 'recto:edit', path: 'tales/${id}#summary' }, '*')`);
    // Another window of the same origin, and a message that is sent to the admin itself.
    await page.evaluate(`postMessage({ type: 'recto:edit', path: 'tales/${id}#summary' }, '*')`);
    // Messages come in their order: once this one has done something, the others have not.
    expect(await isTitle()).toBe(true);
    await send(`tales/${id}#summary`);
    await page.waitForFunction('document.activeElement?.value === "Keep"');
    // The frame is led to another origin: that is not heard, and gets nothing.
    const elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          `<!doctype html><h1>Elsewhere</h1><p></p><script>addEventListener('message', ({ data }) => { document.querySelector('p').textContent += JSON.stringify(data); });
           parent.postMessage({ type: 'recto:ready' }, '*'); parent.postMessage({ type: 'recto:edit', path: 'tales/${id}#price' }, '*');</script>`,
          { headers: { 'Content-Type': 'text/html' } },
        ),
    });
    try {
      await frame.evaluate(`location.href = 'http://127.0.0.1:${elsewhere.port}/'`);
      await own.getByRole('heading', { name: 'Elsewhere' }).waitFor();
      await field(page, 'Title').fill('Kept from others');
      await page.locator('[data-state]').first().waitFor();
      await button(page, 'Save').click();
      await page.locator('[data-state="clean"]').waitFor();
      expect(
        await own
          .locator('p')
          .textContent()
          .catch(() => ''),
      ).not.toContain('Kept');
      expect(await page.evaluate('document.activeElement?.getAttribute("name") ?? ""')).not.toBe('price');
    } finally {
      await elsewhere.stop(true);
    }
    // The browser says that a message did not fit the page's origin.
    admin.takeProblems();
  });

  test('gives a page nothing of windows that are not the admin', async () => {
    const evil = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          `<!doctype html><iframe src="http://127.0.0.1:${site.port}/tales/framed"></iframe><script>
           const heard = []; addEventListener('message', ({ data }) => heard.push(data.type));
           const frame = document.querySelector('iframe');
           frame.onload = () => { for (const type of ['recto:preview', 'recto:saved'])
             frame.contentWindow.postMessage({ type, content_type: 'tale', id: 'x', record: { title: 'Stolen' } }, '*'); window.isSent = true; };</script>`,
          { headers: { 'Content-Type': 'text/html' } },
        ),
    });
    const context = await admin.context();
    try {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${evil.port}/`);
      await page.waitForFunction('window.isSent');
      const [, frame] = page.frames();
      // Messages come in their order: this one is behind those of the page.
      await page.evaluate(`document.querySelector('iframe').contentWindow.postMessage('last', '*')`);
      await frame?.evaluate(
        `new Promise((resolve) => addEventListener('message', resolve, { once: true }) ?? setTimeout(resolve, 200))`,
      );
      expect(await frame?.evaluate(`document.querySelector('h1').textContent`)).toBe('-');
      expect(await frame?.evaluate(`document.querySelector('#loads').textContent`)).toBe('loaded 1');
      await frame?.locator('h1').click();
      expect(await page.evaluate('heard')).toEqual([]);
      // The service's own page is not framed by others at all.
      await page.evaluate(`document.querySelector('iframe').src = '${admin.url}/recto-preview'`);
      await page.waitForFunction('frames[0] !== undefined');
      expect(
        await page
          .frames()[1]
          ?.locator('main')
          .count()
          .catch(() => 0),
      ).toBe(0);
    } finally {
      admin.takeProblems();
      await context.close();
      await evil.stop(true);
    }
  });

  test('shares a link that shows the record to somebody without an account, until it is ended', async () => {
    const { id } = await admin.service.seed('stories', { title: 'For the printer', content: '<p>Ready.</p>' });
    const page = await open(`stories/${id}`);
    await shown(page).getByRole('heading', { name: 'For the printer' }).waitFor();
    await button(page, 'Share').click();
    const dialog = page.getByRole('dialog', { name: 'Share the preview' });
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.getByText('Say who the link is for: you find it by that.').waitFor();
    await dialog.getByLabel('Who it is for').fill('Bo, printer');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const url = await dialog.locator('pre code').textContent();
    expect(url).toMatch(/\/recto-preview#rpt_[\w-]{40,}$/);
    await dialog.getByText('Bo, printer').waitFor();
    const guest = await admin.context();
    const visitor = await admin.tab(guest).catch(() => guest.newPage());
    await visitor.goto(String(url));
    await visitor.getByRole('heading', { name: 'For the printer' }).waitFor();
    await visitor.getByText('Ready.').waitFor();
    expect(await visitor.evaluate('self.origin')).toBe('null');
    await dialog.getByRole('button', { name: 'End the link “Bo, printer”' }).click();
    await page.getByText('The link “Bo, printer” has ended.').waitFor();
    await visitor.reload();
    await visitor.getByText('This preview has ended, or shows nothing that is there.').waitFor();
  });

  test('has widths of devices, and the changes of a release', async () => {
    const { id } = await admin.service.seed('stories', { title: 'As it is', status: 'published' });
    const send = async (line: string, body: object) =>
      (await admin.service.send(line, { as: 'ada', body })).json as { readonly id: string };
    const release = await send('POST /api/v1/admin/releases', { name: 'Spring' });
    await send(`PUT /api/v1/admin/releases/${release.id}/items/story/${id}`, {
      action: 'publish',
      changes: { price: 77 },
    });
    const page = await open(`stories/${id}`);
    const own = shown(page);
    await own.getByRole('heading', { name: 'As it is' }).waitFor();
    const frame = page.locator('section[aria-label="Preview"] iframe');
    await page.getByLabel('Width of the page').selectOption({ label: 'Phone' });
    await page.waitForFunction(`document.querySelector('section[aria-label="Preview"] iframe').offsetWidth <= 392`);
    expect((await frame.boundingBox())?.width).toBeLessThanOrEqual(392);
    await page.getByLabel('Release', { exact: true }).selectOption({ label: 'Spring' });
    await own.getByText('77').waitFor();
    // Who closes it goes on where they opened it.
    await page.getByRole('button', { name: 'Close the preview' }).click();
    await page.getByRole('button', { name: 'Preview', exact: true }).and(page.locator(':focus')).waitFor();
  });

  test('loses no key of a long record, and is soon behind each of them', async () => {
    const long = 'All work and no play makes a long record. '.repeat(7_200);
    const { id } = await admin.service.seed('tales', { title: 'Long', slug: 'long', summary: long });
    expect(long.length).toBeGreaterThan(300_000);
    const page = await open(`tales/${id}`);
    const own = shown(page);
    await own.getByRole('heading', { name: 'Long' }).waitFor();
    await field(page, 'Title').focus();
    await page.keyboard.press('End');
    const words = ' and every key of it is there at the end';
    await page.keyboard.type(words, { delay: 15 });
    await own.getByRole('heading', { name: `Long${words}`, exact: true }).waitFor();
    expect(await field(page, 'Title').inputValue()).toBe(`Long${words}`);
    await button(page, 'Save').click();
    await page.locator('[data-state="clean"]').waitFor();
    const { json } = await admin.service.send(`GET /api/v1/admin/cms/tales/${id}?draft=true`, { as: 'ada' });
    expect([json.title, json.summary.length]).toEqual([`Long${words}`, long.length]);
  });
});
