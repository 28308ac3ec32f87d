import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { globImports } from '../../packages/admin/glob-imports.ts';
import { launchChromium, looksSkipReason, newSession, skipsLooks } from './chromium.ts';

// What other programs copy, in the editor alone: all of it in one page. `field-richtext.test.ts` pastes into forms.

const folder = join(import.meta.dir, '../fixtures/clipboards');
const program = join(import.meta.dir, '../../packages/admin/src/fields/richtext/paste/paste-page.fixture.ts');

interface Clipboard {
  readonly name: string;
  readonly copied: string;
  readonly expected: string;
}

/** `=== name`, what is on the clipboard, `---`, what the text field holds after it was pasted. */
const clipboards: readonly Clipboard[] = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((text) => {
      const [, name = '', copied = '', expected = ''] = /^(.*)\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
      return { name, copied, expected: expected.trim() };
    }),
);

describe.skipIf(skipsLooks)(`pasting${looksSkipReason}`, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const built = await Bun.build({
      entrypoints: [program],
      target: 'browser',
      format: 'iife',
      plugins: [globImports],
    });
    const [script] = built.outputs;
    if (script === undefined) throw new Error(`The editor could not be built: ${built.logs.join('\n')}`);
    browser = await launchChromium();
    page = await (await newSession(browser)).newPage();
    await page.route('**/*', (route) =>
      route.request().url() === 'http://recto.test/'
        ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>t</title>' })
        : route.abort(),
    );
    await page.goto('http://recto.test/');
    await page.evaluate(await script.text());
  });
  afterAll(() => browser?.close());

  test('there are contents of forty clipboards, each with what is to come of it', () => {
    expect(clipboards.length).toBeGreaterThan(40);
    for (const { name, expected } of clipboards) expect([name, expected.length]).not.toEqual([name, 0]);
  });

  test.each([
    '<p><a class="more-link" href="https://example.com/">a</a> <a lang="fr" dir="ltr" href="/x">b</a></p>',
    '<p><a class="button">no address</a> <a id="a-place"></a><span id="more-12"></span></p>',
    '<p><strong class="lead">a</strong> <em lang="la">b</em> <code class="x">c</code> <u class="x">d</u></p>',
    '<p><del datetime="2020-01-01" cite="/why">gone</del> <i class="icon-star"></i></p>',
    '<pre class="wp-block-code"><code>a</code></pre><hr class="wp-block-separator">',
    '<div>a</div><div><p>b</p></div><div class="wp-block-buttons"><a class="wp-block-button__link" href="/x">c</a></div>',
  ])('a stored text is edited as it looks: %s', async (html) => {
    expect(await page.evaluate(`lost(${JSON.stringify(html)})`)).toEqual([]);
  });

  test.each(clipboards.map(({ name, copied, expected }) => [name, copied, expected] as const))(
    '%s',
    async (name, copied, expected) => {
      const paste = name.startsWith('Markdown') ? 'pastedMarkdown' : 'pasted';
      expect(await page.evaluate(`${paste}(${JSON.stringify(copied)})`)).toBe(expected);
    },
  );
});
