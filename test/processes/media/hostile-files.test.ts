import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, looksSkipReason, newSession, skipsLooks } from '../../browser/chromium.ts';
import { RectoFolder, type RectoProcess } from '../../support/processes/recto-process.ts';
import { type HostileFile, hostileFiles } from './hostile-files.ts';

// A browser shows what a header means. Skipped where no Chromium is installed.
describe.skipIf(skipsLooks)(`in a browser${looksSkipReason}`, () => {
  let folder: RectoFolder;
  let started: RectoProcess;
  let url = '';
  let token = '';
  let browser: Browser;
  // Not in the block itself, which runs where its tests are skipped as well.
  beforeAll(async () => {
    folder = new RectoFolder();
    started = folder.spawn(['start'], {
      RECTO_ADMIN_EMAIL: 'ada@example.com',
      RECTO_ADMIN_PASSWORD: 'correct horse',
      RECTO_LOG_LEVEL: 'error',
    });
    url = await started.url();
    const body = JSON.stringify({ email: 'ada@example.com', password: 'correct horse' });
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body });
    // True because the service answers so.
    token = ((await reply.json()) as { readonly access_token: string }).access_token;
    browser = await launchChromium(['--no-sandbox', '--disable-gpu']);
  });
  afterAll(async () => {
    await browser?.close();
    started.kill('SIGTERM');
    await started.ended();
    folder[Symbol.dispose]();
  });

  test('no hostile file runs a script on this origin', async () => {
    const files = hostileFiles();
    expect(files.length).toBeGreaterThanOrEqual(200);
    const context = await newSession(browser, { acceptDownloads: false });
    const ran: string[] = [];
    // The service answers them 404. To answer them here would mean to hold each request of every page.
    context.on('request', (request) => {
      if (request.url().includes('/beacon')) ran.push(request.url());
    });
    context.on('dialog', (dialog) => {
      ran.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    // What a file would do that is served as a page: else this test would see nothing.
    const [first] = files;
    // A page of its own, because a download leaves the page as it is.
    const control = await context.newPage();
    await control.route(`${url}/control`, (route) =>
      route.fulfill({ contentType: 'text/html', body: Buffer.from(first?.bytes ?? []) }),
    );
    await control.goto(`${url}/control`);
    expect(await control.evaluate('document.title')).toBe('ran');
    await control.close();
    expect(ran.length).toBeGreaterThan(0);
    ran.length = 0;
    const waiting = [...files];
    const openAll = async (): Promise<void> => {
      const page = await context.newPage();
      for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) await open(page, file);
    };
    const open = async (page: Page, { name, type, bytes }: HostileFile): Promise<void> => {
      const made = await fetch(`${url}/api/v1/media?name=${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
        body: bytes,
      });
      expect([name.slice(0, 50), made.status]).toEqual([name.slice(0, 50), 201]);
      // True because the service answers so.
      const record = (await made.json()) as { readonly id: string; readonly url: string };
      // A download makes a navigation fail, which is as it should be.
      await page.goto(url + record.url).catch(() => undefined);
      if ((await page.evaluate('document.title').catch(() => '')) === 'ran') ran.push(`${name}: title`);
    };
    await Promise.all(Array.from({ length: 4 }, openAll));
    // As parts of a page of the same origin, where scripts of an image would be this page's.
    const embedding = await context.newPage();
    await embedding.route(`${url}/embedding`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: files.map((_, index) => `<i data-index="${index}"></i>`).join(''),
      }),
    );
    await embedding.goto(`${url}/embedding`);
    const listed = await fetch(`${url}/api/v1/media?page_size=100`, { headers: { Authorization: `Bearer ${token}` } });
    // True because the service answers so.
    const { items } = (await listed.json()) as { readonly items: readonly { readonly url: string }[] };
    const addresses = items.map((item) => item.url);
    await embedding.evaluate(
      `Promise.all(${JSON.stringify(addresses)}.map((address) => Promise.all(['img', 'script', 'iframe', 'object', 'embed'].map((tag) =>
        new Promise((resolve) => {
          const element = document.createElement(tag);
          element.onload = element.onerror = resolve;
          setTimeout(resolve, 3000);
          element[tag === 'object' ? 'data' : 'src'] = address;
          document.body.append(element);
        })))))`,
    );
    expect(ran).toEqual([]);
    expect(await embedding.evaluate('document.title')).not.toBe('ran');
    await context.close();
  }, 600_000);
});
