import { parseArgs } from 'node:util';
import { previewReader } from '../packages/client/src/preview.ts';
import { Admin } from '../test/browser/admin.ts';
import { chromiumPath } from '../test/browser/chromium.ts';

// bun bench/preview.ts [--keys 200] [--saves 20]: the preview beside a form, in a real Chromium and with a site on another origin, whose server makes
// its pages. Prints medians and 95th percentiles in milliseconds: from a key to the page that has got the message, and from the answer to
// a save to the page that shows what was stored.

const { values } = parseArgs({
  options: { keys: { type: 'string', default: '200' }, saves: { type: 'string', default: '20' } },
});
const print = (text: string): unknown => process.stdout.write(`${text}\n`);

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN;

function report(name: string, times: readonly number[]): void {
  const [median, late] = [percentile(times, 0.5), percentile(times, 0.95)];
  print(`${name}: median ${median.toFixed(0)} ms, p95 ${late.toFixed(0)} ms (${times.length} times)`);
}

if (chromiumPath === undefined) throw new Error('There is no Chromium: see CONTRIBUTING.md.');

const entry = `<!doctype html><script>fetch('', { method: 'POST', body: location.hash.slice(1) }).then(({ url }) => location.replace(url))</script>`;
let cms = '';
using site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const html = { 'Content-Type': 'text/html; charset=utf-8' };
    if (pathname === '/preview' && request.method === 'GET') return new Response(entry, { headers: html });
    if (pathname === '/preview') {
      const cookie = `preview=${await request.text()}; Path=/; HttpOnly; SameSite=Lax`;
      return new Response(null, {
        status: 303,
        headers: { Location: `/tales/${searchParams.get('id')}`, 'Set-Cookie': cookie },
      });
    }
    const token = /preview=(rpt_[\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
    const tale = await previewReader(token, { url: cms }).get<{ title: string }>(
      'tales',
      pathname.slice('/tales/'.length),
    );
    return new Response(
      `<!doctype html><h1>${Bun.escapeHTML(tale.title)}</h1><script>
      const now = () => performance.timeOrigin + performance.now();
      globalThis.shownAt = now();
      // A draft that is stored meanwhile loads the page again: what it has seen before stays.
      globalThis.seen = JSON.parse(sessionStorage.getItem(location.pathname) ?? '[]');
      const keep = (length) => { seen.push([now(), length]); sessionStorage.setItem(location.pathname, JSON.stringify(seen)); };
      keep(null);
      addEventListener('recto:preview', ({ detail }) => keep(detail.record.title.length));
      </script><script src="${cms}/preview.js"></script>`,
      { headers: html },
    );
  },
});

await using admin = await Admin.open([
  {
    ...{ name: 'Tale', singular: 'tale', plural: 'tales' },
    protocols: [{ name: 'versionable', drafts: true }, 'statusable'],
    fields: [
      { name: 'title', field_type: 'text', label: 'Title', max_length: 2000 },
      { name: 'summary', field_type: 'text', label: 'Summary', max_length: 400_000 },
    ],
    admin: { preview_url: `http://127.0.0.1:${site.port}/preview?id={id}#{token}` },
    api: { list: { access: 'public' }, get: { access: 'public' } },
  },
]);
cms = admin.url;
await admin.account('ada', 'admin');

for (const [name, length] of [
  ['a short record', 1_000],
  ['a record of 300 kB', 300_000],
] as const) {
  const summary = 'x'.repeat(length);
  const { id } = await admin.service.seed('tales', { title: 'T', summary, status: 'published' });
  const page = await admin.page({ as: 'ada', path: `/content/tales/${id}` });
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const inFrame = page.frameLocator('iframe');
  await inFrame.getByRole('heading', { name: 'T', exact: true }).waitFor();
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('There is no frame.');
  await frame.waitForFunction('globalThis.seen?.some(([, length]) => length !== null)');
  await page.evaluate(
    `globalThis.typed = []; addEventListener('keydown', ({ timeStamp, key }) => typed.push([performance.timeOrigin + timeStamp, key]), true)`,
  );
  await page.getByLabel('Title', { exact: true }).focus();
  await page.keyboard.press('End');
  await page.evaluate('typed.length = 0');
  const count = Number(values.keys);
  await page.keyboard.type('a'.repeat(count), { delay: 60 });
  await frame.waitForFunction(`globalThis.seen?.at(-1)?.[1] === ${count + 1}`);
  const typed = (await page.evaluate('typed')) as [number, string][];
  const seen = (await frame.evaluate('seen')) as [number, number | null][];
  const messages = seen.filter((one): one is [number, number] => one[1] !== null);
  // Key n is seen with the first message whose title has n letters behind its first one.
  const times = typed.map(([at], index) => {
    const found = messages.find(([, length]) => length >= index + 2);
    if (found === undefined) throw new Error(`The page has not seen key ${index + 1}.`);
    return found[0] - at;
  });
  report(`${name}, from a key to the page`, times);
  const loads = seen.length - messages.length - 1;
  print(`${name}: ${typed.length} keys, ${messages.length} messages, loaded again ${loads} times meanwhile`);

  const saves: number[] = [];
  for (let save = 0; save < Number(values.saves); save += 1) {
    const title = `Save ${save} of ${length}`;
    await page.getByLabel('Title', { exact: true }).fill(title);
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await answered;
    const at = Date.now();
    await inFrame.getByRole('heading', { name: title, exact: true }).waitFor();
    const shown = Number(await frame.evaluate('shownAt'));
    saves.push(Math.max(0, shown - at));
  }
  report(`${name}, from a stored draft to the page of the server`, saves);
  await admin.endTest();
}
// It is shared by all who use it in one process, and would keep this one running.
await admin.browser.close();
