import type { BrowserContext, Page } from 'playwright-core';

/** A page that the tests of a file use one after another, because another browser session costs four times as much. */
export interface KeptPage {
  /** What no page can change of its session: the language, and whether there is touch. */
  readonly key: string;
  readonly context: BrowserContext;
  /** The tab that is kept. */
  page: Page;
  /** Whether a test has it. */
  isTaken: boolean;
}

/** An address of the same site with an empty document, so that the next page is shown by the same process. */
export const blankPath = '/nothing-of-the-tests';

export const blankPage = (): Response =>
  new Response('<!doctype html><title>Nothing</title>', { headers: { 'Content-Type': 'text/html' } });

/** What tests listen to. A listener of a dialog that stays would have to answer the dialogs of the next test. */
const listenedTo = ['dialog', 'request', 'response'] as const;

/**
 * Takes what a test left from a kept page: further tabs, the document with its dialogs, what the browser keeps, its session, the
 * network and the pointer. False when there is no page any more.
 */
export async function clearPage(kept: KeptPage): Promise<boolean> {
  const [first, ...others] = kept.context.pages();
  if (first === undefined) return false;
  const page = kept.page.isClosed() ? first : kept.page;
  for (const tab of [first, ...others]) if (tab !== page) await tab.close();
  for (const event of listenedTo) page.removeAllListeners(event);
  await kept.context.setOffline(false);
  // A question about unsaved changes is answered by Playwright where no test listens.
  await page.goto(blankPath);
  await page.mouse.move(-1, -1);
  await page.evaluate(forgetAll);
  await kept.context.clearCookies();
  kept.page = page;
  kept.isTaken = false;
  return true;
}

/** In the page: what the browser keeps of this site goes. As text, because the types of a page are not everywhere where this is imported. */
const forgetAll = `(async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const removal = indexedDB.deleteDatabase(name);
      removal.onsuccess = () => resolve();
      removal.onerror = () => reject(removal.error);
    });
})()`;
