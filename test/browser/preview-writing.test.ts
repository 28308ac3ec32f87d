import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';

// A page of a site beside a form that is being written: what it gets, and in which order, and that no key is lost meanwhile.

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** A page with `@recto/client/preview`. What it gets and what it shows is kept over its loads. */
const sitePage = (cms: string, id: string, more: string) => `<!doctype html><html><body><h1>${id}</h1>${more}
<script type="module">
  import { onPreview } from '/client.js';
  const of = (name) => JSON.parse(sessionStorage.getItem(name + '${id}') ?? '[]');
  const keep = (name, value) => {
    globalThis[name] = [...of(name), value];
    sessionStorage.setItem(name + '${id}', JSON.stringify(globalThis[name]));
  };
  globalThis.got = of('got');
  globalThis.shown = of('shown');
  keep('shown', 'load');
  addEventListener('recto:preview', ({ detail }) => keep('got', [detail.id, detail.record.title]));
  addEventListener('recto:saved', (event) => event.stopImmediatePropagation());
  onPreview((record) => {
    document.querySelector('h1').textContent = record.title;
    keep('shown', record.title);
  }, { id: '${id}' });
</script>
<script src="${cms}/preview.js"></script></body></html>`;

describe.skipIf(chromiumPath === undefined)(`a page beside a form that is being written${skipReason}`, () => {
  let admin: Admin;
  let site: ReturnType<typeof Bun.serve>;
  let client = '';
  /** More of each page. */
  let more = '';

  beforeAll(async () => {
    const entry = join(import.meta.dir, '../../packages/client/src/preview.ts');
    const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser' });
    client = (await outputs[0]?.text()) ?? '';
    site = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/client.js') return new Response(client, { headers: { 'Content-Type': 'text/javascript' } });
        const html = sitePage(admin.url, pathname.slice('/tales/'.length), more);
        return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
      },
    });
    admin = await Admin.open([
      {
        ...{ name: 'Tale', singular: 'tale', plural: 'tales' },
        protocols: [{ name: 'versionable', drafts: true }, 'statusable'],
        fields: [
          { name: 'title', field_type: 'text', label: 'Title', max_length: 4000 },
          { name: 'notes', field_type: 'text', label: 'Notes', max_length: 4000 },
        ],
        api: { list: { access: 'public' }, get: { access: 'public' } },
        admin: { preview_url: `http://127.0.0.1:${site.port}/tales/{id}` },
      },
    ]);
    await admin.account('edith', 'editor');
  });
  afterEach(() => {
    more = '';
    return admin?.endTest();
  });
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await site?.stop(true);
  });

  const frameOf = async (page: Page): Promise<Frame> => {
    const found = await (await page.locator('section[aria-label="Preview"] iframe').elementHandle())?.contentFrame();
    if (found === null || found === undefined) throw new Error('There is no frame.');
    return found;
  };
  /** A record beside its page, which has been sent to it. */
  async function open(title: string, options: { readonly own?: boolean; readonly script?: string } = {}) {
    const { id } = await admin.service.seed('tales', { title, notes: 'Kept', status: 'published' });
    const page = await admin.page({ as: 'edith', path: `/content/tales/${id}`, own: options.own === true });
    if (options.script !== undefined) {
      await page.addInitScript(options.script);
      await page.reload();
    }
    await button(page, 'Preview').click();
    const frame = await frameOf(page);
    await frame.waitForFunction(`globalThis.shown?.at(-1) === ${JSON.stringify(title)}`);
    return { id: String(id), page, frame };
  }
  /** All that the page has shown, and each of its loads. It is asked again where the page is loaded again meanwhile. */
  const keptIn = async (frame: Frame) =>
    JSON.parse(String(await (await frame.waitForFunction('JSON.stringify(globalThis.shown)')).jsonValue())) as string[];
  const shownIn = async (frame: Frame) => (await keptIn(frame)).filter((one) => one !== 'load');

  test('follows somebody who never rests, in the order of the keys', async () => {
    const { page, frame } = await open('T', { own: true });
    await field(page, 'Title').focus();
    await page.keyboard.press('End');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const before = (await shownIn(frame)).length;
    const keys = 'written';
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.clock.runFor(40);
    }
    // Messages come in their order: this one is behind those of the keys, and no time has passed since.
    await frame.evaluate(
      `void (globalThis.last = new Promise((resolve) => addEventListener('message', ({ data }) => data === 'last' && resolve(true))))`,
    );
    await page.evaluate(
      `document.querySelector('section[aria-label="Preview"] iframe').contentWindow.postMessage('last', '*')`,
    );
    await frame.evaluate('last');
    const between = (await shownIn(frame)).slice(before);
    expect(new Set(between).size).toBeGreaterThanOrEqual(4);
    expect(between.length).toBeLessThanOrEqual(keys.length);
    const lengths = between.map(({ length }) => length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    // The last key is shown without another one.
    await page.clock.runFor(200);
    await frame.waitForFunction(`shown.at(-1) === 'T${keys}'`);
  });

  test('loses no key while drafts are stored a tenth of a second after each rest', async () => {
    // The form waits longer: here its pauses are as short as an impatient service would have them.
    const script = `{ const own = setTimeout; globalThis.setTimeout = (run, wait, ...rest) => own(run, wait === 1500 ? 100 : wait, ...rest); }`;
    const { id, page, frame } = await open('[]', { own: true, script });
    const route = `/api/v1/admin/cms/tales/${id}`;
    let stored = 0;
    admin.intercept = async (request) => {
      if (request.method !== 'PUT' || new URL(request.url).pathname !== route) return undefined;
      const response = await admin.service.app.fetch(request);
      if (response.ok) stored += 1;
      return response;
    };
    await field(page, 'Title').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    // In the middle of the text: what put it back as it was stored would move the caret, or take letters.
    let typed = '';
    while (stored < 25) {
      const letter = String.fromCharCode(97 + (typed.length % 26));
      typed += letter;
      await page.keyboard.type(letter, { delay: typed.length % 9 === 0 ? 130 : 15 });
      if (typed.length > 3500) throw new Error(`Only ${stored} drafts were stored.`);
    }
    expect(await field(page, 'Title').inputValue()).toBe(`[${typed}]`);
    await page.locator('[data-state="clean"]').waitFor();
    await frame.waitForFunction(`shown.at(-1) === ${JSON.stringify(`[${typed}]`)}`);
    expect(await page.evaluate('document.activeElement?.value')).toBe(`[${typed}]`);
    const { json } = await admin.service.send(`GET ${route}?draft=true`, { as: 'edith' });
    expect([json.title, json.notes]).toEqual([`[${typed}]`, 'Kept']);
    // Each time the page was loaded again, it has shown what the form held then, and nothing of before.
    const lengths = (await shownIn(frame)).map(({ length }) => length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect((await keptIn(frame)).filter((one) => one === 'load').length).toBeGreaterThan(1);
  }, 600_000);

  test('shows its own record alone, when somebody follows a link to it from the one that is being written', async () => {
    const other = await admin.service.seed('tales', { title: 'Other', status: 'published' });
    const { id, page, frame } = await open('Written');
    await frame.evaluate(`location.href = '/tales/${other.id}'`);
    // It gets the messages, about a record that it does not show.
    await frame.waitForFunction(
      `globalThis.got?.some(([id]) => id === '${id}') && location.pathname.includes('${other.id}')`,
    );
    await field(page, 'Title').fill('Written on');
    await frame.waitForFunction(`got.some(([, title]) => title === 'Written on')`);
    expect(await shownIn(frame)).toEqual([]);
    expect(await frame.evaluate(`document.querySelector('h1').textContent`)).toBe(other.id);
  });

  test('takes nothing again that it has been sent before, and nothing from the frames in it', async () => {
    more = `<iframe src="about:blank"></iframe>`;
    const { id, page, frame } = await open('First');
    await field(page, 'Title').fill('Second');
    await frame.waitForFunction(`shown.at(-1) === 'Second'`);
    const old = JSON.stringify({ type: 'recto:preview', content_type: 'tale', id, record: { title: 'First' } });
    const count = (await shownIn(frame)).length;
    // Sent again by the page itself, by a frame in it, by the admin's window as that of the frame, and to the admin.
    await frame.evaluate(`postMessage(${old}, '*'); postMessage({ type: 'recto:saved' }, '*')`);
    await frame.evaluate(`{ const script = frames[0].document.createElement('script');
      script.textContent = 'parent.postMessage(${old.replaceAll("'", "\\'")}, "*"); parent.postMessage({ type: "recto:saved" }, "*")';
      frames[0].document.body.append(script); }`);
    await page.evaluate(`postMessage(${old}, '*')`);
    // Messages come in their order: this one is behind all of these.
    await frame.evaluate(
      `new Promise((resolve) => { addEventListener('message', ({ data }) => data === 'last' && resolve()); postMessage('last', '*'); })`,
    );
    await frame.evaluate(`new Promise((resolve) => { addEventListener('message', ({ data }) => data === 'inner' && resolve());
      const script = frames[0].document.createElement('script'); script.textContent = 'parent.postMessage("inner", "*")'; frames[0].document.body.append(script); })`);
    expect((await shownIn(frame)).length).toBe(count);
    expect(await frame.evaluate('shown.at(-1)')).toBe('Second');
    // A page that asks a thousand times is answered as often as one that is written.
    const before = Number(await frame.evaluate('got.length'));
    await frame.evaluate(`for (let i = 0; i < 1000; i += 1) parent.postMessage({ type: 'recto:ready' }, '*')`);
    await field(page, 'Title').fill('Third');
    await frame.waitForFunction(`shown.at(-1) === 'Third'`);
    expect(Number(await frame.evaluate('got.length')) - before).toBeLessThan(500);
    // Clicks that are sent again lead to a field of this record alone, once it is the page's own turn.
    await frame.evaluate(
      `for (const path of ['tales/${id.replace(/.$/, 'x')}#notes', 'tales/${id}#notes']) parent.postMessage({ type: 'recto:edit', path }, '*')`,
    );
    await page.waitForFunction('document.activeElement?.value === "Kept"');
  });
});
