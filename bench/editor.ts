import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { Admin } from '../test/browser/admin.ts';
import { chromiumPath } from '../test/browser/chromium.ts';

// bun bench/editor.ts [--rounds 20]: the editor of the admin in a real Chromium. Prints medians and 95th percentiles in milliseconds:
// from the list to an open record, from a key to the paint of it with the processor slowed down to a quarter, and the opening of a form
// of 1,000 fields.

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);
const print = (text: string): unknown => process.stdout.write(`${text}\n`);

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN;

function report(name: string, times: readonly number[]): void {
  const [median, late] = [percentile(times, 0.5), percentile(times, 0.95)];
  print(`${name}: median ${median.toFixed(1)} ms, p95 ${late.toFixed(1)} ms (${times.length} times)`);
}

const story = {
  name: 'Story',
  singular: 'story',
  plural: 'stories',
  protocols: ['timestampable', 'ownable', { name: 'versionable', drafts: true }, 'statusable'],
  fields: [
    { name: 'title', field_type: 'text', label: 'Title', required: true, max_length: 200 },
    { name: 'slug', field_type: 'uid', label: 'Slug', target_field: 'title' },
    { name: 'summary', field_type: 'text', label: 'Summary' },
    { name: 'body', field_type: 'richtext', label: 'Body' },
  ],
};
const large = {
  name: 'Large',
  singular: 'large',
  plural: 'larges',
  fields: Array.from({ length: 1000 }, (_, index) => ({ name: `field_${index}`, field_type: 'text', max_length: 100 })),
};

/** In the page: follows an address of the admin, and resolves with the milliseconds until a selector is there so often, and painted. */
const opening = (path: string, selector: string, count: number): string => `new Promise((resolve) => {
  const link = document.createElement('a');
  link.href = '/admin${path}';
  document.body.append(link);
  const begun = performance.now();
  link.click();
  link.remove();
  const look = () => {
    if (document.querySelectorAll(${JSON.stringify(selector)}).length < ${count}) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
  };
  look();
})`;

/** In the page: from here on, \`paints\` has the time from each key to the paint after it. */
const watchKeys = `globalThis.paints = [];
addEventListener('keydown', ({ timeStamp }) => {
  requestAnimationFrame(() => setTimeout(() => globalThis.paints.push(performance.now() - timeStamp)));
}, true);`;

async function timesOf(page: Page, back: string, path: string, selector: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await page.evaluate(opening(back, 'h1', 1));
    // The number of milliseconds that the script resolves with.
    const time = (await page.evaluate(opening(path, selector, count))) as number;
    // The first loads the code.
    if (round > 0) times.push(time);
  }
  return times;
}

async function keys(page: Page, label: string, name: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.getByLabel(label, { exact: true }).first().focus();
  await page.evaluate(watchKeys);
  for (let key = 0; key < rounds * 10; key++) {
    await page.keyboard.press(String.fromCharCode(97 + (key % 26)));
  }
  await page.waitForFunction(`globalThis.paints.length >= ${rounds * 10}`);
  report(name, (await page.evaluate('globalThis.paints')) as number[]);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
}

if (chromiumPath === undefined) throw new Error('There is no Chromium on this machine.');
const admin = await Admin.open([story, large]);
await admin.account('ada', 'admin');
const { id } = await admin.service.seed('stories', { title: 'On paper', summary: 'White', status: 'published' });
const { id: largeId } = await admin.service.seed('larges', { field_0: 'A' });

const page = await admin.page({ as: 'ada', path: '/content/stories' });
const open = await timesOf(page, '/content/stories', `/content/stories/${id}`, '[data-state="clean"]', 1);
report('list to editor', open);
report(
  'a form of 1,000 fields',
  await timesOf(page, '/content/larges', `/content/larges/${largeId}`, 'main input, main textarea', 1000),
);
await keys(page, 'field_1', 'key to paint among 1,000 fields, a quarter of the speed');
await page.close();
const typing = await admin.page({ as: 'ada', path: `/content/stories/${id}` });
// The rich text editor is loaded by itself.
await typing.getByRole('textbox', { name: 'Body' }).waitFor();
await keys(typing, 'Summary', 'key to paint, a quarter of the speed');
await typing.close();
admin.takeProblems();
await admin[Symbol.asyncDispose]();
