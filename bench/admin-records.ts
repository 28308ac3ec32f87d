import { parseArgs } from 'node:util';
import { Admin } from '../test/browser/admin.ts';
import { openingTime } from './opening-time.ts';

/*
 * How fast records are opened and found in the admin, and what stays in memory of those that were open, in a real Chromium on the SQLite
 * database of the tests:
 *
 *     node_modules/.bin/bun bench/admin-records.ts [--records 1000000] [--opened 500]
 *
 * From a list to the editor of a record; letters in a relation's picker, to the frame that shows what they find among so many records;
 * and the page's heap, nodes and listeners while record after record is opened from the list.
 */

const { values } = parseArgs({
  options: { records: { type: 'string', default: '1000000' }, opened: { type: 'string', default: '500' } },
});
const [records, opened] = [Number(values.records), Number(values.opened)];
const print = (text: string): unknown => process.stdout.write(`${text}\n`);

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'title', field_type: 'text', max_length: 200 },
    { name: 'body', field_type: 'text' },
  ],
};
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: ['timestampable', { name: 'versionable', drafts: true }, 'statusable'],
  fields: [
    { name: 'title', field_type: 'text', max_length: 200 },
    { name: 'slug', field_type: 'uid', target_field: 'title' },
    { name: 'at', field_type: 'datetime' },
    { name: 'body', field_type: 'richtext' },
    { name: 'note', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'notes' } },
  ],
};

function line(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1);
  print(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms, n ${sorted.length}`);
}

await using admin = await Admin.open([note, story]);
await admin.account('ada');
const { service } = admin;
const body = `<p>${'White is part of the page, and margins matter. '.repeat(40)}</p>`;
const ids: string[] = [];
for (let index = 0; index < 100; index += 1) {
  ids.push((await service.seed('stories', { title: `Story ${index}`, slug: `story-${index}`, body })).id);
}

await service.seed('notes', { title: 'note', body: 'text' });
const { table } = service.types.get('note');
await service.database.transaction(async (transaction) => {
  const run = (sql: string) => transaction.run({ sql, parameters: [] });
  // 1,000 words, each of which a thousandth of the titles has; three of four bodies have one that begins with "colour".
  await run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${records - 1})
    INSERT INTO "${table}" ("id", "title", "body") SELECT '01900000-0000-7000-8000-' || printf('%012d', i),
      'note ' || i || ' kind' || (i % 1000),
      CASE WHEN i % 4 = 0 THEN 'plain text of a note' ELSE 'a text about colour' || (i % 50) || ' and more' END FROM n`);
  await run(`INSERT INTO "${table}$search" (rowid, "f_title", "f_body")
    SELECT "$row", "title", "body" FROM "${table}" WHERE "title" <> 'note'`);
  transaction.touch('note');
});
print(`${records} records to pick from`);

const page = await admin.page({ as: 'ada', path: '/content/stories?size=100' });
const cdp = await page.context().newCDPSession(page);
await cdp.send('Performance.enable');

const list = '/admin/content/stories?size=100';
const isList = `document.querySelector('tbody tr[data-index="99"]') !== null`;
const isEditor = (id: string): string =>
  `location.pathname.endsWith('${id}') && document.querySelector('[data-state="clean"]') !== null && document.querySelector('[contenteditable="true"]') !== null`;

/** Opens a record from the list and goes back. Milliseconds until its form is there, the text included. */
async function openOne(index: number): Promise<number> {
  const id = ids[index % ids.length] ?? '';
  const time = await openingTime(page, `/admin/content/stories/${id}`, isEditor(id));
  await openingTime(page, list, isList);
  return time;
}

/** What is left after the garbage was collected. */
async function kept(): Promise<{ readonly heap: number; readonly nodes: number; readonly listeners: number }> {
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heap: value('JSHeapUsedSize') / 1e6, nodes: value('Nodes'), listeners: value('JSEventListeners') };
}

// The code of both screens is loaded once.
await openOne(0);
const times: number[] = [];
for (let index = 1; index <= opened; index += 1) {
  times.push(await openOne(index));
  if (index % Math.ceil(opened / 10) !== 0) continue;
  const { heap, nodes, listeners } = await kept();
  print(`after ${index} opened records: ${heap.toFixed(1)} MB heap, ${nodes} nodes, ${listeners} listeners`);
}
line('list to editor, its rich text included', times);

await openingTime(page, `/admin/content/stories/${ids[0]}`, isEditor(ids[0] ?? ''));
const picker = page.getByRole('combobox', { name: 'note' });
await picker.focus();

/** Milliseconds from a text in the picker to the frame that shows what it finds: first a title with the same text. */
const picking = (text: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const input = document.activeElement;
    const from = performance.now();
    const look = () => {
      if (!document.querySelector('[role="option"]')?.textContent.includes(${JSON.stringify(text)})) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
    };
    input.value = ${JSON.stringify(text)};
    input.dispatchEvent(new Event('input', { bubbles: true }));
    look();
  })`);

const rare: number[] = [];
const common: number[] = [];
for (let round = 0; round < 30; round += 1) {
  rare.push(await picking(`kind${101 + round * 29}`));
  common.push(await picking(`note ${1_001 + round * 97}`));
}
line('a picker finds a word that a thousandth of the titles have', rare);
line('a picker finds a word that all titles have, with the beginning of another', common);
