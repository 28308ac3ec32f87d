import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { Admin } from '../test/browser/admin.ts';

/*
 * How fast the admin's lists are, in a real Chromium on the SQLite database of the tests:
 *
 *     node_modules/.bin/bun bench/admin-list.ts [--records 1000000]
 *
 * A list of 100 rows and 12 columns, from the click on its link to the frame that shows its last row: from memory, where the page has
 * just been seen, and with its requests. Then the pages of many records: the first, the second, the last, and the one before the last.
 * Beside each stands the processor time of the page's thread, which other work on the machine doesn't change.
 */

const { values } = parseArgs({ options: { records: { type: 'string', default: '1000000' } } });
const records = Number(values.records);

const note = {
  singular: 'note',
  plural: 'notes',
  protocols: ['timestampable', { name: 'statusable', values: ['draft', 'published'], default: 'draft' }],
  fields: [
    { name: 'title', field_type: 'text', max_length: 200 },
    { name: 'views', field_type: 'integer', indexed: true },
    { name: 'price', field_type: 'decimal' },
    { name: 'featured', field_type: 'boolean' },
    { name: 'at', field_type: 'datetime' },
    { name: 'day', field_type: 'date' },
    { name: 'kind', field_type: 'enum', enum_values: ['a', 'b', 'c'] },
    { name: 'summary', field_type: 'text' },
  ],
};
const columns = 'title,status,views,price,featured,at,day,kind,summary,created_at,updated_at,id';
const address = `/admin/content/notes?size=100&columns=${columns}`;

await using admin = await Admin.open([note]);
await admin.account('ada');
const { service } = admin;
await service.seed('notes', {
  ...{ title: 'A note', views: 5, price: '12.50', featured: true, at: '2026-01-01T10:00:00Z', day: '2026-01-01' },
  ...{ kind: 'a', summary: 'White is part of the page, and margins matter.', status: 'published' },
});
const { table } = service.types.get('note');
await service.database.transaction(async (transaction) => {
  const first = await transaction.first<Record<string, unknown>>({ sql: `SELECT * FROM "${table}"`, parameters: [] });
  // The database numbers rows by itself.
  const names = Object.keys(first ?? {}).filter((name) => name !== '$row');
  const own: Readonly<Record<string, string>> = {
    id: `'01900000-0000-7000-8000-' || printf('%012d', i)`,
    title: `'note ' || i`,
    views: '(i * 79) % 100000',
  };
  const select = names.map((name) => own[name] ?? `"${name}"`).join(', ');
  await transaction.run({
    sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${records - 1})
      INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) SELECT ${select} FROM n, "${table}"`,
    parameters: [],
  });
  transaction.touch('note');
});

const page = await admin.page({ as: 'ada', path: '/' });
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });

/** Milliseconds from an action to the frame in which `isThere` holds. */
const until = (on: Page, action: string, isThere: string): Promise<number> =>
  on.evaluate<number>(`new Promise((resolve) => {
    const from = performance.now();
    const look = () => {
      if (!(${isThere})) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
    };
    ${action};
    look();
  })`);

const follow = (to: string): string => `{
  const link = document.createElement('a');
  link.href = ${JSON.stringify(to)};
  document.body.append(link);
  link.click();
  link.remove();
}`;
const row = (number: number): string => `document.querySelector('tbody tr[data-index="${number}"]') !== null`;
const press = (name: string): string => `document.querySelector('button[aria-label="${name}"]').click()`;

async function measured(what: string, rounds: number, work: () => Promise<number>): Promise<void> {
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const took: number[] = [];
  const before = await spent();
  for (let round = 0; round < rounds; round += 1) took.push(await work());
  const each = ((await spent()) - before) / rounds;
  const sorted = took.toSorted((a, b) => a - b);
  const middle = sorted[rounds >> 1] ?? Number.NaN;
  process.stdout.write(
    `${what}: median ${middle.toFixed(1)} ms, max ${(sorted.at(-1) ?? Number.NaN).toFixed(1)} ms, n ${rounds}; processor time of each ${each.toFixed(1)} ms\n`,
  );
}

/** The list is left, and opened again. */
async function reopened(pause: number): Promise<number> {
  // To a page that does nothing.
  await until(page, follow('/admin/content/no-such-type'), `!(${row(0)})`);
  if (pause > 0) await page.waitForTimeout(pause);
  return until(page, follow(address), row(99));
}

process.stdout.write(`${records} records\n`);
// The code of the screen is loaded once.
await until(page, follow(address), row(99));
await measured('100 rows and 12 columns, from memory', 10, () => reopened(0));
// What is older than two seconds is asked for again, while what there was is shown.
await measured('100 rows and 12 columns, shown again after a while', 5, () => reopened(2_500));

const title = `document.querySelector('tbody tr[data-index="0"] [data-row]')?.textContent.trim()`;
const first = await page.evaluate<string>(title);
const changed = (from: string): string => `${title} !== undefined && ${title} !== ${JSON.stringify(from)}`;
const step = async (button: string): Promise<number> =>
  until(page, press(button), changed(await page.evaluate<string>(title)));
const back = (): Promise<number> => until(page, press('First page'), `${title} === ${JSON.stringify(first)}`);

for (const [what, buttons] of [
  ['the second page', ['Next page']],
  ['the last page', ['Last page']],
  ['the page before the last', ['Last page', 'Previous page']],
] as const) {
  await measured(what, 5, async () => {
    await back();
    let took = 0;
    for (const button of buttons) took = await step(button);
    return took;
  });
}
