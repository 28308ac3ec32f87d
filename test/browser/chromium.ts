import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { onPostgres } from '../support/database/database.ts';

/** Without the windows that nobody sees comes first: the same engine shows a page for about a third less processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of the tests; undefined where none is installed and RECTO_TEST_CHROMIUM names none. */
export const chromiumPath: string | undefined =
  process.env.RECTO_TEST_CHROMIUM ?? places.find((path) => existsSync(path));

/** Why tests in a browser are skipped, for their names. */
export const skipReason =
  chromiumPath === undefined ? ' (skipped: no Chromium; on Debian, apt-get install chromium-headless-shell)' : '';

/**
 * Whether to skip what does not depend on the database: how pages look, what keys do, and screens of which the database sees nothing but
 * calls of the API, which are tested on both. They are tested on SQLite alone.
 */
export const skipsLooks = chromiumPath === undefined || onPostgres;

/** Why tests of that are skipped, for their names. */
export const looksSkipReason = onPostgres ? ' (skipped: tested on SQLite)' : skipReason;

/** How long a page may take for anything, in ms: below the limit of a test, so that what it waited for is named, and far above what a busy machine needs. */
const longestWait = 300_000;

/** A browser of one's own. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium on this machine.');
  return chromium.launch({ executablePath: chromiumPath, args: [...args], timeout: longestWait });
}

/** A browser session that waits as long as a busy machine may need. */
export async function newSession(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(longestWait);
  return context;
}

let users = 0;
let launched: Promise<Browser> | undefined;

/**
 * One browser for all files that this process runs, because another one takes half a second. Its sessions end with the last who uses it, and
 * the browser with the process.
 */
export async function useChromium(): Promise<{ readonly browser: Browser } & AsyncDisposable> {
  users += 1;
  // The runner ends the browser with a test that takes too long; the tests after it get another one.
  if (launched !== undefined && !(await launched).isConnected()) launched = undefined;
  launched ??= launchChromium();
  const browser = await launched;
  return {
    browser,
    async [Symbol.asyncDispose]() {
      users -= 1;
      if (users > 0 || !browser.isConnected()) return;
      for (const session of browser.contexts()) await session.close();
    },
  };
}
