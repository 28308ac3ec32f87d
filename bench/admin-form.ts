import type { CDPSession, Page } from 'playwright-core';
import { Admin } from '../test/browser/admin.ts';
import { type KeyCost, keyCosts } from './key-trace.ts';
import { openingTime } from './opening-time.ts';

/*
 * How fast the admin's forms are, in a real Chromium on the SQLite database in memory of the tests:
 *
 *     node_modules/.bin/bun bench/admin-form.ts
 *
 * A form of 1,000 fields opens, from the click on the link to the frame that shows it; a key in it, in the title of an article and in its
 * long rich text, and in one of 20,000 words, from the event to the frame after it, without and with the processor slowed down four times, and the
 * same in a page that has nothing but one field. Beside each stands the processor time of the page's thread, which other work on the machine doesn't
 * change. `bench/admin-form.ts keys` measures the keys alone.
 *
 * `bench/admin-form.ts pairs [KEYS]` measures what of it is the admin's: with the processor slowed down four times, each key in a text of the admin
 * follows one in a bare input, or comes before it, so that other work on the machine slows both alike. It prints how many times as long as the bare
 * input's the admin's keys take, by their medians and by the 95th percentiles. The default is 400 keys in each.
 *
 * `bench/admin-form.ts trace [ROUNDS]` measures the same by the browser's own trace, as processor time of the page's thread until the frame with the
 * key is handed on: which part of it is script, layout and paint, in the admin, and in a bare page with an input, a text field of several lines, and
 * text of 20,000 words that has no script. The default is 3 rounds of 20 keys each.
 */

const kinds = ['text', 'integer', 'decimal', 'boolean', 'date', 'enum', 'email', 'datetime', 'json', 'time'] as const;

const fields = Array.from({ length: 1000 }, (_, index) => {
  const field_type = kinds[index % kinds.length] ?? 'text';
  const more = { enum: { enum_values: ['a', 'b', 'c'] }, text: { max_length: 100 } };
  return { name: `f${index}`, field_type, ...(field_type === 'enum' || field_type === 'text' ? more[field_type] : {}) };
});

const article = {
  singular: 'article',
  plural: 'articles',
  fields: [
    { name: 'title', field_type: 'text', max_length: 200 },
    { name: 'body', field_type: 'richtext' },
  ],
};

const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

const line = (what: string, values: readonly number[]): void => {
  const [p50, p95, most] = [percentile(values, 0.5), percentile(values, 0.95), Math.max(...values)];
  process.stdout.write(
    `${what}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, max ${most.toFixed(1)} ms, n ${values.length}\n`,
  );
};

/**
 * Milliseconds from each key to the end of the frame that shows it. The keys come as fast as people type, so that none waits for another.
 *
 * The end is a task of the highest priority after the frame. Its median is within a millisecond of when the browser's own trace
 * (`EventLatency`) says that the frame is on the screen. A message waits for what the browser does by itself after the frame, such as
 * looking for forms to fill in: with the processor slowed down four times, it comes 2 to 6 ms after the picture.
 */
async function typing(page: Page, keys: number): Promise<readonly number[]> {
  await timeKeys(page);
  for (let index = 0; index < keys; index += 1) await typeKey(page, index);
  return timesOf(page);
}

const timesOf = (page: Page): Promise<readonly number[]> => page.evaluate<readonly number[]>('keys');

/** Presses a key, and waits as long as people do. */
async function typeKey(page: Page, index: number): Promise<void> {
  await page.keyboard.press('abcdefghij'[index % 10] ?? 'a');
  // Not a multiple of a frame.
  await Bun.sleep(100 + ((index * 7) % 17));
}

/** Begins to measure the keys of a page. */
async function timeKeys(page: Page): Promise<void> {
  await page.evaluate(`window.keys = []; window.onkeydown = (event) => {
    const from = event.timeStamp;
    requestAnimationFrame(() => scheduler.postTask(() => keys.push(performance.now() - from), { priority: 'user-blocking' }));
  }`);
}

const slowed = (session: CDPSession, rate: number): Promise<unknown> =>
  session.send('Emulation.setCPUThrottlingRate', { rate });

await using admin = await Admin.open([{ singular: 'wide', plural: 'wides', fields }, article]);
await admin.account('ada');
const words = fields.filter(({ field_type }) => field_type === 'text').map(({ name }) => [name, 'words']);
const wide = await admin.service.seed('wides', Object.fromEntries(words));
const paragraph = `<p>${'White is part of the page, and margins matter. '.repeat(10)}</p>`;
const long = await admin.service.seed('articles', { title: 'Long', body: paragraph.repeat(100) });
// A paragraph has 90 words.
const book = await admin.service.seed('articles', { title: 'Book', body: paragraph.repeat(223) });

async function sessionOf(of: Page): Promise<CDPSession> {
  const session = await of.context().newCDPSession(of);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

const page = await admin.page({ as: 'ada', path: '/' });
const ofAdmin = await sessionOf(page);

/** Runs some work, and prints the processor time that each of its parts took. */
async function measured(what: string, work: () => Promise<readonly number[]>, session = ofAdmin): Promise<void> {
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const before = await spent();
  const values = await work();
  const each = ((await spent()) - before) / values.length;
  line(what, values);
  process.stdout.write(`    processor time of each: ${each.toFixed(1)} ms\n`);
}

const rounds = (last: string) => async (): Promise<readonly number[]> => {
  const isThere = `document.querySelector('[data-path="${last}"]') !== null`;
  const opened: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    opened.push(await openingTime(page, `/admin/content/wides/${wide.id}`, isThere));
    await page.goBack();
    await page.locator('[data-path="f0"]').waitFor({ state: 'detached' });
  }
  return opened;
};

/** A page that has nothing but one field. */
async function barePage(): Promise<Page> {
  const bare = await (await admin.context()).newPage();
  await bare.setContent('<input aria-label="Text">');
  return bare;
}

/** Types in a field of the admin and in a bare one by turns. */
async function typingByTurns(what: string, bare: Page, keys: number): Promise<void> {
  // What is loaded for the first keys is no part of it.
  for (const each of [bare, page]) await typing(each, 20);
  for (const each of [bare, page]) await timeKeys(each);
  for (let index = 0; index < keys; index += 1)
    for (const each of index % 2 === 0 ? [bare, page] : [page, bare]) await typeKey(each, index);
  const [ofBare, ofText] = [await timesOf(bare), await timesOf(page)];
  line('a bare input beside it', ofBare);
  line(what, ofText);
  const ratio = (share: number): string => (percentile(ofText, share) / percentile(ofBare, share)).toFixed(2);
  process.stdout.write(`    of the bare input: p50 ${ratio(0.5)}, p95 ${ratio(0.95)}\n`);
}

const texts = [
  { what: 'the title of an article', of: long, name: 'title' },
  { what: 'rich text of 47,000 characters', of: long, name: 'body' },
  { what: 'rich text of 20,000 words', of: book, name: 'body' },
];

/** Shows a text of the admin, with the cursor in it. */
async function openText({ of, name }: (typeof texts)[number]): Promise<void> {
  await page.goto(`/admin/content/articles/${of.id}`);
  await page.locator('[data-path="body"] .rich-text').waitFor();
  await page.getByRole('textbox', { name }).click();
}

/** What the keys took in each of some texts, in several rounds, so that other work on the machine slows all alike. */
async function traced(rounds: number): Promise<void> {
  const bareTexts = {
    'a bare input': '<input>',
    'a bare field of several lines': '<textarea></textarea>',
    'bare text of 20,000 words': `<div contenteditable style="max-width: 68ch; font-size: 18px">${paragraph.repeat(223)}</div>`,
  };
  const of = new Map<string, KeyCost[]>();
  const round = async (what: string, where: Page): Promise<void> => {
    // What is loaded for the first keys is no part of it.
    for (let index = 0; index < 10; index += 1) await typeKey(where, index);
    const costs = await keyCosts(admin.browser, where, async () => {
      for (let index = 0; index < 20; index += 1) await typeKey(where, index);
    });
    of.set(what, [...(of.get(what) ?? []), ...costs]);
  };
  const bare = await barePage();
  for (let index = 0; index < rounds; index += 1) {
    for (const [what, html] of Object.entries(bareTexts)) {
      await bare.setContent(html);
      await bare.locator('input, textarea, [contenteditable]').click();
      await round(what, bare);
    }
    for (const text of texts) {
      await openText(text);
      await round(text.what, page);
    }
  }
  const median = (what: string, part: keyof KeyCost): number =>
    percentile(
      (of.get(what) ?? []).map((cost) => cost[part]),
      0.5,
    );
  for (const what of of.keys()) {
    const parts = (['script', 'layout', 'paint'] as const).map((part) => `${part} ${median(what, part).toFixed(2)}`);
    const ratio = median(what, 'all') / median('a bare input', 'all');
    process.stdout.write(
      `${what}: ${median(what, 'all').toFixed(2)} ms (${parts.join(', ')}), ${ratio.toFixed(2)} of a bare input\n`,
    );
  }
}

if (process.argv[2] === 'trace') {
  await traced(Number(process.argv[3] ?? 3));
  await admin[Symbol.asyncDispose]();
  process.exit(0);
}

if (process.argv[2] === 'pairs') {
  const keys = Number(process.argv[3] ?? 400);
  const bare = await barePage();
  const sessions = [await sessionOf(bare), ofAdmin];
  const slow = (rate: number) => Promise.all(sessions.map((session) => slowed(session, rate)));
  for (const text of texts) {
    await slow(1);
    await openText(text);
    await bare.getByRole('textbox').click();
    await slow(4);
    await typingByTurns(`key to paint in ${text.what}`, bare, keys);
  }
  await admin[Symbol.asyncDispose]();
  process.exit(0);
}

if (process.argv[2] !== 'keys') {
  // The code of the screen is loaded once.
  await rounds('f24')();
  await measured('a form of 1,000 fields shows its first fields', rounds('f24'));
  await measured('a form of 1,000 fields shows all of them', rounds('f999'));
}

/** What the browser itself takes. */
const empty = await barePage();
const ofEmpty = await sessionOf(empty);
for (const rate of [1, 4]) {
  await empty.getByRole('textbox').click();
  await slowed(ofEmpty, rate);
  const how = rate === 1 ? '' : `, ${rate} times slower`;
  await measured(`key to paint in a page of nothing but one field${how}`, () => typing(empty, 100), ofEmpty);
}
await empty.close();

for (const rate of [1, 4]) {
  const how = rate === 1 ? '' : `, ${rate} times slower`;
  await slowed(ofAdmin, 1);
  await page.goto(`/admin/content/wides/${wide.id}`);
  await page.locator('[data-path="f999"]').waitFor();
  await page.locator('[data-path="f10"] input').click();
  await slowed(ofAdmin, rate);
  await measured(`key to paint in 1,000 fields${how}`, () => typing(page, 100));
  await slowed(ofAdmin, 1);
  await page.goto(`/admin/content/articles/${long.id}`);
  await page.locator('[data-path="body"] .rich-text').waitFor();
  await page.locator('[data-path="title"] :is(input, textarea)').click();
  await slowed(ofAdmin, rate);
  await measured(`key to paint in the title of an article${how}`, () => typing(page, 100));
  await slowed(ofAdmin, 1);
  await page.getByRole('textbox', { name: 'body' }).click();
  await slowed(ofAdmin, rate);
  await measured(`key to paint in rich text of 47,000 characters${how}`, () => typing(page, 100));
  await slowed(ofAdmin, 1);
  await page.goto(`/admin/content/articles/${book.id}`);
  await page.locator('[data-path="body"] .rich-text').waitFor();
  await page.getByRole('textbox', { name: 'body' }).click();
  await slowed(ofAdmin, rate);
  await measured(`key to paint in rich text of 20,000 words${how}`, () => typing(page, 100));
}
