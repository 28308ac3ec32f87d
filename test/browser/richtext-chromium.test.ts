import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { xssPayloads } from '../../packages/recto/src/definition/fields/xss-payloads.fixture.ts';
// @ts-expect-error It is a program for the browser, in its own language.
import { useMarkup } from '../fixtures/use-markup.js';
import { TestService } from '../support/service.ts';
import { launchChromium, looksSkipReason, newSession, skipsLooks } from './chromium.ts';

// Stored rich text in a real browser: shown by `innerHTML`, and used, it runs no script.

const fields = [
  { name: 'safe', field_type: 'richtext' },
  { name: 'raw', field_type: 'richtext', sanitize: false },
];
const open = { access: 'public' };

describe.skipIf(skipsLooks)(`in Chromium${looksSkipReason}`, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    service = await TestService.open([{ singular: 'text', plural: 'texts', fields, api: { create: open, get: open } }]);
    browser = await launchChromium();
    page = await (await newSession(browser)).newPage();
    // Nothing leaves the page, whatever the markup asks for.
    await page.route('**/*', (route) =>
      route.request().url() === 'http://recto.test/'
        ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>t</title><main></main>' })
        : route.abort(),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  /** What the page did with the text: the scripts that ran. */
  async function ran(html: string): Promise<unknown> {
    await page.goto('http://recto.test/');
    return page.evaluate(`(${useMarkup})(${JSON.stringify(html)})`);
  }

  const stored = async (payload: string): Promise<{ readonly safe: string; readonly raw: string }> => {
    const { status, json } = await service.send('POST /api/v1/cms/texts', { body: { safe: payload, raw: payload } });
    expect(status).toBe(201);
    return json;
  };

  test.each(xssPayloads)('%j', async (payload) => {
    expect(await ran((await stored(payload)).safe)).toEqual([]);
  });

  test('the page sees what does run', async () => {
    expect(await ran((await stored('<img src=x onerror=alert(1)>')).raw)).not.toEqual([]);
    expect(await ran((await stored('<a href="java\tscript:alert(1)">x</a>')).raw)).not.toEqual([]);
  });
});
