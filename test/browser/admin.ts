import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../packages/recto/src/base/caller.ts';
import { type ServiceOptions, TestService } from '../support/service.ts';
import { builtAdmin } from './built-admin.ts';
import { chromiumPath, newSession, useChromium } from './chromium.ts';
import { blankPage, blankPath, clearPage, type KeptPage } from './kept-page.ts';

// While the file is loaded, where no time limit of a test runs.
if (chromiumPath !== undefined) await builtAdmin();

export interface AdminPageOptions {
  /** An account made with `account`, who is signed in already. Default: nobody. */
  readonly as?: string;
  /** Below `/admin`. Default: `/`. */
  readonly path?: string;
  /** Default: 1440 × 900. */
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** `en`, `de` … Default: `en`. */
  readonly language?: string;
  readonly hasTouch?: boolean;
  readonly reducedMotion?: boolean;
  /**
   * A browser session that nobody used before or uses afterwards: for what cannot be cleared (a clock, a script, a route) and where
   * nothing may be in the cache of the browser. Default: a page of an earlier test, cleared, where the file calls `endTest`.
   */
  readonly own?: boolean;
  /** Whether the browser may keep the files of the admin, for tests without a connection. Default: false, so that each page is of the service. */
  readonly keepsShell?: boolean;
}

/** Everything that an account of the tests signs in with. */
export const passwordOfTests = 'correct horse';
export const emailOf = (name: string): string => `${name}@example.com`;

/**
 * The admin in a real browser, on a service of its own and the database under test. What a page reports that it must not (violations of the
 * Content-Security-Policy, uncaught errors, errors in the console) fails the test that closes it.
 */
export class Admin implements AsyncDisposable {
  readonly service: TestService;
  /** `http://127.0.0.1:PORT` or `http://localhost:PORT`, without a slash at the end. */
  readonly url: string;
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly #browser: { readonly browser: Browser } & AsyncDisposable;
  readonly #contexts = new Set<BrowserContext>();
  #kept: readonly KeptPage[] = [];
  #problems: string[] = [];
  /** Answers in the place of the service, where it returns something: for failures and delays. */
  intercept: ((request: Request) => Promise<Response | undefined> | Response | undefined) | undefined;

  /**
   * Built-in types are there. Without Chromium this throws: use it in `describe.skipIf(chromiumPath === undefined)`. A service that has to
   * know its own address gets its options by it; that address has a name, as passkeys need one.
   */
  static async open(
    definitions: readonly unknown[] = [],
    options: ServiceOptions | ((url: string) => ServiceOptions | Promise<ServiceOptions>) = {},
  ): Promise<Admin> {
    const browser = await useChromium();
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: () => new Response() });
    const knowsUrl = typeof options === 'function';
    const url = knowsUrl ? `http://localhost:${server.port}` : server.url.origin;
    const service = await TestService.open(definitions, {
      builtIn: true,
      ...(knowsUrl ? await options(url) : options),
    });
    return new Admin(service, browser, server, url);
  }

  private constructor(
    service: TestService,
    browser: { readonly browser: Browser } & AsyncDisposable,
    server: ReturnType<typeof Bun.serve>,
    url: string,
  ) {
    this.service = service;
    this.#browser = browser;
    this.#server = server;
    this.url = url;
    server.reload({
      fetch: async (request, own) => {
        if (new URL(request.url).pathname === blankPath) return blankPage();
        const inPlace = await this.intercept?.(request);
        return inPlace ?? service.app.fetch(request, () => own.requestIP(request)?.address ?? 'unknown');
      },
    });
  }

  get browser(): Browser {
    return this.#browser.browser;
  }

  /** Creates an account that pages can be opened `as`. */
  account(name: string, role: Role = 'admin', tenant: string | null = null): Promise<string> {
    return this.service.account(name, role, tenant);
  }

  /**
   * Opens a page of the admin, and waits until it shows something. No other page that the test has opened shares its browser session.
   * Opening one costs four times as much as showing another address, so that tests use them one after another: see `endTest`.
   */
  async page(options: AdminPageOptions = {}): Promise<Page> {
    const key = JSON.stringify([options.language, options.hasTouch]);
    const kept = options.own === true ? undefined : this.#kept.find((one) => one.key === key && !one.isTaken);
    if (kept !== undefined) {
      const { width, height, theme, reducedMotion } = { ...looks, ...options };
      kept.isTaken = true;
      await kept.page.setViewportSize({ width, height });
      await kept.page.emulateMedia({ colorScheme: theme, reducedMotion: motion(reducedMotion), forcedColors: null });
      if (options.as !== undefined) await this.signIn(kept.context, options.as);
      await show(kept.page, options.path);
      return kept.page;
    }
    const context = await this.context(options);
    if (options.as !== undefined) await this.signIn(context, options.as);
    const page = await this.tab(context, options.path);
    if (options.own !== true) this.#kept = [...this.#kept, { key, context, page, isTaken: true }];
    return page;
  }

  /**
   * Between two tests: what the last one left goes, and its pages are free for the next. What pages reported that they must not fails
   * the test. `afterEach(() => admin.endTest())`
   */
  async endTest(): Promise<void> {
    this.intercept = undefined;
    const kept: KeptPage[] = [];
    for (const one of this.#kept) if (!one.isTaken || (await clearPage(one))) kept.push(one);
    this.#kept = kept;
    for (const context of this.#contexts) if (!kept.some((one) => one.context === context)) await this.#close(context);
    this.#expectNoProblems();
  }

  /** A browser session: what its tabs share. */
  async context(options: AdminPageOptions = {}): Promise<BrowserContext> {
    const { width, height, theme, language, hasTouch, reducedMotion } = { ...looks, ...options };
    const serviceWorkers = options.keepsShell === true ? 'allow' : 'block';
    const context = await newSession(this.browser, {
      baseURL: this.url,
      viewport: { width, height },
      colorScheme: theme,
      locale: language === 'en' ? 'en-GB' : language,
      timezoneId: 'Europe/Lisbon',
      hasTouch,
      serviceWorkers,
      reducedMotion: motion(reducedMotion),
    });
    await context.exposeBinding('reportProblem', (_, text: string) => this.#problems.push(text));
    await context.addInitScript(reportViolations);
    await context.addInitScript(holdMessages);
    this.#contexts.add(context);
    return context;
  }

  /** Gives the browser session the cookie of a session, as signing in would. */
  async signIn(context: BrowserContext, name: string): Promise<void> {
    const data = { email: emailOf(name), password: passwordOfTests, session: 'cookie' };
    const response = await context.request.post('/api/v1/auth/login', { data });
    if (!response.ok()) throw new Error(`Signing ${name} in failed: ${await response.text()}`);
  }

  /** Another tab of a browser session. */
  async tab(context: BrowserContext, path?: string): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => this.#problems.push(`uncaught: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      // Requests that fail are the page's to explain; the browser logs each.
      if (message.type() !== 'error' || /^Failed to load resource/.test(message.text())) return;
      this.#problems.push(`console: ${message.text()}`);
    });
    await show(page, path);
    return page;
  }

  /** What pages reported since the last call: for tests that cause it. */
  takeProblems(): readonly string[] {
    const found = this.#problems;
    this.#problems = [];
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of this.#contexts) await this.#close(context);
    await this.#browser[Symbol.asyncDispose]();
    await this.#server.stop(true);
    await this.service[Symbol.asyncDispose]();
    this.#expectNoProblems();
  }

  async #close(context: BrowserContext): Promise<void> {
    this.#contexts.delete(context);
    // Those of a browser that has ended are closed.
    if (context.browser()?.isConnected() !== false) await context.close();
  }

  #expectNoProblems(): void {
    const problems = this.takeProblems();
    if (problems.length > 0) throw new Error(`Pages reported problems:\n${problems.join('\n')}`);
  }
}

/** How a page looks when a test does not say. Nothing moves, so that a check sees the page as it ends. */
const looks: Required<Omit<AdminPageOptions, 'as' | 'path' | 'own' | 'keepsShell'>> = {
  ...{ width: 1440, height: 900, theme: 'light', language: 'en' },
  ...{ hasTouch: false, reducedMotion: true },
};

const motion = (isReduced: boolean): 'reduce' | 'no-preference' => (isReduced ? 'reduce' : 'no-preference');

async function show(page: Page, path = '/'): Promise<void> {
  await page.goto(`/admin${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/** Runs in the page before anything else. */
const reportViolations = `addEventListener('securitypolicyviolation', (event) => {
  reportProblem('policy: ' + event.violatedDirective + ' at ' + event.sourceFile + ':' + event.lineNumber + ' ' + event.blockedURI + ' ' + event.sample);
});`;

/**
 * In the page: messages stay, as they do while a pointer rests on them. A person reads them in time; a test on a busy machine may not come to
 * what they offer.
 */
const holdMessages = `(() => {
  let region;
  const hold = () => region.dispatchEvent(new PointerEvent('pointerenter'));
  new MutationObserver(() => {
    if (region?.isConnected) return;
    region = document.querySelector('section:has(> [role="status"] + [role="alert"])') ?? undefined;
    if (region === undefined) return;
    hold();
    for (const left of ['pointerleave', 'focusout']) region.addEventListener(left, () => setTimeout(hold));
  }).observe(document, { childList: true, subtree: true });
})()`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Experimental, and off by itself: who speaks to the page says what they see. */
const further = { 'label-content-name-mismatch': { enabled: true } };
const checks = {
  all: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], rules: further },
  /** Those of these rules whose answer depends on colours. */
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
};

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/**
 * What axe-core finds against WCAG 2.2 AA on a page as it is: `expect(await accessibilityIssues(page)).toEqual([])`.
 * `within` (a CSS selector) leaves out the rest of the page: for a popover, whose edge may lie across what is behind it. `colours` asks
 * the rules about colours alone: for a page that was checked in another theme.
 */
export async function accessibilityIssues(
  page: Page,
  within?: string,
  which: 'all' | 'colours' = 'all',
): Promise<readonly string[]> {
  // As the debugger does, which no policy of the page holds back.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const result = await page.evaluate<AxeResult>(
    `axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, { ...${JSON.stringify(checks[which])}, resultTypes: ['violations'] })`,
  );
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
  );
}
