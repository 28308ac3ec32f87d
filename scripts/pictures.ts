import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { createRecto } from '../packages/recto/src/index.ts';
import { builtAdmin } from '../test/browser/built-admin.ts';
import { launchChromium, newSession } from '../test/browser/chromium.ts';
import { fillMagazine } from './pictures/magazine-content.ts';

/**
 * Makes the pictures of the admin in `docs/images/`, of the example magazine with content: `bun scripts/pictures.ts [NAME …]`. It needs
 * Chromium, as the tests in a browser do.
 */
const root = join(import.meta.dir, '..');
const magazine = join(root, 'examples/magazine');
const images = join(root, 'docs/images');
const account = { email: 'ada@example.com', password: 'correct horse' };
const size = { width: 1280, height: 800 };

interface Picture {
  readonly name: string;
  readonly themes: readonly ('light' | 'dark')[];
  readonly path: (ids: Readonly<Record<string, string>>) => string;
  /** What has to be seen before the picture is taken. */
  readonly ready: (page: Page) => Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    name: 'admin-list',
    themes: ['light', 'dark'],
    path: () => '/content/articles',
    ready: (page) => page.getByText('The weight of a page').first().waitFor(),
  },
  {
    name: 'admin-editor',
    themes: ['light', 'dark'],
    path: ({ landing }) => `/content/landings/${landing}`,
    // The blocks, with some of what is above them.
    async ready(page) {
      await page.getByText('Quotation').first().waitFor();
      await page
        .getByText('body', { exact: true })
        .first()
        .evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    name: 'admin-media',
    themes: ['light'],
    path: () => '/media',
    // The last one of them is there, and all that are seen are drawn.
    ready: async (page) => {
      await page.locator('main li img').nth(8).waitFor();
      const images = page.locator('main li img');
      while (!(await images.evaluateAll((all) => all.every((image) => image.complete && image.naturalWidth > 0))))
        await Bun.sleep(100);
    },
  },
  {
    name: 'admin-types',
    themes: ['light'],
    path: () => '/types/event',
    ready: (page) => page.getByText('starts_at').first().waitFor(),
  },
];

const wanted = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'recto-pictures-'));
await builtAdmin();
const recto = await createRecto({
  settings: {
    ...{ port: 0, dataDir, logLevel: 'warn', contentTypesDir: join(magazine, 'content-types/') },
    ...{ hooksDir: join(magazine, 'hooks/'), adminEmail: account.email, adminPassword: account.password },
  },
});
const browser = await launchChromium();
try {
  const { url } = await recto.start();
  if (url === null) throw new Error('The service has no port.');
  const ids = await fillMagazine(url, account, browser);
  mkdirSync(images, { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    const context = await newSession(browser, {
      ...{ baseURL: url, viewport: size, deviceScaleFactor: 1.5, colorScheme: theme, reducedMotion: 'reduce' },
      ...{ locale: 'en-GB', timezoneId: 'Europe/Lisbon' },
    });
    await signIn(context);
    for (const picture of pictures.filter(({ name, themes }) => themes.includes(theme) && isWanted(name)))
      await take(context, picture, theme, ids);
    await context.close();
  }
} finally {
  await browser.close();
  await recto.stop();
  rmSync(dataDir, { recursive: true });
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name);
}

async function signIn(context: BrowserContext): Promise<void> {
  const response = await context.request.post('/api/v1/auth/login', { data: { ...account, session: 'cookie' } });
  if (!response.ok()) throw new Error(`Signing in failed: ${await response.text()}`);
}

async function take(
  context: BrowserContext,
  { name, path, ready }: Picture,
  theme: string,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const page = await context.newPage();
  await page.goto(`/admin${path(ids)}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await ready(page);
  const file = join(images, `${name}-${theme}.webp`);
  await sharp(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
    .webp({ quality: 78, effort: 6 })
    .toFile(file);
  await page.close();
  process.stdout.write(`${file}\n`);
}
