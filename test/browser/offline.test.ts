import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Admin, accessibilityIssues, emailOf } from './admin.ts';
import { looksSkipReason, skipsLooks } from './chromium.ts';
import { storyType } from './editor-types.ts';

describe.skipIf(skipsLooks)(`without a connection${looksSkipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([storyType]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());
  afterEach(() => admin.endTest());

  /** A page whose browser has kept the files of the admin. */
  async function visited(path: string, as = 'edith', language = 'en'): Promise<Page> {
    const page = await admin.page({ as, path, language, own: true, keepsShell: true });
    await page.evaluate(isKept);
    return page;
  }

  const title = (page: Page) => page.getByRole('heading', { level: 1 });
  const away = 'The service cannot be reached';

  test('opens after the first visit, and goes on by itself', async () => {
    const page = await visited('/content/stories');
    await page.context().setOffline(true);
    await page.reload();
    expect(await title(page).textContent()).toBe(away);
    await page.getByText('Nothing that you wrote in this browser waits to be saved.').waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'There is still no connection.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Stories', level: 1 }).waitFor();
  });

  test('opens when a proxy does not reach the service', async () => {
    const page = await visited('/');
    admin.intercept = () => new Response('Bad gateway', { status: 502 });
    await page.goto('/admin/media');
    expect(await title(page).textContent()).toBe(away);
    admin.intercept = undefined;
    await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
  });

  test('in the language of its reader', async () => {
    const page = await visited('/', 'edith', 'de');
    await page.context().setOffline(true);
    await page.reload();
    expect(await title(page).textContent()).toBe('Der Dienst ist nicht erreichbar');
  });

  test('shows what was being written, and offers it in the form afterwards', async () => {
    const { id } = await admin.service.seed('stories', { title: 'Margins', summary: 'Old', status: 'published' });
    const path = `/content/stories/${id}`;
    const page = await visited(path);
    await page.context().setOffline(true);
    await page.getByLabel('Summary', { exact: true }).fill('<Why margins> matter');
    await page.waitForFunction(keepsText, '<Why margins> matter');
    await page.reload();
    expect(await title(page).textContent()).toBe(away);
    const writing = page.getByRole('region', { name: 'What you were writing' });
    expect(await writing.getByRole('group', { name: 'Summary' }).textContent()).toBe('<Why margins> matter');
    expect(await writing.locator('summary').textContent()).toContain('Margins');
    expect(await accessibilityIssues(page)).toEqual([]);

    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    expect(await page.getByLabel('Summary', { exact: true }).inputValue()).toBe('<Why margins> matter');
  });

  test('shows nothing of an account that has signed out', async () => {
    const page = await visited('/content/stories/new');
    await page.context().setOffline(true);
    await page.getByLabel('Title', { exact: true }).fill('A secret of Edith');
    await page.waitForFunction(keepsText, 'A secret of Edith');
    await page.context().setOffline(false);
    // Another person at the same browser.
    const context = page.context();
    await context.clearCookies();
    await admin.signIn(context, 'ada');
    await page.goto('/admin/media');
    await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.getByText('Nothing that you wrote in this browser waits to be saved.').waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
    await page.getByRole('button', { name: `Account of ${emailOf('ada')}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.setOffline(true);
    await page.reload();
    expect(await title(page).textContent()).toBe(away);
    expect(await page.getByRole('main').textContent()).not.toContain('wrote');
  });

  test('keeps files of the build alone, and never an answer of the API', async () => {
    const page = await visited('/content/stories');
    const paths = await page.evaluate(keptPaths);
    expect(paths).toContain('/admin/');
    for (const path of paths) expect(path).toMatch(/^\/admin\/(?:assets\/[\w.-]+)?$/);
    // A role that has changed meanwhile holds at once: the page asks who somebody is.
    const { id } = (await admin.service.send('GET /api/v1/auth/me', { as: 'edith' })).json;
    await admin.service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { role: 'member' } });
    await page.reload();
    await page.getByRole('heading', { name: 'No access' }).waitFor();
    await admin.service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { role: 'editor' } });
  });

  test('a later build takes the place of an earlier one', async () => {
    const page = await visited('/');
    const [before] = await page.evaluate(cacheNames);
    const script = await (await fetch(`${admin.url}/admin/service-worker.js`)).text();
    admin.intercept = (request) =>
      new URL(request.url).pathname === '/admin/service-worker.js'
        ? new Response(script.replace(/"version":"\w+"/, '"version":"later"'), {
            headers: { 'Content-Type': 'text/javascript' },
          })
        : undefined;
    const context = page.context();
    await page.evaluate(updated);
    // The page that is open goes on with its own files.
    expect(await page.evaluate(cacheNames)).toEqual([before ?? '', 'recto-admin later'].toSorted());
    await page.goto('about:blank');
    const next = await admin.tab(context, '/');
    await next.waitForFunction(hasCaches, 1);
    expect(await next.evaluate(cacheNames)).toEqual(['recto-admin later']);
    await context.setOffline(true);
    await next.reload();
    expect(await title(next).textContent()).toBe(away);
  });
});

/** In the page: waits until the files are kept. */
const isKept = async (): Promise<void> => {
  await navigator.serviceWorker.ready;
};

const cacheNames = async (): Promise<readonly string[]> => (await caches.keys()).toSorted();

const hasCaches = async (count: number): Promise<boolean> => (await caches.keys()).length === count;

/** In the page: fetches the service worker anew, and waits until the new one has its files. */
async function updated(): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  await registration.update();
  const installing = registration.installing;
  if (installing === null || registration.waiting !== null) return;
  await new Promise<void>((resolve) =>
    installing.addEventListener('statechange', () => {
      if (installing.state === 'installed') resolve();
    }),
  );
}

async function keptPaths(): Promise<readonly string[]> {
  const all = await Promise.all(
    (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
  );
  return all.flat().map((url) => new URL(url).pathname);
}

/** In the page: whether the browser's store has a text. */
async function keepsText(text: string): Promise<boolean> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('recto-editing');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const all = await new Promise<unknown>((resolve, reject) => {
    const reading = database.transaction('copies').objectStore('copies').getAll();
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => reject(reading.error);
  });
  database.close();
  return JSON.stringify(all).includes(JSON.stringify(text).slice(1, -1));
}
