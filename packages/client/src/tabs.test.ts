// databases: sqlite:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, newSession, skipReason } from '../../../test/browser/chromium.ts';
import { TestService } from '../../../test/support/service.ts';

// Twenty tabs of a real browser, which has `navigator.locks` and one `localStorage` for all of them.

const credentials = { email: 'ada@example.com', password: 'correct horse' };

describe.skipIf(chromiumPath === undefined)(`in Chromium${skipReason}`, () => {
  let service: TestService;
  let server: ReturnType<typeof Bun.serve>;
  let browser: Browser;
  let refreshes = 0;

  beforeAll(async () => {
    const { outputs } = await Bun.build({ entrypoints: [join(import.meta.dir, 'index.ts')], target: 'browser' });
    const code = (await outputs[0]?.text()) ?? '';
    service = await TestService.open([], { builtIn: true });
    await service.account('ada', 'admin');
    const page = `<!doctype html><title>tab</title><script type="module">
      import { createClient, inStorage } from '/client.js';
      window.recto = createClient({ url: location.origin, session: inStorage(localStorage) });
    </script>`;
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const { pathname } = new URL(request.url);
        if (pathname === '/client.js') return new Response(code, { headers: { 'Content-Type': 'text/javascript' } });
        if (pathname === '/') return new Response(page, { headers: { 'Content-Type': 'text/html' } });
        if (pathname.endsWith('/auth/refresh')) refreshes += 1;
        return service.app.fetch(request);
      },
    });
    browser = await launchChromium();
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop(true);
    await service?.[Symbol.asyncDispose]();
  });

  test('tabs that wake up together renew the session once', async () => {
    const context = await newSession(browser);
    const tabs = await Promise.all(Array.from({ length: 20 }, () => context.newPage()));
    for (const tab of tabs) {
      await tab.goto(server.url.href);
      await tab.waitForFunction('window.recto !== undefined');
    }
    const [first] = tabs;
    await first?.evaluate(`recto.auth.login(${JSON.stringify(credentials)})`);
    await first?.evaluate(
      "localStorage.setItem('recto', JSON.stringify({ ...JSON.parse(localStorage.getItem('recto')), expires_at: 0 }))",
    );
    // Chromium passes on to the others later what a tab writes.
    for (const tab of tabs) await tab.waitForFunction("localStorage.getItem('recto')?.includes('\"expires_at\":0')");
    const emails = await Promise.all(tabs.map((tab) => tab.evaluate('recto.auth.me().then(({ email }) => email)')));
    expect(new Set(emails)).toEqual(new Set([credentials.email]));
    expect(refreshes).toBe(1);
    expect(await tabs[7]?.evaluate('recto.auth.refresh()')).toBe(true);
    // The fallback for browsers without locks was not needed.
    expect(await first?.evaluate('Object.keys(localStorage).join()')).toBe('recto');
  }, 600_000);
});
